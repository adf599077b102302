"""What a ledger says: intervals, best known costs, pairs, files, and what has changed between two."""

from __future__ import annotations

import csv
import math
import shutil
import sqlite3

import pytest

import sidestep as ss
from sidestep.papers.experiment import Interval
from sidestep.papers.significance import sign_test
from sidestep.sweeps.compare import compare, geometric, table_of
from sidestep.sweeps.ledger import COLUMNS
from sidestep.sweeps.report import latex, summary_table


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],  # the last is Newcombe's (1998)
)
def test_wilsons_interval(hits, count, low, high):
    share = Interval.share(hits, count)
    assert share.mean == hits / count
    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("more", range(8))
@pytest.mark.parametrize("less", range(8))
def test_the_sign_test_counts_splits(more, less):
    """Of all ways in which pairs can fall, those that are at least as uneven."""
    count = more + less
    uneven = sum(math.comb(count, k) for k in range(count + 1) if abs(2 * k - count) >= abs(more - less))
    assert sign_test(more, less) == pytest.approx(uneven / 2**count)


def test_the_best_known_cost_is_the_least_of_all_plans(small):
    numbers, costs = small.numbers(), {}
    for row in small:
        if row["solved"]:
            costs.setdefault(row["instance"], []).append(row["cost"])
    assert sorted(numbers.best.values()) == sorted(map(min, costs.values()))
    assert min(numbers.above_best(numbers.rows)) == 1.0


def test_the_text_has_every_solver_with_its_share(small):
    text = str(small)
    assert "24 rows: 3 solvers on 8 instances" in text
    for solver in ("hca", "whca window=4", "whca window=8"):
        solved = [row["solved"] for row in small if row["solver"] == solver]
        share = Interval.share(sum(solved), len(solved))
        assert f"{100 * share.mean:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})" in text


def test_files_have_all_rows(small, tmp_path):
    small.write(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["key"] for row in rows] == [row["key"] for row in small]
    polars = pytest.importorskip("polars")
    small.write(tmp_path / "rows.parquet")
    frame = polars.read_parquet(tmp_path / "rows.parquet")
    assert frame.columns == list(COLUMNS)
    assert frame["cost"].to_list() == [row["cost"] for row in small]
    pandas = pytest.importorskip("pandas")
    assert isinstance(small.to_pandas(), pandas.DataFrame)
    assert list(small.to_pandas()["key"]) == [row["key"] for row in small]


def test_a_report_and_tables_can_be_written(small, tmp_path):
    for name in ("page.html", "table.tex", "table.md", "table.txt"):
        small.write(tmp_path / name)
    page = (tmp_path / "page.html").read_text()
    assert page.count("data:image/png") == 4
    assert "Published" not in page
    assert (tmp_path / "table.tex").read_text() == latex(summary_table(small.numbers()))
    assert (tmp_path / "table.tex").read_text().count(r"\\") == 4
    assert r"solved \%" in (tmp_path / "table.tex").read_text()
    small.plot("cactus", tmp_path / "cactus.png")
    assert (tmp_path / "cactus.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ss.InputError, match="should end in one of"):
        small.write(tmp_path / "rows.xls")
    with pytest.raises(ss.InputError, match="there is no plot 'pie'"):
        small.plot("pie", tmp_path / "pie.png")


# Two ledgers


def changed(sweep, path, statement):
    shutil.copy(sweep.path, path)
    with sqlite3.connect(path) as file:
        file.execute(statement)
    return ss.Sweep(path)


def test_a_ledger_has_not_changed_from_itself(small):
    assert [(one.verdicts, one.better) for one in compare(small, small)] == [([], [])] * 3


def test_what_is_slower_dearer_or_solves_fewer_is_noticed(small, tmp_path):
    slower = changed(small, tmp_path / "slower.db", "UPDATE rows SET cpu = cpu * 1.5 WHERE solver = 1")
    assert [one.verdicts for one in compare(small, slower)] == [["slower"], [], []]
    assert [one.better for one in compare(slower, small)] == [["faster"], [], []]
    assert [one.verdicts for one in compare(small, slower, allowed=0.6)] == [[], [], []]
    dearer = changed(small, tmp_path / "dearer.db", "UPDATE rows SET cost = cost * 2 WHERE solver = 2")
    assert [one.verdicts for one in compare(small, dearer)] == [[], ["dearer"], []]
    fewer = changed(small, tmp_path / "fewer.db", "UPDATE rows SET valid = NULL WHERE solver = 3")
    lost = compare(small, fewer)[2]
    assert lost.verdicts == [f"solves fewer (-{lost.lost} +0)"]
    assert lost.time is None


def test_times_of_two_machines_say_nothing(small, tmp_path):
    elsewhere = changed(small, tmp_path / "elsewhere.db", "UPDATE machines SET about = about || ', other'")
    changes = compare(small, elsewhere)
    assert [(one.time, one.verdicts) for one in changes] == [(None, [])] * 3
    assert all(one.cost is not None for one in changes)
    assert [row[4] for row in table_of(changes).rows] == ["another machine"] * 3


def test_ledgers_that_cannot_be_compared_are_refused(small, tmp_path):
    other = changed(small, tmp_path / "other.db", "UPDATE rows SET digest = 'x'")
    with pytest.raises(ss.InputError, match="other problems under the same name"):
        compare(small, other)
    with pytest.raises(ss.InputError, match="no run in common"):
        compare(small, changed(small, tmp_path / "empty.db", "DELETE FROM rows"))


def test_ratios_have_a_geometric_mean():
    ratio = geometric([(1.0, 2.0), (1.0, 0.5), (3.0, 3.0)])
    assert ratio.mean == pytest.approx(1.0)
    assert ratio.low * ratio.high == pytest.approx(1.0)
    assert geometric([(1.0, 2.0), (None, 1.0), (0, 1)]) is None
