#!/usr/bin/env python3
"""tools/reference/zcdp_odometer.py > tests/data_reference/zcdp_odometer.csv: readings of an odometer in rho.

By the definition in docs/explanation/odometers.md with 20 digits: the maximum over the loss L is the root of a derivative. Needs mpmath.
"""
from mpmath import mp, mpf, log, exp, sqrt, e

mp.dps = 20
ORDERS = [(mpf(2) ** (mpf(j) / 2), (1 + abs(j - 8) / mpf(2)) ** mpf(-1.5)) for j in range(-6, 41)]
TOTAL = sum(w for _, w in ORDERS)


def bisect(f, low, high):
    for _ in range(56):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return high


def delta(epsilon, rho):
    def mixture(loss):  # and its derivative
        terms = [(a, w / TOTAL * exp(a * loss - a * (1 + a) * rho)) for a, w in ORDERS]
        return sum(t for _, t in terms), sum(a * t for a, t in terms)

    def slope(x):  # of log(1 - e^(epsilon - L)) - log M(L) in L = epsilon + y; it falls
        y = exp(x)
        value, derivative = mixture(epsilon + y)
        return 1 / (exp(y) - 1) - derivative / value

    y = exp(bisect(slope, mpf(-25), mpf(5)))
    return (1 - exp(-y)) / mixture(epsilon + y)[0]


print("# made by tools/reference/zcdp_odometer.py (mpmath, 20 digits); inputs are exact doubles")
print("# rho, delta, reading, Rogers 5.7.5 with n = 100000")
for rho in ("1e-8", "1e-4", "0.01", "0.1", "0.5", "20"):
    for d in ("1e-3", "1e-9"):
        r, D = mpf(float(rho)), mpf(float(d))
        low, high = mpf(0), r + 20 * sqrt(r * log(1 / D)) + 1
        reading = mpf(0) if delta(mpf(0), r) <= D else bisect(lambda x: delta(x, r) - D, low, high)
        rogers = r + sqrt(4 * r * (log(48 * e) + 2 * log(log(mpf(100000)) / D)))
        print(f"{rho},{d},{mp.nstr(reading, 15)},{mp.nstr(rogers, 15)}", flush=True)
