#!/usr/bin/env python3
"""tools/reference/max_information.py > tests/data_reference/max_information.csv: thresholds for p-values after selection.

By the formulas that docs/explanation/adaptive_analysis.md states, with 30 digits. Every free parameter (beta, and t and delta-hat of Rogers 4.2.1) is searched
at once by a walk that halves its steps. Needs mpmath.
"""
from mpmath import mp, mpf, log, exp, sqrt

mp.dps = 30


def walk(f, start, least=mpf(10) ** -12):
    at, value, scale = list(start), f(*start), mpf(1)
    size = len(at)
    moves = [[1 if i == j else 0 for i in range(size)] for j in range(size)]
    moves += [[1 if i == a else s if i == b else 0 for i in range(size)] for a in range(size) for b in range(a) for s in (1, -1)]
    while scale > least:
        moved = False
        for move in moves:
            for sign in (1, -1):
                there = [x + sign * scale * m for x, m in zip(at, move)]
                found = f(*there)
                if found is not None and (value is None or found < value):
                    at, value, moved = there, found, True
        if not moved:
            scale /= 2
    return at, value


def negative_log2(alpha, beta, nats):
    return None if beta >= alpha else nats / log(2) - log(alpha - beta, 2)


def pure(n, e, alpha):
    best = e * n / log(2) - log(alpha, 2)
    at, value = walk(lambda x: negative_log2(alpha, alpha / (1 + exp(-x)),
                                             n * e * e / 8 + e * sqrt(n * log((1 + exp(-x)) / alpha) / 2)), [mpf(0)])
    return min(best, value)


def approximate(n, e, d, alpha):
    def f(x, y):
        t, hat = exp(x), exp(y)
        if hat > e / 15:
            return None
        second = 2 * hat / (1 - exp(-3 * e))
        beta = exp(-t * t / 2) + n * (2 * d / hat + 2 * d / (1 - exp(-e)) + second)
        tau = hat * (2 * exp(3 * e) + 1) + 2 * hat ** 2 * (2 * exp(3 * e) / (1 - exp(-3 * e)) + 1) ** 2
        nu = 6 * e * (exp(6 * e) / (1 - second) - 1) + tau
        return negative_log2(alpha, beta, n * nu + 6 * t * e * sqrt(n))

    return walk(f, [log(mpf(4)), log(sqrt(e * d))])[1]


def mutual(n, rho, alpha):
    t = rho * n / log(2)
    return walk(lambda x: negative_log2(alpha, (t + mpf("0.54")) / exp(x), exp(x) * log(2)), [log(4 * (t + 1) / alpha)])[1]


def description(bits, alpha):
    return walk(lambda x: negative_log2(alpha, alpha / (1 + exp(-x)), (bits - log(alpha / (1 + exp(-x)), 2)) * log(2)), [mpf(1)])[1]


def pure_then_description(n, e, bits, alpha):
    def f(x, y):
        first, second = exp(x), exp(y)
        return negative_log2(alpha, first + second, min(n * e, n * e * e / 8 + e * sqrt(n * log(1 / first) / 2)) + (bits - log(second, 2)) * log(2))

    return walk(f, [log(alpha / 9), log(alpha / 3)])[1]


print("# made by tools/reference/max_information.py (mpmath, 30 digits); inputs are exact doubles")
print("# kind, n, first, second, alpha, minus log2 of the threshold")
F = lambda text: mpf(float(text))
for n, e, a in (("1000", "0.05", "0.05"), ("1000", "0.2", "0.05"), ("100", "0.001", "0.05"), ("1000000", "0.001", "0.01"), ("10000", "1", "0.05")):
    print(f"pure,{n},{e},0,{a},{mp.nstr(pure(F(n), F(e), F(a)), 15)}")
for n, e, d, a in (("1000", "0.01", "1e-14", "0.05"), ("10000", "0.001", "1e-16", "0.05"), ("1000", "0.3", "1e-13", "0.1")):
    print(f"approximate,{n},{e},{d},{a},{mp.nstr(approximate(F(n), F(e), F(d), F(a)), 15)}")
for n, r, a in (("1000", "0.001", "0.05"), ("1000", "0.00001", "0.05"), ("10000", "0.01", "0.01")):
    print(f"mutual,{n},{r},0,{a},{mp.nstr(mutual(F(n), F(r), F(a)), 15)}")
for b, a in (("3", "0.05"), ("10", "0.05"), ("0.5", "0.01")):
    print(f"description,1000,{b},0,{a},{mp.nstr(description(F(b), F(a)), 15)}")
for n, e, b, a in (("1000", "0.05", "4", "0.05"), ("100", "0.001", "2", "0.1")):
    print(f"pure_then_description,{n},{e},{b},{a},{mp.nstr(pure_then_description(F(n), F(e), F(b), F(a)), 15)}")
