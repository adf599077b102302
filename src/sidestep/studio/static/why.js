/** Why an agent does what it does, what would have been, and what the agents said to each other. */

import { element } from "./player.js";

const SHOWN = 300; // utterances at a time
const byId = (id) => document.getElementById(id);

export class Why {
  constructor({ wire, results }) {
    Object.assign(this, { wire, results, question: null, transcripts: new Map() });
    results.listeners.push(() => this.#playerChanged());
    results.host.addEventListener("selected", ({ detail }) => this.#selected(detail));
    byId("ask-why").addEventListener("click", () => this.ask());
    byId("why-detail").addEventListener("change", () => this.question?.again());
    this.place = new Blank("why-not", (text) => this.#askNot(text));
    this.other = new Blank("why-first", (text) => this.#askFirst(text));
    results.host.addEventListener("clicked", (event) => this.#clicked(event));
    this.transcript = new Transcript(results);
    setInterval(() => this.#tick(), 250); // the player says nothing when time passes
  }

  get #stage() {
    return this.results.player?.active;
  }

  #playerChanged() {
    const { results } = this;
    const isWhatIf = results.player && !results.isPlan;
    if (!isWhatIf) this.#forget();
    byId("why-hint").textContent = results.isFile
      ? "This run comes from a file. Solve it here to ask why its agents do what they do."
      : "Click an agent in the replay to read why it does what it does at that moment.";
    this.#tick();
    if (!isWhatIf) this.#fetchTranscript();
  }

  #forget() {
    this.#drop();
    byId("answer").replaceChildren();
  }

  #drop() {
    if (this.question) this.wire.cancel(this.question.id);
    this.question = null;
  }

  /** Clicking an agent asks about it, at that moment. */
  #selected({ agent }) {
    this.#tick();
    if (agent >= 0 && this.#run && !this.results.isPointing) this.ask();
    if (this.results.player?.stages.length > 1) this.#fetchTranscript();
  }

  get #run() {
    return this.#stage ? this.results.runOf(this.#stage) : null;
  }

  #tick() {
    const { player } = this.results;
    const agent = player ? player.selected : -1;
    const can = agent >= 0 && this.#run !== null;
    byId("ask-why").disabled = this.place.disabled = this.other.disabled = !can;
    const words = can ? `${this.#stage.scene.name(agent)} at time ${this.#time}` : "";
    if (byId("why-whom").textContent !== words) byId("why-whom").textContent = words;
    if (player) this.transcript.now(this.#time);
  }

  /** The time that people see. */
  get #time() {
    return this.#stage.scene.startTime + this.#stage.row;
  }

  /** A click fills the blank in which one is about to write; every other one selects. */
  #clicked(event) {
    const { vertex, agent, stage } = event.detail;
    if (this.#run === null || stage !== this.#stage) return;
    if (this.place.isOpen && vertex >= 0) {
      event.preventDefault();
      this.place.fill(stage.scene.space.place(vertex).replace(/[()]|vertex /g, ""));
    } else if (this.other.isOpen && agent >= 0) {
      event.preventDefault();
      this.other.fill(stage.scene.name(agent));
    }
  }

  /** Why the selected agent does what it does now. */
  ask() {
    return this.#about(({ time, name }) => [
      { do: "why", time },
      `why ${name} does this at time ${time}`,
      `${name}, time ${time}`,
    ]);
  }

  /** Why it is not in a place now. */
  #askNot(text) {
    const numbers = text.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : NaN));
    if (numbers.some(Number.isNaN)) return this.#say("A place is a row and a column, such as 2, 3.");
    const place = numbers.length > 1 ? numbers : numbers[0];
    return this.#about(({ time, name, scene }) => {
      if (numbers.length === 2) this.results.player.pointAt(numbers[0] * scene.space.width + numbers[1]);
      const where = numbers.length > 1 ? `(${numbers.join(", ")})` : String(place);
      return [
        { do: "why_not", time, place },
        `why ${name} is not at ${where} at time ${time}`,
        `${name}, not at ${where} at time ${time}`,
      ];
    });
  }

  /** Why it went before another. */
  #askFirst(text) {
    const { scene } = this.#stage;
    const names = Array.from({ length: scene.agents }, (_, agent) => scene.name(agent));
    const other = names.indexOf(text.trim());
    if (other < 0) return this.#say(`There is no agent ${text.trim()}.`);
    return this.#about(({ name }) => [
      { do: "why_first", other },
      `why ${name} goes before ${names[other]}`,
      `${name} before ${names[other]}`,
    ]);
  }

  #say(text) {
    this.#drop();
    byId("answer").replaceChildren(element("p", {}, text));
  }

  /** Asks something about the selected agent: the message, what is looked for, and the title of the answer. */
  async #about(asking) {
    const { player } = this.results;
    const run = this.#run;
    if (!run || player.selected < 0) return;
    player.pause();
    this.#drop();
    const { scene } = this.#stage;
    const about = { run, agent: player.selected, time: this.#time, name: scene.name(player.selected), scene };
    const [message, wanted, title] = asking(about);
    about.title = title;
    const answer = byId("answer");
    answer.replaceChildren(element("p", { class: "quiet" }, `Looking for ${wanted} …`));
    const detail = byId("why-detail").checked;
    const key = this.results.keyOf(run);
    const question = this.wire.ask({ ...message, run: key, agent: about.agent, detail }, "why");
    question.again = () => this.#goTo(about).then(() => this.#about(asking));
    this.question = question;
    try {
      const heard = await question.answered;
      if (this.question === question) this.#show(answer, heard, about);
    } catch (error) {
      if (this.question === question) answer.replaceChildren(element("p", {}, `There is no answer: ${error.message}.`));
    }
  }

  #show(answer, { why, bytes }, about) {
    const { agent, time, name } = about;
    const goTo = () => this.#goTo(about);
    const there = element("button", { type: "button", class: "link", onclick: goTo }, about.title);
    answer.replaceChildren(element("p", {}, there), element("p", { class: "said" }, why.text));
    const { dialogue } = why.data;
    if (Number.isInteger(dialogue) && this.transcript.run === about.run) {
      const listen = () => this.transcript.only(dialogue);
      answer.append(element("button", { type: "button", onclick: listen }, `Read dialogue ${dialogue}`));
    }
    if (!bytes) return;
    const title = `If ${name} had its way at time ${time}`;
    const play = () => this.results.showWhatIf(bytes, title, { agent, time });
    answer.append(
      element("button", { type: "button", id: "play-what-if", onclick: play }, "Play what would have been"),
    );
  }

  async #goTo({ agent, time, run }) {
    const { results } = this;
    if (!results.isPlan) await results.show(results.shown);
    const stage = results.player.stages.find((one) => results.runOf(one) === run);
    results.pointAt({ agent, time, stage });
  }

  // What was said

  async #fetchTranscript() {
    const run = this.#run;
    const section = byId("transcript-section");
    const has = Boolean(run?.result?.has_transcript);
    section.hidden = !has;
    if (!has || this.transcript.run === run) return;
    Object.assign(this.transcript, { run, lines: [], total: 0, dialogue: null });
    this.transcript.say("Listening …");
    try {
      const { answered } = this.wire.ask({ do: "transcript", run: this.results.keyOf(run) }, "transcript");
      const { transcript, total } = await answered;
      if (this.transcript.run === run) this.transcript.fill(transcript, total);
    } catch (error) {
      if (this.transcript.run === run) this.transcript.say(`It cannot be read: ${error.message}.`);
    }
  }
}

