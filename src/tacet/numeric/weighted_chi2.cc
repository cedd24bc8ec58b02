#include "tacet/numeric/weighted_chi2.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tacet/numeric/normal.h"

namespace tacet::numeric {
namespace {

constexpr double kBranch = 0.5;  // b of the derivation; the largest weight is 1
constexpr std::size_t kMostTerms = 1'000'000;

/// A complex number whose products skip the checks for infinities.
struct Complex {
  double re, im;
};
Complex operator*(const Complex& a, const Complex& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex operator/(const Complex& a, const Complex& b) {
  const double norm = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
}

/// The logarithm of a product of factors with arguments in (-pi, 0]. It counts full turns of the
/// product, so that the argument is continuous.
class LogProduct {
 public:
  void multiply(const Complex& factor) {
    const Complex next = product_ * factor;
    // A clockwise turn below pi crosses the negative axis exactly if it leads from the lower half
    // plane into the upper.
    if (product_.im <= 0 && next.im > 0) ++turns_;
    product_ = next;
    if (++since_ == 8) rescale();
  }
  Complex log() {
    rescale();
    const double norm = product_.re * product_.re + product_.im * product_.im;
    double argument = std::atan2(product_.im, product_.re);
    // On the negative axis, reached from below.
    if (argument == std::numbers::pi) argument = -std::numbers::pi;
    return {0.5 * std::log(norm) + exponent_ * std::numbers::ln2, argument - 2 * std::numbers::pi * turns_};
  }

 private:
  void rescale() {
    since_ = 0;
    const int shift = std::ilogb(std::abs(product_.re) + std::abs(product_.im));
    product_ = {std::ldexp(product_.re, -shift), std::ldexp(product_.im, -shift)};
    exponent_ += shift;
  }
  Complex product_{1, 0};
  int turns_ = 0, since_ = 0;
  double exponent_ = 0;
};

/// Neumaier's sum: it keeps the rounding errors.
class Sum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    rest_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

Status check(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  return Error::invalid(name, fmt::format("{}", value), fmt::format("must be a finite number between {} and {}", least, most));
}

}  // namespace

/// The contour for one q, and on it the integrand exp(K(s) - s q) relative to its value
/// exp(height) at s = c.
struct WeightedChi2::Contour {
  double c, q, height;
  std::vector<double> slope;  // g = 2 w/(1 - 2 w c): 1 - 2 w s = (1 - 2 w c)(1 - g (s - c))
  std::vector<double> pull;   // noncentrality w/(1 - 2 w c)^2
  const std::vector<ChiTerm>* terms;

  Contour(const WeightedChi2& distribution, double q_in, double c_in) : c(c_in), q(q_in), height(0), terms(&distribution.terms_) {
    Sum sum;
    slope.reserve(terms->size());
    if (!distribution.central_) pull.reserve(terms->size());
    for (const ChiTerm& term : *terms) {
      const double rest = 1 - 2 * term.weight * c;
      slope.push_back(2 * term.weight / rest);
      sum.add(-0.5 * term.df * std::log1p(-2 * term.weight * c));
      if (distribution.central_) continue;
      pull.push_back(term.noncentrality * term.weight / (rest * rest));
      sum.add(term.noncentrality * term.weight * c / rest);
    }
    sum.add(-c * q);
    height = sum.value();
  }

