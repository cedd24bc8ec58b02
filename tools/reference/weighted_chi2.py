#!/usr/bin/env python3
"""tools/reference/weighted_chi2.py > tests/data_reference/weighted_chi2.csv: tails of sums of weighted chi-square variables, to 20 digits.

By the inversion integral that src/tacet/numeric/weighted_chi2.h states, with 50 digits and one logarithm per weight, the trapezium rule halved until the error is
below 20 digits. (The test also has closed forms that know nothing of this integral.) Spectra (i = 0, ..., n - 1):

  arithmetic  1 + i r        geometric  r^i        harmonic  1/(1 + i)^r        spiked  r for i = 0, 1 + i/n otherwise

Weights are computed in doubles, as the test does; q is an exact double near the given number of standard deviations above the mean. Needs mpmath.
"""
import mpmath
from mpmath import mp, mpf, mpc

SPECTRA = {
    "arithmetic": lambda i, n, r: 1 + i * r,
    "geometric": lambda i, n, r: r ** i,
    "harmonic": lambda i, n, r: 1 / (1 + i) ** r,
    "spiked": lambda i, n, r: r if i == 0 else 1 + i / n,
}


def log_transform(weights, s):
    """K(s); every 1 - 2 w s lies in the lower half plane, so that principal logarithms are the right branch."""
    total = mpc(0)
    for w in weights:
        total += mp.log(1 - 2 * w * s)
    return -total / 2


def saddle(weights, q):
    slope = lambda c: sum(w / (1 - 2 * w * c) for w in weights) - q
    b = 1 / (2 * max(weights))
    low, high = (mpf(0), b * (1 - mpf(10) ** -30)) if slope(mpf(0)) < 0 else (-mpf(len(weights)) / q, mpf(0))
    for _ in range(60):
        middle = (low + high) / 2
        if slope(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def tails(weights, q):
    c = saddle(weights, q)
    curvature = sum(2 * (w / (1 - 2 * w * c)) ** 2 for w in weights)
    away = min(1 / (10 * max(weights)), 1 / mp.sqrt(curvature))
    c = max(c, away) if c >= 0 else min(c, -away)
    beta = 1 / (2 * max(weights)) - c
    height = mp.re(log_transform(weights, c)) - c * q

    def integrand(t):
        s, ds = mpc(c + t * t / (4 * beta), t), mpc(t / (2 * beta), 1)
        return mp.im(mp.exp(log_transform(weights, s) - s * q - height) * ds / s)

    def points(first, step):
        total, t = mpf(0), first
        while True:
            values = [integrand(t + k * step) for k in range(4)]
            total += sum(values)
            if all(abs(v) < mpf(10) ** -30 for v in values):
                return total
            t += 4 * step

    step = 1 / mp.sqrt(curvature)
    total, before = 1 / (2 * c) + points(step, step), None
    while True:
        value = total * step * mp.exp(height) / mp.pi
        if before is not None and abs(value - before) <= mpf(10) ** -12 * abs(value):
            break  # halving squares the error
        before = value
        total += points(step / 2, step)
        step /= 2
    return (value, 1 - value) if c > 0 else (1 + value, -value)


def main():
    mp.dps = 50
    print("# made by tools/reference/weighted_chi2.py (mpmath, 50 digits); weights and q are exact doubles, see there")
    print("# spectrum, n, r, q, upper, lower")
    for name, n, r, deviations in [
        ("arithmetic", 6, 0.7, (-1.4, 0.1, 3, 60)), ("arithmetic", 30, 0.37, (-3, 0.5, 4, 32)), ("geometric", 12, 0.5, (-1.2, 0.2, 5, 90)),
        ("geometric", 40, 0.8, (-2, -0.2, 6)), ("harmonic", 25, 1.0, (-1.5, 1, 70)), ("harmonic", 60, 2.0, (-0.9, 2, 95)),
        ("spiked", 20, 50.0, (-0.8, 1, 90)), ("spiked", 100, 5.0, (-3, 0, 3, 9)), ("arithmetic", 1000, 0.01, (-6, 0.3, 14)),
        ("harmonic", 10000, 0.5, (-3, 1, 12)),
    ]:
        weights = [SPECTRA[name](i, n, r) for i in range(n)]
        exact = [mpf(w) for w in weights]
        mean, sd = sum(exact), mp.sqrt(2 * sum(w * w for w in exact))
        for deviation in deviations:
            q = float(mean + deviation * sd)
            if q <= 0:
                continue
            upper, lower = tails(exact, mpf(q))
            print(f"{name},{n},{r!r},{q!r},{mp.nstr(upper, 20)},{mp.nstr(lower, 20)}", flush=True)


if __name__ == "__main__":
    main()
