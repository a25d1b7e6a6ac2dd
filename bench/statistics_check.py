"""Compares our statistics with those of scipy and statsmodels on real predictions: ten BERT seeds on MultiNLI dev (matched), and
the accuracies of a hundred BERT runs on the subcases of HANS.

    pip install numpy scipy statsmodels
    cargo build --release -p acidtest-evaluate --example statistics_check
    ACIDTEST_DATA=... python bench/statistics_check.py [--example PATH]

Every line has the name of the statistic, our value, theirs and the difference. They must agree to ten digits; otherwise the exit code is 1.
"""

import argparse
import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

LABELS = ["entailment", "neutral", "contradiction"]
EXACT = 1e-10


def read(data):
    with gzip.open(data / "mnli/mnli_dev_matched.jsonl.gz", "rt", encoding="utf-8") as file:
        gold = np.array([LABELS.index(json.loads(line)["gold_label"]) for line in file])
    with gzip.open(data / "predictions/bert_ten_seeds_mnli_dev.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    runs = np.array([[LABELS.index(row[f"seed{seed}"]) for row in rows] for seed in range(1, 11)])
    with open(data / "hans/hundred_bert_runs.csv", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    # The subcases are the columns whose names begin with the heuristic and the gold label; after the runs come a summary and empty rows.
    columns = [place for place, name in enumerate(rows[0]) if name[:3] in ("ln_", "le_", "sn_", "se_", "cn_", "ce_")]
    subcases = np.array([[float(row[place]) for place in columns] for row in rows[1:] if row[0].startswith("Run ")])
    return gold, runs, subcases


def ours(example, gold, runs, subcases):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, tempfile.NamedTemporaryFile("w", suffix=".txt") as table:
        file.writelines(" ".join(map(str, [g, *answers])) + "\n" for g, answers in zip(gold, runs.T))
        file.flush()
        table.writelines(" ".join(map(str, run)) + "\n" for run in subcases)
        table.flush()
        text = subprocess.run([example, file.name, table.name], check=True, capture_output=True, text=True).stdout
    return dict(line.split(" ", 1) for line in text.splitlines())


def parts_of_variance(table):
    """The mean squares of a table of runs by items, and the variance components: items, runs, residual."""
    k, n = table.shape
    by_run, by_item, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    items = k * ((by_item - mean) ** 2).sum() / (n - 1)
    runs = n * ((by_run - mean) ** 2).sum() / (k - 1)
    rest = ((table - by_run[:, None] - by_item + mean) ** 2).sum() / ((n - 1) * (k - 1))
    return (items, runs, rest), np.array([(items - rest) / k, (runs - rest) / n, rest])


def theirs(gold, runs, subcases):
    """The values that are computed exactly, without sampling."""
    right = (runs == gold).astype(int)
    first, second = right[0], right[1]
    found = {"accuracy": first.mean()}
    for confidence in (95, 99):
        found[f"wilson{confidence}_interval"] = proportion_confint(first.sum(), len(gold), alpha=1 - confidence / 100, method="wilson")
    b, c = int(((first == 1) & (second == 0)).sum()), int(((first == 0) & (second == 1)).sum())
    found["first_only"], found["second_only"] = b, c
    table = [[((first == 1) & (second == 1)).sum(), b], [c, ((first == 0) & (second == 0)).sum()]]
    found["difference"] = (first - second).mean()
    found["mcnemar_exact"] = mcnemar(table, exact=True).pvalue
    found["mcnemar_mid_p"] = 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - stats.binom.pmf(min(b, c), b + c, 0.5)
    found["difference_wald_interval"] = DescrStatsW(first - second).zconfint_mean(alpha=0.05)
    n, z = len(gold) + 2, stats.norm.ppf(0.975)
    difference = (b - c) / n
    half = z * np.sqrt(((b + c + 1) / n - difference**2) / n)
    found["difference_agresti_min_interval"] = (difference - half, difference + half)
    d, n_rows = (b + c) / len(gold), len(gold)
    k = (z + stats.norm.ppf(0.8)) ** 2 / n_rows
    found["minimum_detectable"] = np.sqrt(k * d / (1 + k))
    found["clustered_wilson_interval"] = proportion_confint(first.sum(), n_rows, method="wilson")
    found["clustered_p"] = stats.binomtest(b, b + c).pvalue
    found["tango_interval"] = tango(b, c, n_rows, z)
    p_values = [stats.binomtest(int(((first == 1) & (other == 0)).sum()), int((first != other).sum())).pvalue for other in right[1:]]
    found["holm"] = multipletests(p_values, method="holm")[1]
    found["benjamini_hochberg"] = multipletests(p_values, method="fdr_bh")[1]
    accuracy = right.mean(axis=1)
    best = int(accuracy.argmax())
    others = [run for run in range(len(right)) if run != best]
    wins = [(int(((right[best] == 1) & (right[run] == 0)).sum()), int((right[best] != right[run]).sum())) for run in others]
    rejected = multipletests([stats.binomtest(*win).pvalue for win in wins], alpha=0.05, method="holm")[0]
    found["best"] = best
    found["tied"] = sorted([best] + [run for run, reject in zip(others, rejected) if not reject])
    found["runs_mean"], found["runs_deviation"] = accuracy.mean(), accuracy.std(ddof=1)
    k, n = right.shape
    (items, seeds, rest), parts = parts_of_variance(right)
    found["runs_variance"], found["runs_shares"] = parts, parts / parts.sum()
    found["runs_icc"] = (items - rest) / (items + (k - 1) * rest + k * (seeds - rest) / n)
    found["runs_agreement"] = np.mean([(right[a] == right[b]).mean() for a in range(k) for b in range(a)])
    found["error_from_items"], found["error_from_runs"] = np.sqrt((parts[0] + rest) / n), np.sqrt(parts[1])
    confusion = np.zeros((3, 3), int)
    np.add.at(confusion, (gold, runs[0]), 1)
    kappa = cohens_kappa(confusion)
    found["cohen"], found["cohen_interval"] = kappa.kappa, (kappa.kappa_low, kappa.kappa_upp)
    found["fleiss"] = fleiss_kappa(np.stack([(runs == label).sum(axis=0) for label in range(3)], axis=1))
    found["subcase_means"], found["subcase_deviations"] = subcases.mean(axis=0), subcases.std(axis=0, ddof=1)
    found["subcase_ranges"] = np.ptp(subcases, axis=0)
    _, parts = parts_of_variance(subcases)
    found["subcase_shares"] = parts / parts.sum()
    return found


def tango(b, c, n, z):
    """Tango's (1998) score interval of a paired difference, by root finding."""

    def score(delta):
        quadratic = (2 * n, -b - c + (2 * n - b + c) * delta, -c * delta * (1 - delta))
        share = max(np.roots(quadratic).real)
        return (b - c - n * delta) / np.sqrt(n * (2 * share + delta * (1 - delta)))

    estimate = (b - c) / n
    low = optimize.brentq(lambda delta: score(delta) - z, estimate - 0.2, estimate, xtol=1e-14)
    high = optimize.brentq(lambda delta: score(delta) + z, estimate, estimate + 0.2, xtol=1e-14)
    return (low, high)


def main():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--example", default=str(target / "release" / "examples" / "statistics_check"))
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("ACIDTEST_DATA", "../shared/data")))
    options = parser.parse_args()
    if not (options.data / "predictions").is_dir():
        print(f"skipped: no predictions in {options.data} (set ACIDTEST_DATA)")
        return 0
    gold, runs, subcases = read(options.data)
    mine = ours(options.example, gold, runs, subcases)
    expected = {name: (value, EXACT) for name, value in theirs(gold, runs, subcases).items()}
    failed = 0
    for name, (value, slack) in expected.items():
        found = np.array([float(number) for number in mine.pop(name).split()])
        value = np.atleast_1d(np.asarray(value, float))
        apart = np.abs(found - value).max() if found.shape == value.shape else np.inf
        verdict = "ok" if apart <= slack else "DIFFERS"
        failed += verdict != "ok"
        show = lambda numbers: " ".join(f"{number:.6g}" for number in numbers[:9]) + (" ..." if len(numbers) > 9 else "")
        print(f"{verdict:8}{name:32} ours {show(found):44} theirs {show(value):44} apart {apart:.1e} (at most {slack:.1e})")
    for name, text in mine.items():
        print(f"        {name:32} {text}")
    print(f"{len(expected) - failed} of {len(expected)} agree")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
