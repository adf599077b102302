"""What type checkers know of `solve`: a misspelt solver or parameter is an error.

Written by scripts/write_solvers.py from the list in registry.py and the parameters of the solvers.
"""

from typing import Any, Literal, TypedDict, Unpack, overload

from .budget import OnPlan, OnProgress, StopFlag
from .model.problem import Problem
from .model.result import Result
from .solvers import Solver

class Limits(TypedDict, total=False):
    time_limit: float | None
    node_limit: int | None
    memory_limit: int | None
    seed: int
    stop: StopFlag | None
    on_progress: OnProgress | None
    on_plan: OnPlan | None

class AutoParameters(Limits, total=False):
    bound: float | None
    gain: float

class LRAParameters(Limits, total=False):
    noise: float
    max_turns: int | None
    moves_after_repair: bool
    agitated_when_boxed_in: bool

class CAParameters(Limits, total=False):
    retries: int
    hold_goals: bool
    order: Literal["given", "shortest", "longest", "random", "dependence"]

class HCAParameters(CAParameters, total=False): ...

class WHCAParameters(Limits, total=False):
    window: int | Literal["auto"]
    max_turns: int | None
    replan_every: int | None

class StandardParameters(Limits, total=False): ...

class ODParameters(StandardParameters, total=False):
    duplicates: Literal["post-move", "standard"]
    pairs: bool
    partial: bool

class SIDParameters(Limits, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    inner_printed: bool
    avoidance: Literal["all", "later", "none"]
    conflict: Literal["small", "first"]
    known_bounds: bool

class IDParameters(SIDParameters, total=False):
    evades: Literal["smaller", "lower"]
    stay_apart: bool

class StandardIDParameters(IDParameters, total=False): ...

class ODIDParameters(IDParameters, total=False): ...

class AnytimeParameters(Limits, total=False):
    inner: Literal["od", "standard", "cbs", "icts"]
    bound: float | None

class CBSParameters(Limits, total=False):
    prioritise: bool
    bypass: bool
    disjoint: bool
    heuristic: Literal["none", "cg", "dg", "wdg"]
    rectangle: bool
    corridor: bool
    target: bool
    joint_takeover: bool

class ICTSParameters(Limits, total=False):
    pruning: Literal["none", "simple", "enhanced"]
    independence: bool
    joint_takeover: bool

class EECBSParameters(Limits, total=False):
    bound: float
    prioritise: bool
    bypass: bool
    rectangle: bool
    corridor: bool
    target: bool
    weighted: bool

class PCAParameters(Limits, total=False):
    cache: bool
    keep_orders: bool
    end_circles: bool
    settle_circles: bool
    loop_free: bool
    planner: Any

class DPCAParameters(PCAParameters, total=False):
    length_weight: float
    conflict_weight: float
    bystanders: bool
    actions: bool
    voter: Any
    schedule: Literal["one", "steps"]

class DPCAPlusParameters(DPCAParameters, total=False):
    partial_weight: float

class WDPCAParameters(Limits, total=False):
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

class DiMPPParameters(Limits, total=False):
    shortcuts: bool
    begin_once: bool

class ADPPParameters(Limits, total=False):
    scheduler: Literal["seeded", "threads"]
    threads: int
    replan: Literal["conflict", "always"]

class DMRCPParameters(Limits, total=False):
    max_turns: int | None

class BCPParameters(Limits, total=False):
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

class PBSParameters(Limits, total=False): ...

class PIBTParameters(Limits, total=False):
    hindrance: bool
    swap: bool
    max_turns: int | None
    crisscross: int

class GuidedParameters(PIBTParameters, total=False):
    window: int | Literal["auto"]
    collision_cost: int | Literal["auto"]

class RollingParameters(GuidedParameters, total=False):
    horizon: int
    effort: int

class LaCAMParameters(Limits, total=False):
    anytime: bool
    hindrance: bool
    swap: bool
    bound: float | None
    guide: int | Literal["auto"]
    collision_cost: int | Literal["auto"]
    threads: int

class SIPPParameters(Limits, total=False):
    restarts: int
    robust: int

class LNSParameters(Limits, total=False):
    first: Literal["lacam", "sipp"]
    temperature: float | Literal["auto"]
    patience: int
    robust: int
    lanes: int
    threads: int

class EPIBTParameters(PIBTParameters, total=False):
    length: int
    asks: int
    effort: int

@overload
def solve(problem: Problem, solver: Literal["auto"] = ..., **given: Unpack[AutoParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["lra"], **given: Unpack[LRAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["ca"], **given: Unpack[CAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["hca"], **given: Unpack[HCAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["whca"], **given: Unpack[WHCAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["standard"], **given: Unpack[StandardParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["od"], **given: Unpack[ODParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["sid"], **given: Unpack[SIDParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["id"], **given: Unpack[IDParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["standard-id"], **given: Unpack[StandardIDParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["od-id"], **given: Unpack[ODIDParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["anytime"], **given: Unpack[AnytimeParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["cbs"], **given: Unpack[CBSParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["icts"], **given: Unpack[ICTSParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["eecbs"], **given: Unpack[EECBSParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["pca"], **given: Unpack[PCAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["dpca"], **given: Unpack[DPCAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["dpca+"], **given: Unpack[DPCAPlusParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["wdpca"], **given: Unpack[WDPCAParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["dimpp"], **given: Unpack[DiMPPParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["adpp"], **given: Unpack[ADPPParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["dmrcp"], **given: Unpack[DMRCPParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["bcp"], **given: Unpack[BCPParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["pbs"], **given: Unpack[PBSParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["pibt"], **given: Unpack[PIBTParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["guided"], **given: Unpack[GuidedParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["rolling"], **given: Unpack[RollingParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["lacam"], **given: Unpack[LaCAMParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["sipp"], **given: Unpack[SIPPParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["lns"], **given: Unpack[LNSParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Literal["epibt"], **given: Unpack[EPIBTParameters]) -> Result: ...
@overload
def solve(problem: Problem, solver: Solver, **given: Unpack[Limits]) -> Result: ...
