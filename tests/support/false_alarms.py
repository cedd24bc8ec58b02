#!/usr/bin/env python3
"""The suite's own ledger: how often a run of the tests is red although the code is right.

  false_alarms.py open FILE     before a run: an empty ledger
  false_alarms.py close FILE    after it: adds up the lines `name rate` that the stochastic tests wrote, and fails above 1e-6

A test that was not run declared nothing and counts nothing; a test that ran twice counts twice.
"""
import math
import pathlib
import sys

ALLOWED = 1e-6


def total(text):
    """The rates, largest first, and their sum. Raises ValueError at a line that is no `name rate`."""
    rates = []
    for number, line in enumerate(text.splitlines(), 1):
        name, _, rate = line.rpartition(" ")
        try:
            value = float(rate)
        except ValueError:
            value = math.nan
        if not name or not 0 < value < 1:
            raise ValueError(f'line {number} is "{line}", but must be a name and a rate between 0 and 1')
        rates.append((value, name))
    rates.sort(reverse=True)
    return rates, math.fsum(value for value, _ in rates)


def main(action, path):
    ledger = pathlib.Path(path)
    if action == "open":
        ledger.parent.mkdir(parents=True, exist_ok=True)
        ledger.write_text("")
        return 0
    try:
        rates, chance = total(ledger.read_text())
    except (OSError, ValueError) as error:
        print(f"the ledger of false alarms cannot be added up: {error}")
        return 1
    print(f"{len(rates)} promises; this run is red by chance with probability at most {chance:.3g} (allowed: {ALLOWED:.0e})")
    for value, name in rates[:5]:
        print(f"  {value:.3g}  {name}")
    if chance > ALLOWED:
        print("too much: lower the false_alarm of the largest promises (and take more draws), do not raise what is allowed")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("open", "close"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
