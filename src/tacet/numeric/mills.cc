#include "tacet/numeric/mills.h"

#include <algorithm>
#include <cmath>

#include "tacet/numeric/mills_table.h"

// Error bounds below are in units of 2^-53, relative to the result unless said otherwise.
namespace tacet::numeric {
namespace {

constexpr double kTableEnd = 8;
constexpr int kMillsDegree = 12;

int nearest_row(double x) { return std::clamp(static_cast<int>(std::nearbyint(x * kMillsRowsPerUnit)), 0, kMillsRows - 1); }

// M(x + d) for a row x and |d| <= 1/16; d is exact. The steps are s_n = M_n - d s_{n+1} with 0 < s_n <= 1.1 M_n and M_1 <= 0.8 M_0, so that
// an error of e_1 M_1 in s_1 and the rounding of d s_1 add at most 0.06 (e_1 + 1) to those of the last difference (1) and of the entry (1);
// likewise e_1 < 3. In all below 2.3. What is left out is M_13(y) |d|^13 for some y >= 0, at most M_13(0)/16^13 = 1/135135/16^13 < 1e-20:
// below 0.001.
double mills_by_table(double x) {
  const int row = nearest_row(x);
  const double d = x - row / kMillsRowsPerUnit;
  const double* coefficients = kMillsTable[row];
  double sum = coefficients[kMillsDegree];
  for (int n = kMillsDegree - 1; n >= 0; --n) sum = coefficients[n] - d * sum;
  return sum;
}

// Where the fraction begins so that r_0 errs by less than 0.07 for that reason (2^-57; worst at the lower end of each interval).
int depth(double x) {
  if (x < 10) return 15;
  if (x < 14) return 13;
  if (x < 20) return 10;
  if (x < 40) return 8;
  if (x < 100) return 6;
  if (x < 1e4) return 4;
  return x < 1e9 ? 2 : 1;
}

// r_n = M_n/M_{n-1} = 1/(x + (n+1) r_{n+1}). As 0 < r_{n+1} < 1/x, r_n lies between 1/(x + (n+1)/x) and 1/x; the recursion begins in the
// middle. A relative error of r_{n+1} enters r_n with the weight w = (n+1) r_n r_{n+1} <= 1/4 (x >= 8, n <= 20), and three roundings
// add w + 2: so every r_n errs by less than (2 + w)/(1 - w) <= 3, besides what the beginning adds.
double first_ratio(double x, int n) { return 0.5 * (1 / x + 1 / (x + (n + 1) / x)); }
double ratio_before(double x, int n, double next) { return 1 / (x + (n + 1) * next); }

double mills_by_fraction(double x) {
  const int deepest = depth(x);
  double r = first_ratio(x, deepest);
  for (int n = deepest - 1; n >= 0; --n) r = ratio_before(x, n, r);
  return r;
}

// With m = x + d for a row x, p_n = ((d + h)^n - (d - h)^n)/(2 h): the gap is 2 h sum of (-1)^(n-1) M_n(x) p_n, p_1 = 1, p_2 = 2 d,
// p_{n+1} = 2 d p_n - (d^2 - h^2) p_{n-1}: Clenshaw's recurrence b_n = M_n - 2 d b_{n+1} + (h^2 - d^2) b_{n+2}, b_n <= 1.2 M_n. As |2 d| <=
// 1/8, |h^2 - d^2| <= 1/256 and M_{n+1} <= 0.8 M_n, a step adds 1 for the entry, 1 for the sum and less than 1 for the rest; the products
// by h and 2 add 1. In all below 4. What is left out: the sum is a mean of -M' over the interval, and -M' is its Taylor polynomial up to 16
// M_16(y) |y - x|^15 with y >= -1/16 and |y - x| <= 1/8, which is below 16 * 3e-7 * 8^-15 < 2e-19, while the mean is above 0.01: below 0.2.
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

// 2 h M_1 (1 + r_2 r_3 h^2 (1 + r_4 r_5 h^2 (1 + ...))): with r_n h < h/m <= 1/128 what follows the fifth term is below 128^-10, and errors
// of r_2, r_3, ... hardly count. The two first ratios err by 3.1 each, three products by 1 each and the sum by 1: in all below 11.
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

// At an exact x the error is below 4. An uncertain x adds at most -M' = M_1 = 1 - x M <= 1/(1 + x^2) times its radius, as M >= x/(1 + x^2);
// taken 1.1-fold for the other points of the ball.
Ball mills(const Ball& x) {
  constexpr double kError = 4;
  const bool served = x.mid >= 0 && x.rad <= 0.001 * (1 + x.mid);  // false for NaN
  if (!served) return {0, kInfinity};
  const double value = mills(x.mid);
  return {value, kOutward * (kError * kUnit * value + 1.1 * x.rad / (1 + x.mid * x.mid)) + kTiny};
}

double mills_gap(double m, double h) { return m < kTableEnd ? gap_by_table(m, h) : gap_by_fraction(m, h); }

// At exact arguments the error is below 11. The gap's logarithm changes with m at a rate of at most 2 max M_2/M_1 over the interval, and
// M_2/M_1 <= 2/(y + sqrt(y^2 + 8)) at y (from n M_n^2 <= (n+1) M_{n+1} M_{n-1}, Cauchy and Schwarz): below 2/(1 + m/2). With log h it changes at
// a rate of at most 1 + 3 h^2 < 1.1.
Ball mills_gap(const Ball& m, const Ball& h) {
  constexpr double kError = 12;
  const bool served = m.mid >= 0 && m.rad <= 0.001 * (1 + m.mid) && h.mid > 0 && h.mid <= kMostGapHalf && h.rad <= 0.001 * h.mid;
  if (!served) return {0, kInfinity};
  const double value = mills_gap(m.mid, h.mid);
  return {value, kOutward * value * (kError * kUnit + 2.1 * m.rad / (1 + 0.5 * m.mid) + 1.1 * h.rad / h.mid) + kTiny};
}

}  // namespace tacet::numeric
