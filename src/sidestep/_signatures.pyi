"""What type checkers know of `solve`: a misspelt solver or parameter is an error.

Written by scripts/write_solvers.py from the list in registry.py and the parameters of the solvers.
"""

from typing import Any, Literal, TypedDict, Unpack, overload

from .budget import OnPlan, OnProgress, StopFlag
from .model.problem import Problem
from .model.result import Result
from .solvers import Solver

class AutoParameters(TypedDict, total=False):
    bound: float | None
    gain: float

class LRAParameters(TypedDict, total=False):
    noise: float
    max_turns: int | None
    moves_after_repair: bool
    agitated_when_boxed_in: bool

class CAParameters(TypedDict, total=False):
    retries: int
    hold_goals: bool
    order: Literal["given", "shortest", "longest", "random", "dependence"]

class HCAParameters(TypedDict, total=False):
    retries: int
    hold_goals: bool
    order: Literal["given", "shortest", "longest", "random", "dependence"]

class WHCAParameters(TypedDict, total=False):
    window: int | Literal["auto"]
    max_turns: int | None
    replan_every: int | None

class ODParameters(TypedDict, total=False):
    duplicates: Literal["post-move", "standard"]
    pairs: bool
    partial: bool

class SIDParameters(TypedDict, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    inner_printed: bool
    avoidance: Literal["all", "later", "none"]
    conflict: Literal["small", "first"]
    known_bounds: bool

class IDParameters(TypedDict, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    inner_printed: bool
    avoidance: Literal["all", "later", "none"]
    conflict: Literal["small", "first"]
    known_bounds: bool
    evades: Literal["smaller", "lower"]
    stay_apart: bool

class StandardIDParameters(TypedDict, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    inner_printed: bool
    avoidance: Literal["all", "later", "none"]
    conflict: Literal["small", "first"]
    known_bounds: bool
    evades: Literal["smaller", "lower"]
    stay_apart: bool

class ODIDParameters(TypedDict, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    inner_printed: bool
    avoidance: Literal["all", "later", "none"]
    conflict: Literal["small", "first"]
    known_bounds: bool
    evades: Literal["smaller", "lower"]
    stay_apart: bool

class AnytimeParameters(TypedDict, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    bound: float | None

class CBSParameters(TypedDict, total=False):
    prioritise: bool
    bypass: bool
    disjoint: bool
    heuristic: Literal["none", "cg", "dg", "wdg"]
    rectangle: bool
    corridor: bool
    target: bool
    joint_takeover: bool

class ICTSParameters(TypedDict, total=False):
    pruning: Literal["none", "simple", "enhanced"]
    independence: bool
    joint_takeover: bool

class EECBSParameters(TypedDict, total=False):
    bound: float
    prioritise: bool
    bypass: bool
    rectangle: bool
    corridor: bool
    target: bool
    weighted: bool

class PCAParameters(TypedDict, total=False):
    cache: bool
    keep_orders: bool
    end_circles: bool
    settle_circles: bool
    loop_free: bool
    planner: Any

class DPCAParameters(TypedDict, total=False):
    cache: bool
    keep_orders: bool
    end_circles: bool
    settle_circles: bool
    loop_free: bool
    planner: Any
    length_weight: float
    conflict_weight: float
    bystanders: bool
    actions: bool
    voter: Any
    schedule: Literal["one", "steps"]

class DPCAPlusParameters(TypedDict, total=False):
    cache: bool
    keep_orders: bool
    end_circles: bool
    settle_circles: bool
    loop_free: bool
    planner: Any
    length_weight: float
    conflict_weight: float
    bystanders: bool
    actions: bool
    voter: Any
    schedule: Literal["one", "steps"]
    partial_weight: float

class WDPCAParameters(TypedDict, total=False):
    window: int
    length_weight: float | None
    conflict_weight: float | None
    widen: bool
    cache: bool
    keep_orders: bool
    end_circles: bool
    stand: bool
    bystanders: bool
    actions: bool
    planner: Any
    voter: Any
    max_turns: int | None
    schedule: Literal["one", "steps"]

class DiMPPParameters(TypedDict, total=False):
    shortcuts: bool
    begin_once: bool

class ADPPParameters(TypedDict, total=False):
    scheduler: Literal["seeded", "threads"]
    threads: int
    replan: Literal["conflict", "always"]

class DMRCPParameters(TypedDict, total=False):
    max_turns: int | None

class BCPParameters(TypedDict, total=False):
    inner: Any
    bias: Literal["heuristic", "cost"]
    height: float
    iterations: int
    time_cap: float | None
    trimmed: bool
    first_collisions: bool
    path_length: int | None
    max_turns: int | None
    discard_rest: bool

class PIBTParameters(TypedDict, total=False):
    hindrance: bool
    swap: bool
    max_turns: int | None

class GuidedParameters(TypedDict, total=False):
    window: int | Literal["auto"]
    collision_cost: int | Literal["auto"]
    hindrance: bool
    swap: bool
    max_turns: int | None

class RollingParameters(TypedDict, total=False):
    horizon: int
    effort: int
    window: int | Literal["auto"]
    collision_cost: int | Literal["auto"]
    hindrance: bool
    swap: bool
    max_turns: int | None

class LaCAMParameters(TypedDict, total=False):
    anytime: bool
    hindrance: bool
    swap: bool
    bound: float | None
    guide: int | Literal["auto"]
    collision_cost: int | Literal["auto"]
    threads: int

class SIPPParameters(TypedDict, total=False):
    restarts: int
    robust: int

class LNSParameters(TypedDict, total=False):
    first: Literal["lacam", "sipp"]
    temperature: float
    patience: int
    robust: int
    lanes: int
    threads: int

@overload
def solve(
    problem: Problem,
    solver: Literal["auto"] = ...,
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[AutoParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["lra"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[LRAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["ca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[CAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["hca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[HCAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["whca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[WHCAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["standard"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["od"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[ODParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["sid"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[SIDParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["id"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[IDParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["standard-id"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[StandardIDParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["od-id"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[ODIDParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["anytime"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[AnytimeParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["cbs"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[CBSParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["icts"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[ICTSParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["eecbs"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[EECBSParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["pca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[PCAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["dpca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[DPCAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["dpca+"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[DPCAPlusParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["wdpca"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[WDPCAParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["dimpp"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[DiMPPParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["adpp"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[ADPPParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["dmrcp"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[DMRCPParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["bcp"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[BCPParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["pbs"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["pibt"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[PIBTParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["guided"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[GuidedParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["rolling"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[RollingParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["lacam"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[LaCAMParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["sipp"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[SIPPParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Literal["lns"],
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
    **params: Unpack[LNSParameters],
) -> Result: ...
@overload
def solve(
    problem: Problem,
    solver: Solver,
    *,
    time_limit: float | None = ...,
    node_limit: int | None = ...,
    memory_limit: int | None = ...,
    seed: int = ...,
    stop: StopFlag | None = ...,
    on_progress: OnProgress | None = ...,
    on_plan: OnPlan | None = ...,
) -> Result: ...
