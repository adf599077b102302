/** Forms from what the server says about solvers and generators: one field per parameter. */

import { element, RULE_LABELS } from "./player.js";

const WHOLE = { min: "0", step: "1", inputmode: "numeric" };

/** A field for a parameter: `{root, value, set}`; an empty optional number is null. */
export function field(parameter, changed = () => {}) {
  const { name, kind, default: usual, choices = [], label, help } = parameter;
  const words = label ?? spoken(name);
  if (kind === "bool") return checkbox(words, usual, changed, help);
  if (kind === "choice") return select(words, choices, usual, changed, help);
  return number(words, { ...parameter, choices }, changed);
}

function spoken(name) {
  const words = name.replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}

function checkbox(words, usual, changed, help) {
  const input = element("input", { type: "checkbox", onchange: () => changed() });
  input.checked = usual;
  return {
    root: element("label", { class: "check", ...(help ? { title: help } : {}) }, input, element("span", {}, words)),
    get value() {
      return input.checked;
    },
    set(value) {
      input.checked = value;
    },
  };
}

function select(words, choices, usual, changed, help) {
  const input = element("select", { onchange: () => changed() });
  input.append(...choices.map((choice) => option(choice)));
  input.value = valueOf(usual);
  const values = choices.map((choice) => (Array.isArray(choice) ? choice[0] : choice));
  return {
    root: labelled(words, input, help),
    get value() {
      return values[input.selectedIndex];
    },
    set(value) {
      input.value = valueOf(value);
    },
  };
}

/** A choice is a value, or a pair of a value and its words. */
function option(choice) {
  const [value, words] = Array.isArray(choice) ? choice : [choice, choice];
  return element("option", { value: valueOf(value) }, String(words));
}

function valueOf(value) {
  return JSON.stringify(value);
}

/** A number; some take words, too (`auto`), and optional ones may be empty. */
function number(words, { kind, default: usual, choices, least = null, most = null, help }, changed) {
  const isWhole = kind.endsWith("int");
  const takesWords = choices.length > 0;
  const limits = { ...(least === null ? {} : { min: least }), ...(most === null ? {} : { max: most }) };
  const kindOf = takesWords
    ? { type: "text", inputmode: "text" }
    : { type: "number", ...(isWhole ? WHOLE : { step: "any" }), ...limits };
  const input = element("input", { ...kindOf, oninput: () => changed() });
  if (takesWords) input.placeholder = `number or ${choices.join(", ")}`;
  if (kind.startsWith("optional")) input.placeholder = "as usual";
  input.value = usual ?? "";
  return {
    root: labelled(words, input, help),
    input,
    get value() {
      const text = input.value.trim();
      if (text === "" || choices.includes(text)) return text === "" ? null : text;
      return Number(text);
    },
    set(value) {
      input.value = value ?? "";
    },
  };
}

function labelled(words, input, help) {
  return element("label", { class: "field", ...(help ? { title: help } : {}) }, element("span", {}, words), input);
}

const AS_PRINTED = "The parameters that make it the algorithm of its paper";

/**
 * The fields of a list of parameters; `values` has only those that are not as usual. Where `printed` has values, there
 * is a switch that sets them, and back.
 */
export class Form {
  constructor(parameters, changed = () => {}, printed = {}) {
    Object.assign(this, { parameters, printed });
    this.fields = parameters.map((parameter) => field(parameter, () => this.#changed(changed)));
    this.root = element("div", { class: "fields" }, ...this.fields.map(({ root }) => root));
    this.switch = checkbox("As printed", false, () => this.#print(changed), AS_PRINTED);
    if (Object.keys(printed).length) this.root.prepend(this.switch.root);
  }

  get isPrinted() {
    return this.parameters.every(
      ({ name }, index) => !(name in this.printed) || this.fields[index].value === this.printed[name],
    );
  }

  #changed(changed) {
    this.switch.set(this.isPrinted);
    changed();
  }

  #print(changed) {
    const usual = this.parameters.map(({ name, default: value }) => [name, value]);
    const back = Object.fromEntries(usual.filter(([name]) => name in this.printed));
    this.set(this.switch.value ? this.printed : back);
    changed();
  }

  get values() {
    const given = {};
    this.parameters.forEach(({ name, kind, default: usual }, index) => {
      const { value } = this.fields[index];
      const isEmpty = value === null && !kind.startsWith("optional");
      if (value !== usual && !isEmpty) given[name] = value;
    });
    return given;
  }

  set(values) {
    this.parameters.forEach(({ name }, index) => {
      if (name in values) this.fields[index].set(values[name]);
    });
    this.switch.set(this.isPrinted);
  }
}

/** A solver with its parameters, as a run to be made. */
class Choice {
  constructor(solver, picker) {
    Object.assign(this, { solver, picker });
    this.form = new Form(solver.parameters, () => this.#changed(), solver.printed);
    this.title = element("span", { class: "grow" });
    this.warning = element("p", { class: "warn", role: "status", hidden: true });
    const twice = element(
      "button",
      { type: "button", onclick: () => picker.add(solver, this.form.values, true) },
      "Once more",
    );
    twice.title = "The same solver again, to compare it with other parameters";
    const away = element("button", { type: "button", onclick: () => picker.remove(this) }, "Remove");
    this.root = element(
      "details",
      { class: "choice" },
      element("summary", {}, this.title),
      element("p", { class: "quiet" }, `${solver.summary}.`),
      this.form.root,
      this.warning,
      element("div", { class: "row" }, twice, away),
    );
    this.#changed();
  }

  set(values) {
    this.form.set(values);
    this.#changed();
  }

  get run() {
    return { solver: this.solver.name, params: this.form.values };
  }

  #changed() {
    this.title.textContent = labelOf(this.run);
    this.warn();
  }

