"""A small real-time battle: three hundred units, orders, deaths, gates that close, and a hero who retreats.

python examples/rts.py             without a window; writes rts.html, a page that plays it
python examples/rts.py --window    plays it in a window (needs pygame): a click sends the blue army there
python examples/rts.py --save battle.save    saves half-way, loads that file and fights on from there
"""

import argparse
import hashlib
import random
import time
from collections import Counter
from pathlib import Path
from statistics import median

import numpy as np

import sidestep as ss
from sidestep.io import read_save, write_save

ROWS, COLS = 72, 120
ARMIES = ("blue", "red", "green")
BASES = {"blue": (36, 10), "red": (36, 109), "green": (8, 60)}
GATES = [
    (row, col) for col in (40, 80) for row in (12, 36, 60)
]  # the first cell of four, one above the other
HERO = "hero"

# At 60 turns per second a turn has 16 ms for everything. A budget in nodes, not in seconds, makes the same
# battle of the same seed on every machine.
TURNS_PER_SECOND, NODES = 60, 3_000


def battlefield(draw: random.Random) -> ss.Grid:
    """Rocks, two walls with three gates each, and open ground around the bases."""
    passable = np.array([[draw.random() > 0.05 for _ in range(COLS)] for _ in range(ROWS)])
    for row, col in BASES.values():
        passable[row - 8 : row + 8, max(col - 8, 0) : col + 8] = True
    passable[:, [40, 80]] = False
    for row, col in GATES:
        passable[row : row + 4, col - 1 : col + 2] = True
    return ss.Grid(passable, connectivity=8)


