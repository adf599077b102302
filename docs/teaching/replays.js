/** Mounts the replays of a page, each when it comes into view. It is joined with the player, in one script for all pages. */

const AHEAD = "400px"; // below the window

/** Furo keeps the choice of its reader on the body. */
function siteTheme() {
  return document.body.dataset.theme ?? "auto";
}

/** The picture gives way to the player; it comes back if the player cannot be shown. */
async function mountReplay(figure) {
  const still = figure.querySelector(".replay-still");
  const stage = document.createElement("div");
  stage.className = "replay-player";
  still.replaceWith(stage); // at first: the player takes its colours from where it is
  const data = figure.querySelector("script").textContent.trim();
  const player = await mount(stage, data, { autoplay: false, theme: siteTheme() });
  if (!player) {
    stage.replaceWith(still);
    return;
  }
  figure.querySelector("figcaption")?.remove(); // the player has it as its title
  figure.player = player;
  new MutationObserver(() => player.setTheme(siteTheme())).observe(document.body, {
    attributeFilter: ["data-theme"],
  });
}

function mountReplays() {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        mountReplay(target);
      }
    },
    { rootMargin: AHEAD },
  );
  for (const figure of document.querySelectorAll("figure.replay")) seen.observe(figure);
}

document.addEventListener("DOMContentLoaded", mountReplays);