  /// exp(K(s) - s q - height) s'(t), at s = c + w.
  Complex integrand(double t, Complex& s) const {
    const double beta = kBranch - c;
    const Complex w{t * t / (4 * beta), t};
    s = {c + w.re, w.im};
    Complex exponent{-w.re * q, -w.im * q};
    for (std::size_t i = 0; i < terms->size();) {
      const double df = (*terms)[i].df;
      LogProduct product;
      for (; i < terms->size() && (*terms)[i].df == df; ++i) product.multiply({1 - slope[i] * w.re, -slope[i] * w.im});
      const Complex log = product.log();
      exponent.re -= 0.5 * df * log.re;
      exponent.im -= 0.5 * df * log.im;
    }
    for (std::size_t i = 0; i < pull.size(); ++i) {
      const Complex part = w / Complex{1 - slope[i] * w.re, -slope[i] * w.im};
      exponent.re += pull[i] * part.re;
      exponent.im += pull[i] * part.im;
    }
    const double size = std::exp(exponent.re);
    return Complex{size * std::cos(exponent.im), size * std::sin(exponent.im)} * Complex{t / (2 * beta), 1};
  }
};

Result<WeightedChi2> WeightedChi2::of(std::span<const ChiTerm> terms) {
  if (terms.empty() || terms.size() > kMostTerms) {
    return Error::invalid("number of weights", fmt::format("{}", terms.size()), "must be between 1 and 1000000");
  }
  WeightedChi2 distribution;
  distribution.terms_.assign(terms.begin(), terms.end());
  distribution.scale_ = 0;
  for (const ChiTerm& term : distribution.terms_) {
    TACET_CHECK(check("weight", term.weight, 1e-100, 1e100));
    TACET_CHECK(check("df", term.df, 1e-3, 1e9));
    TACET_CHECK(check("noncentrality", term.noncentrality, 0, 1e9));
    distribution.scale_ = std::max(distribution.scale_, term.weight);
    distribution.central_ = distribution.central_ && term.noncentrality == 0;
  }
  // Equal weights become one term with the sum of their degrees of freedom.
  std::sort(distribution.terms_.begin(), distribution.terms_.end(), [](const ChiTerm& a, const ChiTerm& b) { return a.weight > b.weight; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < distribution.terms_.size(); ++i) {
    if (distribution.terms_[i].weight == distribution.terms_[last].weight) {
      distribution.terms_[last].df += distribution.terms_[i].df;
      distribution.terms_[last].noncentrality += distribution.terms_[i].noncentrality;
    } else {
      distribution.terms_[++last] = distribution.terms_[i];
    }
  }
  distribution.terms_.resize(last + 1, ChiTerm{.weight = 1});
  for (ChiTerm& term : distribution.terms_) term.weight /= distribution.scale_;
  std::stable_sort(distribution.terms_.begin(), distribution.terms_.end(), [](const ChiTerm& a, const ChiTerm& b) { return a.df < b.df; });
  distribution.moments_at(0, distribution.mean_, distribution.variance_);
  distribution.mean_ *= distribution.scale_;
  distribution.variance_ *= distribution.scale_ * distribution.scale_;
  return distribution;
}

Result<WeightedChi2> WeightedChi2::of_weights(std::span<const double> weights) {
  std::vector<ChiTerm> terms;
  terms.reserve(weights.size());
  for (const double weight : weights) terms.push_back({.weight = weight});
  return of(terms);
}

/// K'(c) and K''(c), in units of the largest weight.
void WeightedChi2::moments_at(double c, double& first, double& second) const {
  Sum one;
  Sum two;
  for (const ChiTerm& term : terms_) {
    const double part = term.weight / (1 - 2 * term.weight * c);
    const double tilt = term.noncentrality / (1 - 2 * term.weight * c);
    one.add(part * (term.df + tilt));
    two.add(2 * part * part * (term.df + 2 * tilt));
  }
  first = one.value();
  second = two.value();
}

/// The saddle point, to a tenth of a standard deviation of the tilted distribution. Any c is
/// correct; this one makes the integrand small.
double WeightedChi2::saddle(double q) const {
  double low = -std::numeric_limits<double>::infinity();
  double high = kBranch;
  double c = 0;
  for (int round = 0; round < 200; ++round) {
    double first = 0;
    double second = 0;
    moments_at(c, first, second);
    if (std::abs(first - q) <= 0.1 * std::sqrt(second)) break;
    (first < q ? low : high) = c;
    // Newton's method on 1/K', which is nearly linear, and linear for one weight.
    double next = c + (1 - first / q) * first / second;
    const bool inside = next > low && next < high;
    if (!inside) next = std::isinf(low) ? 2 * std::min(c, 0.0) - 1 : 0.5 * (low + high);
    c = next;
  }
  return c;
}

WeightedChi2::Tails WeightedChi2::tails(double unscaled) const {
  const double q = unscaled / scale_;
  if (!(q > 0)) return q <= 0 ? Tails{1, 0, 0} : Tails{q, q, q};
  if (!(q < 1e200)) return {0, 1, 0};
  // Near 0 the contour keeps a distance from the pole there: one standard deviation in the units
  // of s.
  const double away = std::min(kBranch / 5, 1 / (std::sqrt(variance_) / scale_));
  const double found = saddle(q);
  const double c = unscaled >= mean_ ? std::max(found, away) : std::min(found, -away);
  const Contour contour(*this, q, c);
  double first = 0;
  double second = 0;
  moments_at(c, first, second);
  const double beta = kBranch - c;
  const double pole = 2 * std::abs(std::sqrt(std::max(beta * beta + c * beta, 0.0)) - beta);
  const double reach = std::min({pole, 2 * beta, 6 / std::sqrt(second)});
  double step = 2 * std::numbers::pi * reach / (20 + 0.5 * second * reach * reach);

  // The step of the trapezium rule is halved until two results agree to half of the digits; each
  // halving about squares the error.
  constexpr double kHalfTheDigits = 3e-8;
  constexpr double kNegligible = 1e-18;
  constexpr int kMostNodes = 100'000;
  double tail = 0.5 / c;
  double density = 0.5;
  const auto add = [&](double from, double by) {
    int negligible = 0;
    for (int node = 0; negligible < 3 && node < kMostNodes; ++node) {
      Complex s{};
      const Complex value = contour.integrand(from + node * by, s);
      const Complex over = value / s;
      tail += over.im;
      density += value.im;
      const bool small =
          std::hypot(over.re, over.im) <= kNegligible * std::abs(tail) && std::hypot(value.re, value.im) <= kNegligible * std::abs(density);
      negligible = small ? negligible + 1 : 0;
    }
  };
  add(step, step);
  double before_tail = tail * step;
  double before_density = density * step;
  for (int halving = 0; halving < 12; ++halving) {
    add(0.5 * step, step);
    step *= 0.5;
    const bool agree = std::abs(tail * step - before_tail) <= kHalfTheDigits * std::abs(tail * step) &&
                       std::abs(density * step - before_density) <= kHalfTheDigits * std::abs(density * step);
    before_tail = tail * step;
    before_density = density * step;
    if (agree) break;
  }
  const double size = std::exp(contour.height) / std::numbers::pi;
  const double value = std::clamp(std::abs(before_tail) * size, 0.0, 1.0);
  const double slope = std::max(before_density * size / scale_, 0.0);
  return c > 0 ? Tails{value, 1 - value, slope} : Tails{1 - value, value, slope};
}

double WeightedChi2::upper(double q) const { return tails(q).upper; }
double WeightedChi2::lower(double q) const { return tails(q).lower; }
double WeightedChi2::density(double q) const { return tails(q).density; }

double WeightedChi2::quantile(double upper, double lower) const {
  const bool served = upper >= 1e-300 && lower >= 1e-300;  // false for NaN
  if (!served) return std::numeric_limits<double>::quiet_NaN();
  // Start: Wilson & Hilferty (1931) for the chi-square distribution with the same two moments; far
  // below, a fraction of the mean.
  const double df = 2 * mean_ * mean_ / variance_;
  const double z = upper <= lower ? normal_upper_quantile(upper) : normal_lower_quantile(lower);
  const double cube = 1 - 2 / (9 * df) + z * std::sqrt(2 / (9 * df));
  double q = mean_ * std::max(cube * cube * cube, 1e-3 * std::pow(lower, 2 / df));
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  const bool by_upper = upper <= lower;
  for (int round = 0; round < 200; ++round) {
    const Tails at = tails(q);
    const double tail = by_upper ? at.upper : at.lower;
    const bool beyond = by_upper ? tail < upper : tail > lower;
    (beyond ? high : low) = q;
    // log(tail) is nearly linear in q in the upper tail, and in log q in the lower tail.
    double next = 0;
    if (by_upper) {
      next = q + std::log(tail / upper) * tail / at.density;
    } else {
      next = q * std::exp(std::clamp(-std::log(tail / lower) * tail / (q * at.density), -50.0, 50.0));
    }
    const double moved = std::abs(next - q);
    const bool inside = next > low && next < high;
    if (inside && moved <= 1e-7 * q) return next;  // the next step would be about its square
    if (moved <= 1e-14 * q) return q;              // only rounding is left
    q = inside ? next : std::isinf(high) ? 2 * q : low > 0 ? std::sqrt(low * high) : 1e-3 * high;
  }
  return q;
}

double WeightedChi2::upper_quantile(double p) const { return quantile(p, 1 - p); }
double WeightedChi2::lower_quantile(double p) const { return quantile(1 - p, p); }

}  // namespace tacet::numeric
