/** Files: opened, dropped, pasted and saved; and links that hold a whole instance. */

import { bytesToBase64, fromJson, toJson } from "./instance.js";
import { element, fromBase64 } from "./player.js";
import { post } from "./socket.js";

const byId = (id) => document.getElementById(id);
const LONGEST_LINK = 8000; // characters; longer ones are cut off here and there
const MOST_INFLATED = 4e6; // bytes
const LARGEST = 8e6; // bytes that the server takes

/** Lets the browser save a text as a file. */
export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export class Files {
  constructor(formats, { store, wire, results, picker, terms, say, opened, played }) {
    Object.assign(this, { formats, store, wire, results, picker, terms, say, opened, played, map: null });
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.#chosen());
    this.#dropping();
    document.addEventListener("paste", (event) => this.#pasted(event));
    globalThis.addEventListener("hashchange", () => this.openLink());
    this.#saveMenu();
  }

  // Opening

  async #chosen() {
    const files = [...byId("file").files];
    byId("file").value = "";
    await this.open(files);
  }

  #dropping() {
    let inside = 0;
    const over = (by) => {
      inside = Math.max(0, inside + by);
      byId("drop").hidden = inside === 0;
    };
    const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
    document.addEventListener("dragenter", (event) => hasFiles(event) && over(1));
    document.addEventListener("dragleave", (event) => hasFiles(event) && over(-1));
    document.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    document.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside = 0;
      over(0);
      this.open([...event.dataTransfer.files]);
    });
  }

  /** Opens files that the user gave; a scenario also goes with the map that was opened before it. */
  async open(files) {
    if (!files.length) return;
    if (files.reduce((sum, { size }) => sum + size, 0) > LARGEST) {
      this.say("This is too large: the studio opens files of up to 8 MB.", true);
      return;
    }
    const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
    await this.#read(texts);
  }

  async #read(texts) {
    const { map, scen } = this.formats.suffixes;
    const endsIn = (suffixes) => (file) => suffixes.some((suffix) => file.name.toLowerCase().endsWith(suffix));
    const [isMap, isScenario] = [endsIn(map), endsIn(scen)];
    if (texts.length === 1 && isScenario(texts[0]) && this.map) texts = [this.map, ...texts];
    const scenario = texts.find(isScenario);
    const agents = scenario ? { agents: Math.min(this.terms().agents, entriesOf(scenario.text)) } : {};
    try {
      const answer = await post("/api/read", { files: texts, ...agents });
      this.map = texts.find(isMap) ?? null;
      this.#show(answer, texts.at(-1).name, agents.agents);
    } catch (error) {
      this.say(error.message, true);
    }
  }

  #show(answer, name, agents) {
    this.opened(fromJson(answer.instance));
    if (answer.payload) this.played(fromBase64(answer.payload), name);
    else if (agents !== undefined) {
      const count = answer.instance.agents.length;
      this.say(
        `${name} is open: agents of the scenario up to number ${count}; the field Agents says how many at most.`,
      );
    } else this.say(`${name} is open.`);
  }

  /** What the studio was started with. */
  showGiven(answer) {
    this.#show(answer, "The file", undefined);
  }

  #pasted(event) {
    const target = event.composedPath()[0];
    if (target.matches?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const [, link] = text.match(/#(i=[\w-]+)$/) ?? [];
    if (link) this.openLink(`#${link}`);
    else if (text) this.#read([{ name: "what was pasted", text: `${text}\n` }]);
  }

  // Saving

  #saveMenu() {
    const entry = (words, act) => element("button", { type: "button", onclick: () => this.#act(act) }, words);
    byId("save-list").append(
      ...this.formats.save.map(({ what, label }) => entry(label, () => this.#write(what))),
      entry("Python that solves it", () => this.#write("python", this.#firstRun())),
      entry("Plan of the run shown", () => this.#plan()),
      entry("Copy a link to this map", () => this.#copyLink()),
    );
    document.addEventListener("pointerdown", ({ target }) => {
      if (!byId("save-menu").contains(target)) byId("save-menu").open = false;
    });
  }

  async #act(act) {
    byId("save-menu").open = false;
    try {
      await act();
    } catch (error) {
      this.say(error.message, true);
    }
  }

  #firstRun() {
    const { seed, seconds } = this.terms();
    const [run] = this.picker.runs;
    return { ...(run ?? {}), seed, seconds };
  }

  async #write(what, more = {}) {
    const { name, text } = await post("/api/write", { instance: toJson(this.store.instance), what, ...more });
    download(name, text);
  }

  async #plan() {
    const { player } = this.results;
    const run = player && this.results.runOf(player.active);
    if (!run) throw new Error("There is no plan of a solver to save.");
    const { plan } = await this.wire.ask({ do: "plan", run: this.results.keyOf(run) }, "plan").answered;
    download("plan.json", plan, "application/json");
  }

  // Links

  async #copyLink() {
    const hash = await linkOf(this.store.instance);
    if (hash.length > LONGEST_LINK) throw new Error("This map is too large for a link: save it as a file instead.");
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The link is in the clipboard, and in the address of this page.");
    } catch {
      this.say("The link is in the address of this page.");
    }
  }

  /** Shows the instance of a link; says whether there was one. */
  async openLink(hash = location.hash) {
    if (!hash.startsWith("#i=")) return false;
    try {
      this.opened(await fromLink(hash));
      return true;
    } catch (error) {
      this.say(`The link cannot be opened: ${error.message}.`, true);
      return false;
    }
  }
}

/** How many agents a scenario has: its lines but the first, which is its version. */
function entriesOf(text) {
  return text.split("\n").filter((line) => line.trim()).length - 1;
}

/** `#i=` and the deflated JSON of an instance in the letters of base64url. */
export async function linkOf(instance) {
  const stream = new Blob([JSON.stringify(toJson(instance))])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return `#i=${bytesToBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export async function fromLink(hash) {
  const text = hash.slice(3).replaceAll("-", "+").replaceAll("_", "/");
  let json;
  try {
    json = JSON.parse(await inflated(fromBase64(text)));
  } catch {
    throw new Error("it is damaged or cut off");
  }
  return fromJson(json);
}

/** The text of deflated bytes, as long as it does not become gigantic. */
async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).text();
    size += value.length;
    if (size > MOST_INFLATED) throw new Error("it is too large");
    chunks.push(value);
  }
}
