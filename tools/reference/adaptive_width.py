#!/usr/bin/env python3
"""tools/reference/adaptive_width.py > tests/data_reference/adaptive_width.csv: widths of answers to adaptively chosen queries.

By the formulas that docs/explanation/adaptive_analysis.md states, with 30 digits and minimisers of its own: each minimum is found by a walk that halves its
steps in every direction (no golden sections, no nesting). Needs mpmath. Takes some minutes.
"""
from mpmath import mp, mpf, log, exp, sqrt, tanh, pi, erfc, quad, inf, erfinv, expm1, log1p, floor

mp.dps = 30
upper = lambda x: erfc(x / sqrt(mpf(2))) / 2
quantile = lambda p: sqrt(mpf(2)) * erfinv(1 - 2 * p)  # of the upper tail


def walk(f, start, steps, least=mpf(10) ** -13):
    """The least value near the start: tries steps along every axis and both diagonals, halves them when none helps."""
    at, value = list(start), f(*start)
    size = len(at)
    axes = [[1 if i == j else 0 for i in range(size)] for j in range(size)]
    pairs = [[s if i == a else t if i == b else 0 for i in range(size)] for a in range(size) for b in range(a) for s in (1, -1) for t in (1,)]
    scale = mpf(1)
    while scale > least:
        moved = False
        for axis in axes + pairs:
            for sign in (1, -1):
                there = [x + sign * scale * d * s for x, d, s in zip(at, axis, steps)]
                try:
                    found = f(*there)
                except (ValueError, OverflowError, ZeroDivisionError):
                    continue
                if mp.im(found) == 0 and found < value:
                    at, value, moved = there, found, True
        if not moved:
            scale /= 2
    return at, value


def rz_monitor(n, k, b):
    population = lambda B: sqrt(2 / (n * b) * (2 * B + log(B)) * B / (B - 1))
    sample = lambda B: 2 / n * sqrt(log(4 * k / b) * k * n / B)
    (x,), width = walk(lambda x: max(population(1 + exp(x)), sample(1 + exp(x))), [mpf(0)], [1], mpf(10) ** -25)
    return width, sqrt(k * n / (2 * (1 + exp(x)))) / n


def dfhprr(n, k, b, laplace):
    def excess(tau):
        logs = 8 * log(16 * k / b) / tau
        if laplace:
            e = 2 * log(2 * k / b) / (n * tau)
            return tau - 8 * (e * k * tanh(e / 2) + e * sqrt(2 * k * logs))
        r = 4 * log(4 * k / b) / (n * tau) ** 2
        return tau - 8 * (r * k + 2 * sqrt(r * k * max(0, log(sqrt(pi * r * k)) + logs)))

    low, high = 2 * sqrt(48 * log(8 * k / b) / n), mpf(10) ** 6
    if excess(low) >= 0:
        return low
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


def bnsssu(n, k, b, laplace):
    s = floor(1 / b + mpf(10) ** -12)

    def inside(log_noise, log_d):
        noise, d = exp(log_noise), exp(log_d)
        if d >= 1:
            return mpf(10) ** 9
        if laplace:
            epsilon, sample = noise * k * tanh(noise / 2) + noise * sqrt(2 * k * log(1 / d)), log(2 * k / d) / (noise * n)
        else:
            epsilon, sample = k * noise + 2 * sqrt(k * noise * max(0, log(sqrt(pi * k * noise) / d))), sqrt(log(4 * k / d) / noise) / n
        return expm1(min(epsilon, 100)) + 2 * s * d + sample

    start = [log(mpf("0.05") / sqrt(k)) if laplace else log(mpf("0.003") / k), log(mpf("0.001"))]
    return walk(inside, start, [1, 1])[1] / (1 - (1 - b) ** s)


def exceeds(k, t):
    return -expm1(k * log1p(-2 * upper(t)))


def largest_quantile(k, b):
    return quantile(-expm1(log1p(-b) / k) / 2)


def cvar(n, k, b):
    q = largest_quantile(k, b)
    noise = q + quad(lambda t: exceeds(k, t), [q, q + 1, q + 3, q + 8, q + 20]) / b
    # The minimum over a is searched, not taken from the closed form.
    def term(mu):
        delta = lambda a: upper(log(1 + a) / mu - mu / 2) - (1 + a) * upper(log(1 + a) / mu + mu / 2)
        at_zero = delta(0) / b
        return min(at_zero, walk(lambda x: exp(x) + delta(exp(x)) / b, [log(mu / 10)], [1], mpf(10) ** -14)[1])

    (x,), width = walk(lambda x: exp(x) * noise + term(sqrt(k) / (n * exp(x))), [log(1 / sqrt(mpf(n)))], [1], mpf(10) ** -10)
    return width, exp(x)


def jlnrss(n, k, b):
    """Over alpha, epsilon, the noise, and the part of beta that each of the two terms gets."""
    def width(x, y, z, logit):
        sd, alpha, epsilon, part = exp(x), y, exp(z), 1 / (1 + exp(-logit))
        mu = sqrt(k) / (n * sd)
        delta = upper(epsilon / mu - mu / 2) - exp(epsilon) * upper(epsilon / mu + mu / 2)
        return sd * alpha + expm1(epsilon) + exceeds(k, alpha) / (part * b) + 2 * delta / ((1 - part) * b)

    noise = 1 / sqrt(n) * mpf(2)
    start = [log(noise), largest_quantile(k, b) + 1, log(sqrt(k) / (n * noise)), mpf(0)]
    return walk(width, start, [mpf(1) / 2, 1, mpf(1) / 2, 1], mpf(10) ** -9)[1]


print("# made by tools/reference/adaptive_width.py (mpmath, 30 digits)")
print("# n, queries, beta, rz_monitor, rz_noise, dfhprr_laplace, dfhprr_gaussian, bnsssu_laplace, bnsssu_gaussian, jlnrss, cvar, cvar_noise")
for n, k, b in (("6400", "640", "0.05"), ("10000", "100", "0.05"), ("100000", "1000", "0.05"), ("1000000", "10000", "0.05"),
                ("100000", "1000", "0.001"), ("10000", "10", "0.25"), ("500", "1", "0.1")):
    N, K, B = mpf(n), mpf(k), mpf(float(b))
    rz, c = rz_monitor(N, K, B), cvar(N, K, B)
    values = [*rz, dfhprr(N, K, B, True), dfhprr(N, K, B, False), bnsssu(N, K, B, True), bnsssu(N, K, B, False), jlnrss(N, K, B), *c]
    print(",".join([n, k, b] + [mp.nstr(v, 15) for v in values]), flush=True)
