"""What a type checker says of `solve`. `make lint` runs mypy here, where ignoring what is no error is one."""

import sidestep as ss

problem = ss.Problem.from_text("a . A")

ss.solve(problem)
ss.solve(problem, "whca", window=16, time_limit=1.0)
ss.solve(problem, "whca", window="auto")
ss.solve(problem, "wcha")  # type: ignore[call-overload]
ss.solve(problem, "whca", windwo=16)  # type: ignore[call-overload]
ss.solve(problem, "whca", window="wide")  # type: ignore[call-overload]
ss.solve(problem, "whca", retries=3)  # type: ignore[call-overload]
ss.solve(problem, "ca", order="longest", retries=3)
ss.solve(problem, "ca", order="longset")  # type: ignore[call-overload]
ss.solve(problem, "dpca", voter=None, schedule="one")
ss.solve(problem, ss.WHCA(window=16), seed=3)
ss.solve(problem, ss.WHCA(windwo=16))  # type: ignore[call-arg]
ss.solve(problem, ss.WHCA(), window=16)  # type: ignore[call-overload]

result: ss.Result = ss.solve(problem, "cbs")
plan = result.plan
assert plan is not None
path: list[object] = plan["a"]
moment: dict[str, object] = plan[0]
print(path, moment)
