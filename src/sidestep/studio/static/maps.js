/** Beside the map that is drawn: the maps of generators, its size, and the rules. */

import { Form, field } from "./forms.js";
import { fromJson, resized } from "./instance.js";
import { CORNERS, element, RULE_CHOICES, RULE_LABELS, RULE_QUESTIONS, RULES } from "./player.js";
import { post } from "./socket.js";

const byId = (id) => document.getElementById(id);

/** The form that makes maps. `made` is called with the instance. */
export class Generators {
  constructor(generators, { store, say, made, busy }) {
    Object.assign(this, { generators, store, say, made, busy });
    this.select = element("select", { onchange: () => this.#choose() });
    this.select.append(...generators.map(({ name }) => element("option", { value: name }, name)));
    this.agents = field({ name: "agents", kind: "int", default: 20 });
    this.seed = field({ name: "seed", kind: "int", default: 0 });
    this.box = element("div", { class: "fields" });
    this.about = element("p", { class: "quiet" });
    this.another = element("button", { type: "button", onclick: () => this.#another() }, "Another");
    this.another.title = "The same with the next seed";
    const kind = element("label", { class: "field" }, element("span", {}, "Kind"), this.select);
    byId("generator").append(
      element("div", { class: "fields" }, kind, this.agents.root),
      this.about,
      this.box,
      element("div", { class: "row" }, element("button", { type: "submit" }, "Generate"), this.another),
    );
    byId("generator").addEventListener("submit", (event) => {
      event.preventDefault();
      this.generate();
    });
    this.#choose();
  }

  #choose() {
    const { parameters, summary } = this.generators[this.select.selectedIndex];
    this.form = new Form(parameters);
    this.about.textContent = `${summary}.`;
    this.box.replaceChildren(...this.form.root.childNodes, this.seed.root);
  }

  #another() {
    this.seed.set((this.seed.value ?? 0) + 1);
    this.generate();
  }

  async generate() {
    const { connectivity, corners, rules } = this.store.instance;
    const asked = { generator: this.select.value, params: this.form.values, connectivity, corners, rules };
    this.busy(true);
    try {
      const terms = { agents: this.agents.value ?? 0, seed: this.seed.value ?? 0 };
      const answer = await post("/api/generate", { ...asked, ...terms });
      this.made(fromJson(answer.instance));
    } catch (error) {
      this.say(error.message, true);
    } finally {
      this.busy(false);
    }
  }
}

const SHAPES = [
  {
    name: "connectivity",
    label: "Moves",
    kind: "choice",
    default: 4,
    choices: [
      [4, "4 directions"],
      [8, "8 directions"],
    ],
  },
  {
    name: "corners",
    label: "Diagonals pass corners",
    kind: "choice",
    default: CORNERS[0],
    choices: CORNERS.map((name) => [name, { none: "no corner", one: "one corner", free: "any" }[name]]),
  },
];
const RULE_FIELDS = Object.entries(RULES).map(([name, value]) => ({
  name,
  label: RULE_LABELS[name],
  help: RULE_QUESTIONS[name],
  default: value,
  kind: RULE_CHOICES[name] ? "choice" : "bool",
  choices: RULE_CHOICES[name]?.map((choice) => [choice, choice.replaceAll("_", " ")]),
}));

/** The size of the map and the rules of the game. */
export class Settings {
  constructor(store) {
    this.store = store;
    this.size = ["height", "width"].map((name) => field({ name, kind: "int", default: 0 }));
    const resize = element("button", { type: "button", onclick: () => this.#resize() }, "Resize");
    byId("size").append(...this.size.map(({ root }) => root), resize);
    this.shapes = SHAPES.map((entry) => field(entry, () => this.#apply()));
    this.rules = RULE_FIELDS.map((entry) => field(entry, () => this.#apply()));
    byId("rules").append(...[...this.shapes, ...this.rules].map(({ root }) => root));
    store.listen((isDone) => isDone && this.#show());
    this.#show();
  }

  #show() {
    const { instance } = this.store;
    this.size[0].set(instance.height);
    this.size[1].set(instance.width);
    SHAPES.forEach(({ name }, index) => this.shapes[index].set(instance[name]));
    RULE_FIELDS.forEach(({ name }, index) => this.rules[index].set(instance.rules[name]));
  }

  #apply() {
    this.store.change((instance) => {
      SHAPES.forEach(({ name }, index) => (instance[name] = this.shapes[index].value));
      RULE_FIELDS.forEach(({ name }, index) => (instance.rules[name] = this.rules[index].value));
    });
  }

  #resize() {
    const [height, width] = this.size.map(({ value }) => Math.trunc(value));
    if (height > 0 && width > 0 && height * width <= 1e6)
      this.store.replace(resized(this.store.instance, height, width));
    else this.#show();
  }
}
