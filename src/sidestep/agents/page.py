"""A page that shows, while a run goes on, who talks to whom, where everybody is and who is dead.

It is served on loopback, to every program that knows the port, and only reads.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from ..model.errors import InputError
from . import messages as m

if TYPE_CHECKING:
    from .fleet import Fleet

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Who talks to whom</title>
<style>
  body { font: 16px system-ui, sans-serif; margin: 1rem auto; max-width: 48rem }
  svg { width: 100%; height: auto }
  line { stroke: #0969da; stroke-linecap: round }
  circle { fill: #2da44e } .dead circle { fill: #999 } .home circle { fill: #bf8700 }
  text { font-size: 12px; text-anchor: middle; dominant-baseline: central; fill: #fff }
</style>
<h1>Who talks to whom</h1>
<p id="now" role="status">…</p>
<svg id="ring" viewBox="-220 -220 440 440" role="img" aria-label="Agents in a ring, lines for messages"></svg>
<p>A line is as wide as much was said since the last look.
Green: under way; yellow: on its goal; grey: dead.</p>
<script>
const svg = document.getElementById('ring'), NS = 'http://www.w3.org/2000/svg';
let before = {};
function add(parent, name, attributes, text) {
  const one = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  if (text !== undefined) one.textContent = text;
  parent.append(one);
  return one;
}
async function look() {
  const state = await (await fetch('state')).json();
  const place = (k) => {
    const angle = (2 * Math.PI * k) / state.names.length;
    return [190 * Math.sin(angle), -190 * Math.cos(angle)];
  };
  svg.replaceChildren();
  for (const [pair, count] of Object.entries(state.talks)) {
    const [one, other] = pair.split(' ').map(Number), said = count - (before[pair] || 0);
    if (!said) continue;
    const [x1, y1] = place(one), [x2, y2] = place(other);
    add(svg, 'line', { x1, y1, x2, y2, 'stroke-width': 0.5 + Math.log2(1 + said), opacity: 0.5 });
  }
  before = state.talks;
  state.names.forEach((name, k) => {
    const [x, y] = place(k), kind = state.dead.includes(k) ? 'dead' : state.home.includes(k) ? 'home' : '';
    const group = add(svg, 'g', { class: kind, transform: `translate(${x} ${y})` });
    add(group, 'circle', { r: 14 });
    add(group, 'text', {}, name);
  });
  document.getElementById('now').textContent = state.now;
  if (!state.over) setTimeout(look, 500);
}
look();
</script>
</html>
"""


def state_of(fleet: Fleet) -> dict[str, Any]:
    """What the page shows."""
    ground, names = fleet.ground, fleet.problem.names
    row = ground.rows[-1].tolist()
    talks = {f"{a} {b}": n for (a, b), n in list(fleet.recorder.talks.items()) if m.WORLD not in (a, b)}
    died = {one.agent for one in ground.deaths}
    dead = [agent for agent, one in enumerate(ground.presence) if not one.is_alive and agent in died]
    awaited = sum(one.incarnation < 0 for one in ground.presence)
    home = [agent for agent, place in enumerate(row) if place in (-1, int(ground.goals[agent]))]
    deaths = "".join(f" {names[one.agent]} died at tick {one.tick}." for one in ground.deaths[-5:])
    now = f"Tick {ground.tick}, round {ground.round}, {len(home)} of {len(names)} on their goals.{deaths}"
    if awaited and not died:
        now = f"{awaited} of {len(names)} agents have not said hello yet."
    return {"names": names, "talks": talks, "dead": dead, "home": home, "now": now, "over": ground.over}


class Page:
    """A server for the page of one fleet.

    Args:
        fleet: Whose page.
        port: Where; 0 for any free one.
    """

    def __init__(self, fleet: Fleet, port: int = 0) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # the name is the server's
                if self.path == "/state":
                    self._answer("application/json", json.dumps(state_of(fleet)))
                elif self.path == "/":
                    self._answer("text/html; charset=utf-8", PAGE)
                else:
                    self.send_error(404)

            def _answer(self, kind: str, text: str) -> None:
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Content-Security-Policy", POLICY)
                self.send_header("X-Content-Type-Options", "nosniff")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """Nobody wants to read who looked when."""

        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        except OSError as error:
            raise InputError(
                f"there can be no page at port {port} ({error.strerror}): name another, or 0 for any free one"
            ) from None
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._server.server_close()
