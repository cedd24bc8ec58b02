#!/usr/bin/env python3
"""tools/reference/mills_table.py > src/tacet/numeric/mills_table.cc: the Taylor coefficients of Mills' ratio.

Row i, column n: M_n(i/8) = (1/n!) integral over t > 0 of t^n exp(-x t - t^2/2), x = i/8, rounded to the nearest double. M_0 is Mills' ratio, and
(n+1) M_{n+1} = M_{n-1} - x M_n with M_{-1} = 1; the recurrence loses digits, so it runs with 200 of them. Needs mpmath; nothing in
the build does, and tests/numeric/mills_test.cc recomputes every entry with MPFR.
"""
import mpmath

ROWS, COLUMNS, STEPS_PER_UNIT = 65, 16, 8


def coefficients(x):
    before, here = mpmath.mpf(1), mpmath.sqrt(mpmath.pi / 2) * mpmath.erfc(x / mpmath.sqrt(2)) * mpmath.exp(x * x / 2)
    for n in range(COLUMNS):
        yield float(here)
        before, here = here, (before - x * here) / (n + 1)


def main():
    mpmath.mp.dps = 200
    print("// Made by tools/reference/mills_table.py (mpmath, 200 digits); every entry is the nearest double, checked by tests/numeric/mills_test.cc.")
    print('#include "tacet/numeric/mills_table.h"\n')
    print("namespace tacet::numeric {\n")
    print("// clang-format off")
    print("const double kMillsTable[kMillsRows][kMillsColumns] = {")
    for i in range(ROWS):
        values = [v.hex() for v in coefficients(mpmath.mpf(i) / STEPS_PER_UNIT)]
        lines = [", ".join(values[j:j + 4]) for j in range(0, COLUMNS, 4)]
        print("  {" + ",\n   ".join(lines) + "},")
    print("};")
    print("// clang-format on\n")
    print("}  // namespace tacet::numeric")


if __name__ == "__main__":
    main()
