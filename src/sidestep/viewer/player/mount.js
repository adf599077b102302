/** Ways into the player. */

import { element } from "./elements.js";
import { fromBase64, unpack } from "./payload.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";

/** Shows a gzipped payload, bytes or base64, in an element. Resolves to the player, or to null with the reason on the page. */
export async function mount(host, payload, options = {}) {
  try {
    const content = await unpack(typeof payload === "string" ? fromBase64(payload) : payload);
    return new Player(host, { ...content, scenes: content.scenes.map((entry) => new Scene(entry)) }, options);
  } catch (error) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren(
      element("p", { role: "alert" }, `This replay cannot be shown: ${error.message.replace(/\.$/, "")}.`),
    );
    console.error(error);
    return null;
  }
}

/** For a page of its own. `#t=12` opens it at that time, `#agent=3` with that agent selected. */
export async function mountPage(host, base64) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const player = await mount(host, base64.trim(), {
    isPage: true,
    autoplay: !wanted.has("t"),
    theme: wanted.get("theme") ?? "auto",
  });
  if (!player) return null;
  if (wanted.has("t")) player.seek(Number(wanted.get("t")) - player.first);
  const agent = Number(wanted.get("agent") || -1);
  if (Number.isInteger(agent) && player.active.has(agent)) player.select(agent);
  host.player = player;
  return player;
}
