/** The way to the server: requests over HTTP, and one socket for everything that takes time. */

/** The JSON answer to a GET, or null if there is none; throws an Error with the server's sentence. */
export async function get(path) {
  return answerOf(await fetch(path));
}

/** The JSON answer to a POST. */
export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return answerOf(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answerOf(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(sentenceOf(text));
}

function sentenceOf(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return text; // the guard says its sentence without JSON
  }
}

/**
 * One socket, opened when it is first needed and again when it was lost.
 *
 * `begin(message, hear)` starts a job; `hear` is called with every message about it (an object; with `bytes`
 * and `index` for what the player shows) and for the last time with one that has `done`.
 */
export class Wire {
  #socket = null;
  #jobs = new Map();
  #next = 1;

  /** `page` is the name under which the server keeps what came of solves, while the page is loaded again. */
  constructor(page) {
    this.page = page;
  }

  begin(message, hear) {
    const id = this.#next++;
    this.#jobs.set(id, hear);
    this.#send({ ...message, id });
    return id;
  }

  /** What was said of a solve of this page before it was loaded again. */
  again(id, hear) {
    this.#next = Math.max(this.#next, id + 1);
    this.#jobs.set(id, hear);
    this.#send({ do: "again", id });
  }

  /** A further message about a job. */
  tell(id, message) {
    if (this.#jobs.has(id)) this.#send({ ...message, id });
  }

  cancel(id) {
    this.tell(id, { do: "cancel" });
  }

  /** The answer to a question: the first message that has this key, and the payload that may follow it. */
  ask(message, key) {
    let answer = null;
    let id;
    const answered = new Promise((resolve, reject) => {
      id = this.begin(message, (heard) => {
        if (key in heard) answer = { ...heard, bytes: null };
        else if (heard.bytes && answer) answer.bytes = heard.bytes;
        if (!heard.done) return;
        if (answer) resolve(answer);
        else reject(new Error(heard.cancelled ? "it was cancelled" : (heard.error ?? "there is no answer")));
      });
    });
    return { id, answered };
  }

  #send(message) {
    const text = JSON.stringify(message);
    if (!this.#socket || this.#socket.readyState > WebSocket.OPEN) this.#open();
    const socket = this.#socket;
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else socket.addEventListener("open", () => socket.send(text), { once: true });
  }

  #open() {
    const socket = new WebSocket(`ws://${location.host}/socket?page=${this.page}`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => this.#heard(data));
    socket.addEventListener("close", () => this.#lost(socket));
    this.#socket = socket;
  }

  #heard(data) {
    const message = typeof data === "string" ? JSON.parse(data) : unpacked(data);
    this.#jobs.get(message.id)?.(message);
    if (message.done) this.#jobs.delete(message.id);
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    const error = "the studio does not answer: is it still running?";
    for (const hear of jobs) hear({ error, done: true, lost: true });
  }
}

function unpacked(buffer) {
  const head = new DataView(buffer);
  return { id: head.getUint32(0, true), index: head.getUint32(4, true), bytes: new Uint8Array(buffer, 8) };
}
