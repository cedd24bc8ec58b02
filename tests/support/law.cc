#include "support/law.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <mpfr.h>

namespace tacet::test {
namespace {

constexpr mpfr_prec_t kPrecision = 200;

class Real {
 public:
  Real() { mpfr_init2(value_, kPrecision); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

/// x = (2k - 1)/(2 scale), the left edge of what rounds to k.
void left_edge(mpfr_ptr x, Int128 k, double scale) {
  const Int128 doubled = 2 * k - 1;
  const bool negative = doubled < 0;
  const UInt128 magnitude = negative ? -static_cast<UInt128>(doubled) : static_cast<UInt128>(doubled);
  mpfr_set_ui(x, static_cast<unsigned long>(magnitude >> 64), MPFR_RNDN);
  mpfr_mul_2ui(x, x, 64, MPFR_RNDN);
  mpfr_add_ui(x, x, static_cast<unsigned long>(magnitude), MPFR_RNDN);
  if (negative) mpfr_neg(x, x, MPFR_RNDN);
  mpfr_div_2ui(x, x, 1, MPFR_RNDN);
  mpfr_div_d(x, x, scale, MPFR_RNDN);
}

/// q = P[Z > x].
void survival(mpfr_ptr q, Family family, mpfr_srcptr x) {
  if (family == Family::Gaussian) {
    Real root;
    mpfr_sqrt_ui(root.get(), 2, MPFR_RNDN);
    mpfr_div(q, x, root.get(), MPFR_RNDN);
    mpfr_erfc(q, q, MPFR_RNDN);
    mpfr_div_2ui(q, q, 1, MPFR_RNDN);
    return;
  }
  const bool negative = mpfr_sgn(x) < 0;
  mpfr_abs(q, x, MPFR_RNDN);
  mpfr_neg(q, q, MPFR_RNDN);
  mpfr_exp(q, q, MPFR_RNDN);
  mpfr_div_2ui(q, q, 1, MPFR_RNDN);
  if (negative) mpfr_ui_sub(q, 1, q, MPFR_RNDN);
}

/// P[bit b of z is set], in two's complement. For the Gaussian it differs from 1/2 by less than
/// exp(-pi^2 2^9) where it is used, because 2^(b+1) <= scale/16 (Poisson summation). For Laplace,
/// sum the geometric series over all k with bit b set: with h = 2^b, (e^(-(h - 1/2)/s) +
/// e^(-1/(2s))) / (2 (1 + e^(-h/s))).
double bit_probability(Family family, double scale, int b) {
  if (family == Family::Gaussian) return 0.5;
  const double h = std::ldexp(1.0, b);
  return (std::exp(-(h - 0.5) / scale) + std::exp(-0.5 / scale)) / (2 * (1 + std::exp(-h / scale)));
}

/// P[z = r modulo m]: 1/m for the Gaussian as above; for Laplace the geometric series again, P[k] =
/// sinh(1/(2s)) e^(-|k|/s) for k != 0.
double residue_probability(Family family, double scale, unsigned r, unsigned m) {
  if (family == Family::Gaussian) return 1.0 / m;
  const double c = std::sinh(0.5 / scale), all = -std::expm1(-(m / scale));
  if (r == 0) return -std::expm1(-0.5 / scale) + 2 * c * std::exp(-(m / scale)) / all;
  return c * (std::exp(-(r / scale)) + std::exp(-((m - r) / scale))) / all;
}

}  // namespace

double upper_tail(Family family, double scale, Int128 low) {
  Real x, q;
  left_edge(x.get(), low, scale);
  survival(q.get(), family, x.get());
  return mpfr_get_d(q.get(), MPFR_RNDN);
}

double probability(Family family, double scale, Int128 low, Int128 high) {
  if (low > high) return 0;
  if (high < 0) return probability(family, scale, -high, -low);  // where the survival function keeps its digits
  Real x, from, to;
  left_edge(x.get(), low, scale);
  survival(from.get(), family, x.get());
  left_edge(x.get(), high + 1, scale);
  survival(to.get(), family, x.get());
  mpfr_sub(from.get(), from.get(), to.get(), MPFR_RNDN);
  return mpfr_get_d(from.get(), MPFR_RNDN);
}

Census::Census(Family family, double scale)
    : family_(family),
      scale_(scale),
      shift_(std::max(0, std::ilogb(scale) - 3)),
      four_scales_(static_cast<Int128>(std::ceil(4 * scale))),
      six_scales_(static_cast<Int128>(std::ceil(6 * scale))) {
  if (scale < 64) return;
  bytes_ = std::min<std::size_t>(low_.size(), static_cast<std::size_t>(std::max(1, (std::ilogb(scale) - 4) / 8)));
  const double unit = family == Family::Gaussian ? 1.25 * scale : scale;
  for (std::size_t i = 0; i < kBoundaries; ++i) boundary_[i] = static_cast<Int128>(std::ceil(static_cast<double>(i + 1) * unit));
  for (std::size_t i = 0; i < kWidths; ++i)
    width_[i] = std::max<Int128>(1, static_cast<Int128>(std::ldexp(unit, -static_cast<int>(4 + 2 * i))));
  window_from_ = boundary_.front() - width_.front();
  window_to_ = boundary_.back() + width_.front();
}

void Census::count_windows(Int128 magnitude) {
  for (std::size_t i = 0; i < kBoundaries; ++i) {
    const Int128 beyond = magnitude - boundary_[i];
    const std::size_t side = beyond >= 0 ? 1 : 0;
    const Int128 distance = beyond >= 0 ? beyond : -beyond - 1;  // [boundary - width, boundary) and [boundary, boundary + width)
    for (std::size_t w = 0; w < kWidths && distance < width_[w]; ++w) ++windows_[i][side][w];
  }
}

std::vector<Event> Census::events() const {
  std::vector<Event> events;
  std::uint64_t above = size_;
  for (int bin = -kHalf; bin < kHalf; ++bin) {
    const Int128 from = static_cast<Int128>(bin) * (Int128{1} << shift_), to = from + (Int128{1} << shift_) - 1;
    const std::uint64_t count = bins_[static_cast<std::size_t>(bin + kHalf)];
    if (bin > -kHalf) events.push_back({fmt::format("z >= {}", to_string(from)), upper_tail(family_, scale_, from), above});
    above -= count;
    const double p = bin == -kHalf      ? upper_tail(family_, scale_, -to)
                     : bin == kHalf - 1 ? upper_tail(family_, scale_, from)
                                        : probability(family_, scale_, from, to);
    events.push_back(
        {fmt::format("{} <= z <= {}{}", to_string(from), to_string(to), std::abs(2 * bin + 1) == 2 * kHalf - 1 ? " or further out" : ""), p,
         count});
  }
  events.push_back({"|z| >= 4 scales", 2 * upper_tail(family_, scale_, std::max<Int128>(1, four_scales_)), beyond_four_});
  events.push_back({"|z| >= 6 scales", 2 * upper_tail(family_, scale_, std::max<Int128>(1, six_scales_)), beyond_six_});
  if (bytes_ == 0) return events;

  for (unsigned m = 2; m <= 8; m *= 2) {
    for (unsigned r = 0; r < m; ++r) {
      std::uint64_t count = 0;
      for (unsigned value = r; value < 256; value += m) count += low_[0][value];
      events.push_back({fmt::format("z = {} modulo {}", r, m), residue_probability(family_, scale_, r, m), count});
    }
  }
  for (int b = 0; b < static_cast<int>(8 * bytes_) && std::ldexp(1.0, b + 1) <= scale_ / 16; ++b) {
    std::uint64_t count = 0;
    for (unsigned value = 0; value < 256; ++value) {
      if ((value >> (b % 8) & 1U) != 0) count += low_[static_cast<std::size_t>(b / 8)][value];
    }
    events.push_back({fmt::format("bit {} of z", b), bit_probability(family_, scale_, b), count});
  }
  for (std::size_t i = 0; i < kBoundaries; ++i) {
    for (std::size_t w = 0; w < kWidths; ++w) {
      const Int128 at = boundary_[i], width = width_[w];
      events.push_back({fmt::format("|z| less than {} below v = {}", to_string(width), i + 1),
                        2 * probability(family_, scale_, at - width, at - 1), windows_[i][0][w]});
      events.push_back({fmt::format("|z| less than {} above v = {}", to_string(width), i + 1),
                        2 * probability(family_, scale_, at, at + width - 1), windows_[i][1][w]});
    }
  }
  return events;
}

std::uint64_t draws_for(Family family, const CensusPromise& promise) {
  constexpr std::uint64_t kEvents = 620;
  // A tail of a census is near the one that tells scales apart best (1.6 scales for the Gaussian, 2
  // for Laplace); its edges are at most 1/8 scale apart.
  constexpr double kLarge = 1 << 20;
  const auto edge = static_cast<Int128>((family == Family::Gaussian ? 1.5 : 2.0) * kLarge);
  const double p = upper_tail(family, kLarge, edge), faulty = upper_tail(family, kLarge * (1 - promise.scale_shift), edge);
  return std::max(draws_to_tell(p, faulty, kEvents, promise.false_alarm, promise.miss),
                  draws_to_tell(0.5, 0.5 + promise.bit_shift, kEvents, promise.false_alarm, promise.miss));
}

Verdict judge_two_samples(const Census& first, const Census& second, double false_alarm) {
  const std::vector<Event> a = first.events(), b = second.events();
  if (first.size() != second.size() || a.size() != b.size()) std::abort();
  Verdict verdict{false, "no events"};
  double worst = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double threshold = two_sample_threshold(a[i].count + b[i].count, a.size(), false_alarm);
    const double difference = std::fabs(static_cast<double>(a[i].count) - static_cast<double>(b[i].count));
    if (threshold == 0) continue;  // seen in neither sample
    if (difference >= threshold) verdict.red = true;
    if (difference / threshold > worst) {
      worst = difference / threshold;
      verdict.worst = fmt::format("{}: {} against {} times, difference red at {:.6g}", a[i].name, a[i].count, b[i].count, threshold);
    }
  }
  return verdict;
}

}  // namespace tacet::test