/** A form of one blank, filled by hand or by a click on the map. */
class Blank {
  constructor(id, ask) {
    Object.assign(this, { form: byId(id), input: byId(id).querySelector("input"), ask, isOpen: false });
    this.button = this.form.querySelector("button");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.input.addEventListener("focus", () => (this.isOpen = true));
    this.input.addEventListener("blur", ({ relatedTarget }) => {
      this.isOpen = relatedTarget === null || relatedTarget.id === "player"; // that is where one clicks
    });
  }

  set disabled(is) {
    this.button.disabled = is;
  }

  fill(text) {
    this.input.value = text;
    this.#send();
  }

  #send() {
    this.isOpen = false;
    if (!this.button.disabled && this.input.value.trim()) this.ask(this.input.value);
  }
}

/** What the agents said, in order; each line leads to the time and the place that it is about. */
class Transcript {
  constructor(results) {
    Object.assign(this, { results, run: null, lines: [], items: [], dialogue: null, from: 0 });
    this.search = element("input", {
      type: "search",
      "aria-label": "Search in what they said",
      placeholder: "agent or word",
    });
    this.search.addEventListener("input", () => this.#find());
    this.whole = element("button", { type: "button", class: "link", onclick: () => this.only(null) }, "all dialogues");
    this.list = element("ol", { tabindex: "0", "aria-label": "What they said" });
    this.more = element("button", { type: "button", onclick: () => this.#append() }, "More");
    this.about = element("p", { class: "quiet" });
    byId("transcript").append(
      this.search,
      element("div", { class: "row" }, this.about, this.whole),
      this.list,
      this.more,
    );
  }

  say(text) {
    this.about.textContent = text;
    this.list.replaceChildren();
    this.items = [];
    this.more.hidden = this.whole.hidden = true;
  }

  fill(lines, total) {
    this.lines = lines;
    this.total = total;
    this.only(this.dialogue); // somebody may have asked for one before it was there
  }

  /** Only what was said in one dialogue; null is everything. */
  only(dialogue) {
    this.dialogue = dialogue;
    this.search.value = "";
    this.whole.hidden = dialogue === null;
    this.#find();
  }

  #find() {
    const wanted = this.search.value.trim().toLowerCase();
    const { scene } = this.results.player.active;
    this.found = this.lines
      .map((line) => ({ ...line, words: `${line.speaker >= 0 ? scene.name(line.speaker) : ""}: ${line.text}` }))
      .filter(({ words }) => words.toLowerCase().includes(wanted))
      .filter(({ dialogue }) => this.dialogue === null || dialogue === this.dialogue);
    this.about.textContent = `${this.found.length} of ${this.total} utterances`;
    this.from = 0;
    this.list.replaceChildren();
    this.items = [];
    this.marked = null;
    this.#append();
  }

  #append() {
    const next = this.found.slice(this.from, this.from + SHOWN);
    this.from += next.length;
    for (const line of next) {
      const button = this.#button(line);
      this.items.push([line, button]);
      this.list.append(element("li", {}, button));
    }
    this.more.hidden = this.from >= this.found.length;
  }

  #button(line) {
    const place = line.place ? `, at (${line.place.join(", ")})` : "";
    return element(
      "button",
      {
        type: "button",
        title: `${line.stage}, round ${line.round}${place}`,
        onclick: () => this.#goTo(line),
        "aria-pressed": "false",
      },
      element("span", { class: "time" }, String(line.time)),
      element("span", { class: "grow" }, line.words),
    );
  }

  #goTo(chosen) {
    const { time, place, speaker } = chosen;
    this.results.pointAt({ agent: speaker, time, place });
    for (const [line, button] of this.items) button.setAttribute("aria-pressed", String(line === chosen));
    this.now(time);
  }

  /** Marks what is about this time. */
  now(time) {
    if (this.marked === time) return;
    this.marked = time;
    for (const [line, button] of this.items) {
      if (line.time === time) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }
}
