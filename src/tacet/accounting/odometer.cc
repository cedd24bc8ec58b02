#include "tacet/accounting/odometer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/losses.h"
#include "tacet/base/wide.h"
#include "tacet/exact/directed.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

using exact::FixedDecimal;

constexpr long double kFew = 0x1p-58L;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kLargestN = 1000000000000000000;

/// Reads FixedDecimal::to_string back.
Result<FixedDecimal> total_from(std::string_view text) {
  if (text == FixedDecimal::unlimited().to_string()) return FixedDecimal::unlimited();
  TACET_TRY(const Decimal value, Decimal::parse(text));
  if (value < Decimal()) return Error::invalid("total", value.to_string(), "must not be negative");
  FixedDecimal total = FixedDecimal::at_least(value);
  if (total != FixedDecimal::at_most(value))
    return Error::invalid("total", value.to_string(), "must be less than 5e36 and have at most 40 digits after the point");
  return total;
}

/// The probability that the two branches fail: the left side of the equation for beta in the proof
/// of 5.6.5, at the beta of (5.17), delta_g^2 / (48 e log(n)^2); and the delta of Lemma 5.6.4 in
/// (5.18).
long double failure(long double delta_g, long double n) {
  const long double log_n = std::log(n);
  const long double beta = delta_g * delta_g / (48 * std::numbers::e_v<long double> * log_n * log_n);
  const long double first = 2 * std::sqrt(std::numbers::e_v<long double>) * (beta + 2 * log_n * std::sqrt(0.74L * beta));
  const long double second = delta_g / (4 * std::log2(n));
  return first + second;
}

}  // namespace

Odometer::Odometer(Decimal delta_g, std::uint64_t n) : delta_g_(std::move(delta_g)), n_(n) {
  const long double delta = to_long_double(delta_g_);
  const auto count = static_cast<long double>(n);
  log_narrow_ = std::log(48 * std::numbers::e_v<long double>) + 2 * std::log(std::log(count) / delta);
  log_wide_ = std::log(4 * std::log2(count) / delta);
  delta_limit_ = FixedDecimal::at_most(delta_g_);
  const FixedDecimal left = FixedDecimal::at_most(mpq_class(exact::reduced(std::max(delta - failure(delta, count), 0.0L), 16 * kFew)));
  delta_limit_advanced_ = std::min(left, FixedDecimal::at_most(delta_g_ * *Decimal::parse("0.5")));
}

Result<Odometer> Odometer::of(const privacy::Delta& delta_g, std::uint64_t n) {
  const long double delta = to_long_double(delta_g.value());
  if (!(delta > 0) || delta >= 1 / std::numbers::e_v<long double>) {
    return Error::invalid("delta", delta_g.value().to_string(), "must be greater than 0 and less than 1/e for an odometer");
  }
  if (n < 2 || n > kLargestN) return Error::invalid("n", std::to_string(n), "must be at least 2 and at most 10^18");
  return Odometer(delta_g.value(), n);
}

Status Odometer::spend(const privacy::Step& step, std::uint64_t times) {
  if (times == 0) return Error::invalid("times", "0", "must be at least 1");
  const std::optional<privacy::Step::InEpsilon> one = step.in_epsilon;
  if (!one) {
    return Error::of(Code::Unsupported, "an odometer in epsilon cannot count a loss without an epsilon",
                     "for Gaussian losses read zcdp_odometer of their rho");
  }
  const std::optional<std::uint64_t> steps = checked_add(steps_, times);
  if (!steps) return Error::invalid("times", std::to_string(times), "must not exceed 2^64 steps altogether");
  const auto all = [times](const mpz_class& single) { return FixedDecimal::of_units(single * mpz_class(times)); };
  epsilon_ += all(one->epsilon);
  epsilon_squared_ += all(one->epsilon_squared);
  drift_ += all(one->drift);
  delta_ += all(one->delta);
  steps_ = *steps;
  return {};
}

double Odometer::advanced() const {
  if (delta_ > delta_limit_advanced_ || drift_.is_unlimited() || epsilon_squared_.is_unlimited()) return kInfinity;
  const auto n = static_cast<long double>(n_);
  const long double squares = epsilon_squared_.approximate();
  const long double narrow = 2 * squares * log_narrow_;
  const long double wide = 2 * (1 / (n * n) + squares) * (1 + std::log1p(n * n * squares) / 2) * log_wide_;
  // If rounding leaves open on which side of 1/n^2 or 1 the sum lies, take the larger bound.
  const auto beyond = [&](long double slack) { return squares * n * n * (1 + slack) < 1 || squares > 1 + slack; };
  const bool surely_inside = !beyond(-8 * kFew);
  const bool surely_outside = beyond(8 * kFew);
  const long double spread = surely_outside ? wide : surely_inside ? narrow : std::max(narrow, wide);
  return exact::enlarged(drift_.approximate() + std::sqrt(spread), 4 * kFew);
}

Result<double> Odometer::advanced_at(double x) const {
  if (!(x >= 1e-300 && x <= 1e300)) return Error::invalid("x", fmt::format("{}", x), "must be at least 1e-300 and at most 1e300");
  if (delta_ > FixedDecimal::at_most(delta_g_ * *Decimal::parse("0.5")) || drift_.is_unlimited() || epsilon_squared_.is_unlimited())
    return kInfinity;
  const long double squares = epsilon_squared_.approximate();
  const long double log_delta = std::log(2 / to_long_double(delta_g_));
  const long double spread = 2 * (squares + x) * (1 + std::log1p(squares / x) / 2) * log_delta;
  return exact::enlarged(drift_.approximate() + std::sqrt(spread), 4 * kFew);
}

double Odometer::basic() const { return delta_ > delta_limit_ ? kInfinity : exact::enlarged(epsilon_.approximate(), kFew); }

double Odometer::bound() const { return delta_ > delta_limit_advanced_ ? basic() : std::min(basic(), advanced()); }

std::string Odometer::state() const {
  return fmt::format("odometer 1 {} {} {} {} {} {} {}", delta_g_.to_string(), n_, steps_, epsilon_.to_string(),
                     epsilon_squared_.to_string(), drift_.to_string(), delta_.to_string());
}

Result<Odometer> Odometer::parse(std::string_view state) {
  const Error wrong =
      Error::invalid("odometer", fmt::format("\"{}\"", state.substr(0, 60)), "must be the state of an odometer, as state() writes it");
  std::vector<std::string_view> words;
  for (std::string_view rest = state; words.size() <= 9;) {
    const std::size_t end = rest.find(' ');
    words.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (words.size() != 9 || words[0] != "odometer" || words[1] != "1") return wrong;
  std::array<std::uint64_t, 2> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string_view word = words[3 + i];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), counts[i]);
    if (error != std::errc() || end != word.data() + word.size()) return wrong;
  }
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(words[2]));
  TACET_TRY(Odometer odometer, of(delta, counts[0]));
  odometer.steps_ = counts[1];
  TACET_TRY(odometer.epsilon_, total_from(words[5]));
  TACET_TRY(odometer.epsilon_squared_, total_from(words[6]));
  TACET_TRY(odometer.drift_, total_from(words[7]));
  TACET_TRY(odometer.delta_, total_from(words[8]));
  if (odometer.state() != state) return wrong;
  return odometer;
}

}  // namespace tacet::accounting
