"""The part of a world that has work to give: tasks come in, agents take them, and somebody counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from ..budget import Budget
from ..model.agents import agent_index
from ..model.arrays import listed, whole_number
from ..model.errors import InputError
from ..model.task import Task
from .asking import Asking
from .assignment import WAYS, Assignment
from .checks import fitting_vertex
from .one_thread import one_thread
from .tasks import Active, TaskMetrics, Tasks, TaskSource
from .uninterrupted import Uninterrupted

_AT_ONCE = 100  # tasks that come in before Ctrl-C is heard again

assert set(WAYS) == set(get_args(Assignment))


class Working(Asking):
    """Tasks of a world: see `World`."""

    _tasks: Tasks

    def _begin_work(
        self, tasks: TaskSource | Iterable[Task] | None, assign: Assignment, active: Active
    ) -> None:
        if not isinstance(assign, str) or assign not in WAYS:
            raise InputError(f"assign must be one of {', '.join(WAYS)}, not {assign!r}")
        active = active if isinstance(active, str) else whole_number(active, "active")
        if active not in ("all", "auto") if isinstance(active, str) else active < 1:
            raise InputError(f"active must be 'all', 'auto' or a number of agents from 1 on, not {active!r}")
        is_source = _is_source(tasks)
        given = [] if tasks is None or is_source else listed(tasks, "tasks must be a Stream or Tasks")
        self._tasks = Tasks(self.space, self._problem.rules.shared_goals, assign, active=active)
        self._tasks.recover(self._core)
        if tasks is not None:
            self._require_workers()
        if is_source:
            self._tasks.source = tasks  # type: ignore[assignment]
        else:
            for task in given:
                self.submit(task)

    @property
    @one_thread
    def tasks(self) -> TaskMetrics:
        """What became of the tasks so far: how many were finished, how fast, and how many wait."""
        return self._tasks.metrics(self._core.time)

    @property
    @one_thread
    def unfinished_tasks(self) -> dict[int, tuple[int, ...]]:
        """The vertices of all errands of each task that is open or under way, by the task's number."""
        unfinished = {
            state.number: state for state in (*self._tasks.open.values(), *self._tasks.held.values())
        }
        return {number: unfinished[number].places for number in sorted(unfinished)}

    @one_thread
    def submit(self, task: Task) -> int:
        """Brings in a task. In the next turn from its release on, a free agent may take it.

        An agent is free when it has no task, and no goal or is on it. Agents larger than one cell are only
        sent by hand.

        Args:
            task: The task.

        Returns:
            Its number, by which events name it.

        Raises:
            InputError: It is no task, or one of its places or agents is not there; or agents of this world
                disappear at their goals.
        """
        if not isinstance(task, Task):
            raise InputError(f"submit takes a Task, not {task!r}")
        self._require_workers()
        places = [fitting_vertex(self.space, place, 1) for place in task.errands]
        agents = None if task.agents is None else [agent_index(agent, self._names) for agent in task.agents]
        whole_number(self._tasks.count + 1, "the number of a task")
        with Uninterrupted():
            return self._tasks.add(self._core, task, places, agents)

    @one_thread
    def supply(self, source: TaskSource | None) -> None:
        """From now on, tasks come from this source, and no longer from the one before. Those that came stay.

        Args:
            source: A `Stream`, which begins with its first task; None is no more than what is submitted.

        Raises:
            InputError: It is no source of tasks, or agents of this world disappear at their goals.
        """
        if source is not None:
            if not _is_source(source):
                raise InputError(f"supply takes a Stream or None, not {source!r}; submit takes a Task")
            self._require_workers()
        with Uninterrupted():
            self._tasks.source, self._tasks.drawn = source, 0

    @one_thread
    def task_of(self, agent: int | str) -> int | None:
        """Looks up what an agent is at work on.

        Args:
            agent: Its index or its name.

        Returns:
            The number of its task; None if it has none.

        Raises:
            InputError: There is no such agent.
        """
        state = self._tasks.held.get(agent_index(agent, self._names))
        return None if state is None else state.number

    def _require_workers(self) -> None:
        if self._problem.rules.at_goal != "stay":
            raise InputError("agents that disappear cannot take tasks: they need Rules(at_goal='stay')")

    def _hand_out(self, budget: Budget) -> None:
        """Before a turn: tasks come in, and free agents take some, in at most half of the time."""
        tasks, core = self._tasks, self._core
        if tasks.source is not None:
            agents = len(core.present)
            unfinished = len(tasks.open) + len(tasks.held)
            released = tasks.source.released(core.time, tasks.drawn, unfinished=unfinished, agents=agents)
            coming = listed(released, "a source of tasks releases a sequence of them")
            for first in range(0, len(coming), _AT_ONCE):
                with Uninterrupted():
                    for task in coming[first : first + _AT_ONCE]:
                        tasks.drawn += 1
                        self.submit(task)
        if not tasks.any_to_dispatch:
            return
        seconds = budget.seconds
        tasks.dispatch(core, Budget(None if seconds is None else max(seconds - budget.elapsed, 0.0) / 2))


def _is_source(tasks: object) -> bool:
    return hasattr(tasks, "released") and hasattr(tasks, "is_over")
