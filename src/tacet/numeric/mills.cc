#include "tacet/numeric/mills.h"

#include <algorithm>
#include <cmath>

#include "tacet/numeric/mills_table.h"

// Error bounds below are in units of 2^-53, relative to the result unless stated otherwise. Their
// derivation is in docs/explanation/mills_ratio.md.
namespace tacet::numeric {
namespace {

constexpr double kTableEnd = 8;
constexpr int kMillsDegree = 12;

int nearest_row(double x) { return std::clamp(static_cast<int>(std::nearbyint(x * kMillsRowsPerUnit)), 0, kMillsRows - 1); }

// M(x + d) for a row x of the table and |d| <= 1/16: s_n = M_n - d s_{n+1}. Error below 2.3, of
// which the terms left out contribute less than 0.001.
double mills_by_table(double x) {
  const int row = nearest_row(x);
  const double d = x - row / kMillsRowsPerUnit;
  const double* coefficients = kMillsTable[row];
  double sum = coefficients[kMillsDegree];
  for (int n = kMillsDegree - 1; n >= 0; --n) sum = coefficients[n] - d * sum;
  return sum;
}

// The level at which the fraction starts, so that the start contributes less than 0.07 (2^-57) to
// the error of r_0; the worst case is the lower end of each interval.
int depth(double x) {
  if (x < 10) return 15;
  if (x < 14) return 13;
  if (x < 20) return 10;
  if (x < 40) return 8;
  if (x < 100) return 6;
  if (x < 1e4) return 4;
  return x < 1e9 ? 2 : 1;
}

// r_n = M_n/M_{n-1} = 1/(x + (n+1) r_{n+1}) lies between 1/(x + (n+1)/x) and 1/x; the recursion
// starts in the middle. For x >= 8 and n <= 20 every r_n errs by less than 3, apart from the
// start.
double first_ratio(double x, int n) { return 0.5 * (1 / x + 1 / (x + (n + 1) / x)); }
double ratio_before(double x, int n, double next) { return 1 / (x + (n + 1) * next); }

double mills_by_fraction(double x) {
  const int deepest = depth(x);
  double r = first_ratio(x, deepest);
  for (int n = deepest - 1; n >= 0; --n) r = ratio_before(x, n, r);
  return r;
}

// With m = x + d for a row x, the gap is 2 h (sum of (-1)^(n-1) M_n(x) p_n), where
// p_n = ((d + h)^n - (d - h)^n)/(2 h) satisfies p_{n+1} = 2 d p_n - (d^2 - h^2) p_{n-1}.
// Clenshaw's recurrence sums it. Error below 4; the terms left out contribute less than 0.2.
double gap_by_table(double m, double h) {
  const int row = nearest_row(m);
  const double d = m - row / kMillsRowsPerUnit;
  const double twice = -2 * d;
  const double minus_product = h * h - d * d;
  const double* coefficients = kMillsTable[row];
  double next = coefficients[kMillsColumns - 1];
  double sum = coefficients[kMillsColumns - 2] + twice * next;
  for (int n = kMillsColumns - 3; n >= 1; --n) {
    const double here = coefficients[n] + (twice * sum + minus_product * next);
    next = sum;
    sum = here;
  }
  return sum * h * 2;
}

// The gap is 2 h M_1 (1 + r_2 r_3 h^2 (1 + r_4 r_5 h^2 (1 + ...))). As r_n h < h/m <= 1/128, the
// terms after the fifth are below 128^-10. Error below 11.
double gap_by_fraction(double m, double h) {
  constexpr int kPairs = 4;
  const int deepest = std::max(depth(m) + 3, 2 * kPairs + 2);
  double r = first_ratio(m, deepest);
  for (int n = deepest - 1; n >= 2 * kPairs + 2; --n) r = ratio_before(m, n, r);
  double series = 1;
  for (int pair = kPairs; pair >= 1; --pair) {
    const double odd = ratio_before(m, 2 * pair + 1, r);
    r = ratio_before(m, 2 * pair, odd);
    series = 1 + odd * r * (h * h) * series;
  }
  const double first = ratio_before(m, 1, r);
  const double zeroth = ratio_before(m, 0, first);
  return series * first * zeroth * h * 2;
}

}  // namespace

double mills(double x) { return x < kTableEnd ? mills_by_table(x) : mills_by_fraction(x); }

// At an exact x the error is below 4. An uncertain x adds at most max |M'| <= 1/(1 + x^2) times
// its radius; the factor 1.1 covers the other points of the ball.
Ball mills(const Ball& x) {
  constexpr double kError = 4;
  const bool served = x.mid >= 0 && x.rad <= 0.001 * (1 + x.mid);  // false for NaN
  if (!served) return {0, kInfinity};
  const double value = mills(x.mid);
  return {value, kOutward * (kError * kUnit * value + 1.1 * x.rad / (1 + x.mid * x.mid)) + kTiny};
}

double mills_gap(double m, double h) { return m < kTableEnd ? gap_by_table(m, h) : gap_by_fraction(m, h); }

// At exact arguments the error is below 11. The derivative of log(gap) is at most 4/(1 + m/2) with
// respect to m, and at most 1 + 3 h^2 < 1.1 with respect to log h.
Ball mills_gap(const Ball& m, const Ball& h) {
  constexpr double kError = 12;
  const bool served = m.mid >= 0 && m.rad <= 0.001 * (1 + m.mid) && h.mid > 0 && h.mid <= kMostGapHalf && h.rad <= 0.001 * h.mid;
  if (!served) return {0, kInfinity};
  const double value = mills_gap(m.mid, h.mid);
  return {value, kOutward * value * (kError * kUnit + 2.1 * m.rad / (1 + 0.5 * m.mid) + 1.1 * h.rad / h.mid) + kTiny};
}

}  // namespace tacet::numeric
