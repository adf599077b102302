"""Ask agents why they wait, and look at the answers in a page.

python examples/why.py
"""

import sidestep as ss
from sidestep.explain import Inquiry, captions

# All four have to pass one door.
problem = ss.Problem.from_text("""
    a . # . C
    b . . . D
    c . # . A
    d . # . B
""")


def main() -> None:
    result = ss.solve(problem, "wdpca")
    inquiry = Inquiry(result)
    for summary in ss.summarise(result):
        print(summary)
    for agent, name in enumerate(problem.names):
        times = [time for time in range(result.plan.makespan) if inquiry.doing(agent, time).needs_a_reason]
        if times:
            answer = inquiry.why(agent, times[0])
            assert answer.check()
            print(f"\n{name} at time {times[0]}: {answer}")
    ss.replay(result, captions=captions(result)).save("why.html")


if __name__ == "__main__":
    main()