  /** As printed, the rules should be those of the paper: says where they are not. */
  warn() {
    const { paper, printed } = this.solver;
    const isAsked = Object.keys(printed).length > 0 && this.form.isPrinted;
    const differing = isAsked ? otherRules(paper.rules, this.picker.rules()) : [];
    this.warning.hidden = differing.length === 0;
    this.warning.textContent = `The rules are not those of ${paper?.name}, which has ${differing.join(" and ")}.`;
  }
}

/** The rules of a paper that differ from those of the problem, in words. */
function otherRules(printed, rules) {
  const words = (value) => (value === true ? "yes" : value === false ? "no" : String(value).replaceAll("_", " "));
  const differing = Object.entries(printed).filter(([name, value]) => rules[name] !== value);
  return differing.map(([name, value]) => `“${RULE_LABELS[name]}: ${words(value)}”`);
}

/** A run in words: the solver, and what is not as usual about it. */
export function labelOf({ solver, params }) {
  return [solver, ...Object.entries(params).map(([name, value]) => `${name}=${value}`)].join(" ");
}

export const MOST_RUNS = 6; // that can be shown side by side

/** The solvers that are to solve: those chosen with their parameters, and all to choose from. */
export class Picker {
  constructor(solvers, chosenBox, allBox, { changed, rules }) {
    Object.assign(this, { solvers, chosenBox, changed, rules, choices: [] });
    this.buttons = new Map(solvers.map((solver) => [solver.name, this.#button(solver)]));
    allBox.replaceChildren(...this.#groups());
  }

  /** Solvers of a kind together, under a heading and a sentence for whom they are. */
  #groups() {
    const names = [...new Set(this.solvers.map(({ group }) => group.name))];
    return names.map((name) => {
      const members = this.solvers.filter(({ group }) => group.name === name);
      const items = members.map((solver) => element("li", {}, this.buttons.get(solver.name)));
      const words = [element("h3", {}, name), element("p", { class: "quiet" }, `${members[0].group.whom}.`)];
      return element("section", {}, ...words, element("ul", { "aria-label": name }, ...items));
    });
  }

  #button(solver) {
    const marks = [solver.optimal && "optimal", solver.dialogues && "dialogue", solver.online && "online"];
    const button = element(
      "button",
      { type: "button", class: "solver", "aria-pressed": "false", onclick: () => this.toggle(solver) },
      element("strong", {}, solver.name),
      ...marks.filter(Boolean).map((mark) => element("span", { class: `mark ${mark}` }, mark)),
      element("span", { class: "summary" }, solver.summary),
    );
    return button;
  }

  named(name) {
    return this.solvers.find((solver) => solver.name === name);
  }

  /** Chooses these runs instead; solvers that there are not any more are left out. */
  take(runs) {
    for (const choice of [...this.choices]) this.remove(choice);
    for (const { solver, params } of runs) if (this.named(solver)) this.add(this.named(solver), params);
  }

  toggle(solver) {
    const chosen = this.choices.filter((choice) => choice.solver === solver);
    if (chosen.length) chosen.forEach((choice) => this.remove(choice));
    else this.add(solver);
  }

  add(solver, values = {}, isOpen = false) {
    if (this.choices.length >= MOST_RUNS) return;
    const choice = new Choice(solver, this);
    choice.set(values);
    this.choices.push(choice);
    this.chosenBox.append(choice.root);
    this.#update();
    choice.root.open = isOpen;
  }

  remove(choice) {
    this.choices = this.choices.filter((other) => other !== choice);
    choice.root.remove();
    this.#update();
  }

  /** The rules of the problem may have changed. */
  warn() {
    for (const choice of this.choices) choice.warn();
  }

  get runs() {
    return this.choices.map(({ run }) => run);
  }

  #update() {
    const full = this.choices.length >= MOST_RUNS;
    for (const [name, button] of this.buttons) {
      const chosen = this.choices.some(({ solver }) => solver.name === name);
      button.setAttribute("aria-pressed", String(chosen));
      button.disabled = full && !chosen;
    }
    this.changed();
  }
}