class Battle:
    """The rules of the game: who is sent where, who falls, which gates close. Moving is the world's part."""

    def __init__(self, units: int, seed: int) -> None:
        self.draw = random.Random(seed)
        field = battlefield(self.draw)
        agents = [agent for army in ARMIES for agent in self.recruits(field, army, units // len(ARMIES))]
        agents[0] = ss.Agent(agents[0].start, name=HERO, priority=10)
        self.world = ss.World(ss.Problem.from_agents(field, agents), ss.WHCA(window=8), seed=seed)
        self.army = dict(enumerate(army for army in ARMIES for _ in range(units // len(ARMIES))))
        self.closed: list[tuple[int, int]] = []
        self.fallen: list[str] = []  # the armies that have lost a unit and wait for another
        self.retreats_until = 0
        self.did: Counter[str] = Counter()

    def recruits(self, field: ss.Grid, army: str, count: int) -> list[ss.Agent]:
        """A block of units around a base."""
        row, col = BASES[army]
        cells = np.argwhere(field.passable)
        nearest = np.argsort(np.abs(cells - (row, col)).max(axis=1), kind="stable")[:count]
        return [ss.Agent((int(r), int(c))) for r, c in cells[nearest]]

    # One turn

    def turn(self) -> None:
        """What happens between two frames."""
        now = self.world.time
        if now % 40 == 0:
            army = ARMIES[now // 40 % len(ARMIES)]
            self.order(army, (self.draw.randrange(ROWS), self.draw.randrange(COLS)))
        if now % 50 == 25:
            self.move_gates()
        if now % 5 == 0:
            self.fight()
        self.reinforce()
        self.look_after_hero()
        self.world.step(nodes=NODES)

    def order(self, army: str, place: tuple[int, int]) -> None:
        """An army goes to the open cell that is nearest to where the player has clicked."""
        units = [unit for unit, its in self.army.items() if its == army and not self.is_retreating(unit)]
        world = self.world
        open_cells = [cell for cell in self.around(place) if world.is_open(cell)]
        try:
            ss.move_group(world, units, open_cells[0], detours=0.5, seed=world.time)
        except ss.InputError:  # no way there, for now: a gate is closed, or it is walled in
            self.did["orders refused"] += 1
            return
        self.did["orders"] += 1

    def around(self, place: tuple[int, int]) -> list[tuple[int, int]]:
        """The cells near a place, nearest first."""
        near = [(place[0] + r, place[1] + c) for r in range(-6, 7) for c in range(-6, 7)]
        near.sort(key=lambda cell: max(abs(cell[0] - place[0]), abs(cell[1] - place[1])))
        return [(row, col) for row, col in near if 0 <= row < ROWS and 0 <= col < COLS]

    def move_gates(self) -> None:
        """Opens what is closed and closes another gate; who stands in it has to leave."""
        for cell in self.closed:
            self.world.free(cell)
        row, col = self.draw.choice(GATES)
        self.closed = [(row + k, col) for k in range(4)]
        for cell in self.closed:
            self.world.block(cell)
        self.did["gates closed"] += 1

    def fight(self) -> None:
        """Of two enemies side by side one may fall. The hero never does."""
        for unit, enemy in self.pairs_of_enemies():
            loser = self.draw.choice((unit, enemy))
            if loser in self.army and self.world.names[loser] != HERO and self.draw.random() < 0.15:
                self.world.remove(loser)
                self.fallen.append(self.army.pop(loser))
                self.did["units fallen"] += 1

    def pairs_of_enemies(self) -> list[tuple[int, int]]:
        """Units of different armies side by side."""
        positions = self.world.positions
        at = {int(positions[unit]): unit for unit in self.army}
        beside = (1, COLS - 1, COLS, COLS + 1)  # rows do not wrap: the border of the map is not fought over
        pairs = [(unit, at[v + step]) for v, unit in at.items() for step in beside if v + step in at]
        return [(unit, other) for unit, other in pairs if self.army[unit] != self.army[other]]

    def reinforce(self) -> None:
        """For one of the fallen another unit appears at its base, if there is room."""
        if not self.fallen:
            return
        taken = set(self.world.positions.tolist())
        for row, col in self.around(BASES[self.fallen[0]]):
            if self.world.is_open((row, col)) and row * COLS + col not in taken:
                self.army[self.world.add(ss.Agent((row, col)))] = self.fallen.pop(0)
                self.did["reinforcements"] += 1
                return

    # The hero

    def is_retreating(self, unit: int) -> bool:
        return self.world.names[unit] == HERO and self.world.time < self.retreats_until

    def look_after_hero(self) -> None:
        """With an enemy close by the hero goes home, before all others, and stays there for a while."""
        hero = self.world.names.index(HERO)
        if self.is_retreating(hero) or self.enemies_near(hero) == 0:
            return
        self.retreats_until = self.world.time + 4 * TURNS_PER_SECOND
        ss.move_group(self.world, [hero], BASES["blue"], own_steps=1000)  # on its own way all along
        self.did["retreats of the hero"] += 1

    def enemies_near(self, hero: int, cells: int = 6) -> int:
        enemies = [unit for unit, army in self.army.items() if army != self.army[hero]]
        rows, cols = np.divmod(self.world.positions[enemies], COLS)
        row, col = self.world.where(hero)
        return int(((np.abs(rows - row) <= cells) & (np.abs(cols - col) <= cells)).sum())


def play(battle: Battle, turns: int) -> list[float]:
    """Plays some turns; returns the CPU time of each in milliseconds."""
    spent = []
    for _ in range(turns):
        begin = time.process_time()
        battle.turn()
        spent.append((time.process_time() - begin) * 1000)
    return spent


def play_with_a_break(battle: Battle, turns: int, file: Path) -> tuple[Battle, list[float]]:
    """Plays half of the turns, saves, and plays on with what was loaded: the battle is the same."""
    spent = play(battle, turns // 2)
    write_save(battle, file)
    loaded: Battle = read_save(file)
    print(f"saved and loaded at time {loaded.world.time}: {file.stat().st_size / 1024:.0f} KB")
    return loaded, spent + play(loaded, turns - turns // 2)


def report(battle: Battle, spent: list[float], page: Path) -> None:
    """What happened, how long turns took, whether anybody collided; and the page that plays it."""
    trace = battle.world.trace
    digest = hashlib.sha256(trace.positions.tobytes() + trace.events.tobytes()).hexdigest()
    print(", ".join(f"{count} {what}" for what, count in sorted(battle.did.items())))
    frame = 1000 / TURNS_PER_SECOND
    late = sum(time > frame for time in spent[1:])
    worst = max(spent[1:], default=0.0)
    print(f"CPU time of a turn: median {median(spent):.1f} ms, worst after the first {worst:.1f} ms")
    print(f"turns over {frame:.1f} ms after the first: {late} of {len(spent) - 1}")
    print(f"the judge: {ss.validate_trace(trace)}")
    print(f"the battle of this seed: {digest[:16]}")
    ss.replay(trace, title="A battle").save(page)
    print(f"open {page} in a browser to watch it")


def play_in_window(battle: Battle, turns: int) -> list[float]:
    """The same in a window, as fast as the game would run."""
    try:
        import pygame  # noqa: PLC0415
    except ImportError:
        raise SystemExit("a window needs pygame: pip install pygame") from None
    pygame.init()
    scale, clock, spent = 10, pygame.time.Clock(), []
    screen = pygame.display.set_mode((COLS * scale, ROWS * scale))
    for _ in range(turns):
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return spent
            if event.type == pygame.MOUSEBUTTONDOWN:
                battle.order("blue", (event.pos[1] // scale, event.pos[0] // scale))
        spent += play(battle, 1)
        screen.fill("white")
        for row, col in np.argwhere(
            [[not battle.world.is_open((r, c)) for c in range(COLS)] for r in range(ROWS)]
        ):
            pygame.draw.rect(screen, "dimgray", (col * scale, row * scale, scale, scale))
        for unit, army in battle.army.items():
            row, col = battle.world.where(unit)
            size = scale if battle.world.names[unit] == HERO else scale * 0.7
            pygame.draw.circle(screen, army, ((col + 0.5) * scale, (row + 0.5) * scale), size / 2)
        pygame.display.flip()
        clock.tick(TURNS_PER_SECOND)
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--units", type=int, default=300)
    parser.add_argument("--turns", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("rts.html"))
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    if not 3 <= options.units <= 600 or options.turns < 1:
        parser.error("a battle has from 3 to 600 units and at least one turn")
    battle = Battle(options.units, options.seed)
    if options.save:
        battle, spent = play_with_a_break(battle, options.turns, options.save)
    else:
        spent = (play_in_window if options.window else play)(battle, options.turns)
    report(battle, spent, options.output)


if __name__ == "__main__":
    main()
