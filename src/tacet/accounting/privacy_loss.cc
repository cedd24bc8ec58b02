#include "tacet/accounting/privacy_loss.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "tacet/accounting/loss_lattice.h"

namespace tacet::accounting {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr long double kAll = std::numeric_limits<long double>::infinity();
constexpr long double kNone = -kAll;
constexpr std::size_t kOwnSize = 1 << 18;
constexpr std::size_t kCommonSize = 1 << 19;
constexpr std::size_t kFewTerms = 8;  // more terms share a smaller circle, which bounds the time

/// Merges Gaussians into one and equal parameters into one term; the order of the input has no
/// effect.
std::vector<PrivacyLossTerm> canonical(const std::vector<PrivacyLossTerm>& given) {
  std::vector<PrivacyLossTerm> sorted = given;
  std::sort(sorted.begin(), sorted.end(), [](const PrivacyLossTerm& a, const PrivacyLossTerm& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.parameter != b.parameter) return a.parameter > b.parameter;
    return a.times > b.times;
  });
  std::vector<PrivacyLossTerm> terms;
  long double squares = 0;
  for (const PrivacyLossTerm& term : sorted) {
    if (term.kind == LossKind::Gaussian) {
      squares += static_cast<long double>(term.times) * term.parameter * term.parameter;
    } else if (!terms.empty() && terms.back().kind == term.kind && terms.back().parameter == term.parameter) {
      terms.back().times += term.times;
    } else {
      terms.push_back(term);
    }
  }
  if (squares > 0) terms.push_back({LossKind::Gaussian, std::sqrt(squares), 1});
  return terms;
}

/// delta as a function of epsilon, from the tilted distribution of the total on a lattice:
///   delta(e) = exp(log_scale - theta e) E[w(loss - e)],
///   where w(y) = exp(-theta y) (1 - exp(-y)) for y > 0, else 0.
class Curve {
 public:
  Curve(long double theta, const TiltedDistribution& distribution, long double radius, Side side)
      : theta_(theta),
        spacing_(distribution.spacing),
        first_(distribution.first),
        log_scale_(distribution.log_scale),
        radius_(radius),
        relative_(distribution.relative),
        side_(side) {
    // From the top down, at point j: let r = exp(-theta h), s = exp(-(1 + theta) h), and let a and
    // b be the sums over l > j of p_l r^(l-j) and p_l s^(l-j). The expectation is g = a - b; at
    // j - 1 it is r g + (r - s)(p_j + b). Nothing is subtracted.
    const long double r = std::exp(-theta * distribution.spacing);
    const long double s = std::exp(-(1 + theta) * distribution.spacing);
    const long double difference = -r * std::expm1(-static_cast<long double>(distribution.spacing));
    gain_.resize(distribution.p.size() + 1);
    fall_.resize(distribution.p.size() + 1);
    long double gain = 0;
    long double fall = 0;
    for (std::size_t i = distribution.p.size(); i-- > 0;) {
      gain_[i + 1] = static_cast<double>(gain);  // at the point `first + i`
      fall_[i + 1] = static_cast<double>(fall);
      gain = r * gain + difference * (distribution.p[i] + fall);
      fall = s * (distribution.p[i] + fall);
    }
    gain_[0] = static_cast<double>(gain);  // one point below the first
    fall_[0] = static_cast<double>(fall);
    // |sum of e_j w_j| <= |e|_2 |w|_2. w rises once and falls once, so the sum of its squares is
    // at most its integral over h plus its largest square.
    const long double t2 = 2 * theta;
    const long double largest = std::exp(theta * std::log(theta / (1 + theta))) / (1 + theta);
    const long double integral = 2 / (t2 * (t2 + 1) * (t2 + 2));
    const long double norm =
        std::sqrt(std::min(integral / distribution.spacing + largest * largest, static_cast<long double>(distribution.p.size())));
    error_ = distribution.error * norm + distribution.missing * largest + 1e-300L;
    relative_ += 64 * kUnit;
  }

  /// The logarithm of a bound on delta on the side of this curve.
  long double log_delta(long double epsilon_g) const {
    // The loss on the lattice and the true loss differ by at most `radius`.
    const long double e = side_ == Side::Upper ? epsilon_g - radius_ : epsilon_g + radius_;
    const auto last = static_cast<std::ptrdiff_t>(gain_.size()) - 1;
    const long double below = std::floor(e / spacing_) - static_cast<long double>(first_) + 1;
    const auto i = static_cast<std::ptrdiff_t>(std::clamp(below, 0.0L, static_cast<long double>(last)));
    const long double t = e - static_cast<long double>(first_ - 1 + i) * spacing_;
    long double inner = 0;
    if (below <= static_cast<long double>(last)) {
      const auto at = static_cast<std::size_t>(i);
      inner = std::exp(theta_ * t) * std::max(0.0L, static_cast<long double>(gain_[at]) - std::expm1(t) * fall_[at]);
    }
    const long double value = side_ == Side::Upper ? inner * (1 + relative_) + error_ : inner * (1 - relative_) - error_;
    const long double rounding = (std::abs(log_scale_) + std::abs(theta_ * e)) * 0x1p-56L;
    const long double exponent = log_scale_ - theta_ * e + (side_ == Side::Upper ? rounding : -rounding);
    const long double result = value > 0 ? exponent + std::log(value) : kNone;
    // If a number left its range, nothing is known.
    if (side_ == Side::Upper) return std::isnan(value) || std::isnan(result) ? kAll : result;
    return std::isnan(result) ? kNone : result;
  }

 private:
  long double theta_, spacing_;
  std::ptrdiff_t first_;
  long double log_scale_, radius_, relative_, error_ = 0;
  Side side_;
  std::vector<double> gain_, fall_;
};

/// Tilted distributions of the total on a common lattice, less and more private than the truth.
struct Totals {
  TiltedDistribution upper, lower;
  long double radius;  // the most that rounding to the lattice moves the total
};

class Summation {
 public:
  Summation(const std::vector<PrivacyLossTerm>& terms, long double theta)
      : theta_(theta),
        terms_(terms),
        window_(window_of(terms, theta)),
        own_(kOwnSize),
        common_(terms.size() <= kFewTerms ? kCommonSize : kOwnSize) {
    const std::size_t spare = terms.size() + 16;
    spacing_ = static_cast<double>((window_.high - window_.low) / static_cast<long double>(common_.size() - 2 * spare));
    first_ = static_cast<std::ptrdiff_t>(std::floor(window_.low / spacing_)) - static_cast<std::ptrdiff_t>(spare);
    radius_ = static_cast<long double>(terms.size()) * spacing_ / 2;
    up_ = theta + window_.toward_high;
    down_ = theta - window_.toward_low;
  }

  Totals totals() {
    Running upper(common_.size());
    Running lower(common_.size());
    bool differ = false;
    for (const PrivacyLossTerm& term : terms_) {
      if (term.kind == LossKind::Laplace) {
        differ = true;
        const TiltedDistribution less = laplace_distribution(term, theta_, Side::Upper, own_, {up_, down_});
        const TiltedDistribution more = laplace_distribution(term, theta_, Side::Lower, own_, {up_, down_});
        multiply(upper, rounded(less, theta_, spacing_, common_.size()), less.log_mgf[0], less.log_mgf[1]);
        multiply(lower, rounded(more, theta_, spacing_, common_.size()), more.log_mgf[0], more.log_mgf[1]);
      }
    }
    for (const PrivacyLossTerm& term : terms_) {
      if (term.kind == LossKind::Laplace) continue;
      const Circle circle = term.kind == LossKind::Response ? response_circle(term, theta_, spacing_, common_.size())
                                                            : gaussian_circle(term, theta_, spacing_, common_.size());
      multiply(upper, circle, log_mgf(term, up_), log_mgf(term, down_));
      if (differ) {  // the transform is still in data_
        lower.take(circle, common_, two_norm(circle.p), log_mgf(term, up_), log_mgf(term, down_));
        lower.times(data_);
      }
    }
    TiltedDistribution less = finish(upper);
    TiltedDistribution more = differ ? finish(lower) : less;
    return {std::move(less), std::move(more), radius_};
  }

 private:
  /// The product of the spectra so far, with bounds on its errors.
  struct Running {
    explicit Running(std::size_t size) : spectrum(size, 1.0) {}
    void take(const Circle& circle, const numeric::Fft& fft, double norm, long double mgf_up, long double mgf_down) {
      log_scale += circle.log_scale;
      at_up += mgf_up;
      at_down += mgf_down;
      largest_norm = std::max(largest_norm, norm);
      error += circle.error + fft.relative_error() * norm;
      missing += circle.missing;
      relative += circle.relative;
    }
    void times(const std::vector<std::complex<double>>& other) {
      for (std::size_t i = 0; i < spectrum.size(); ++i) spectrum[i] = numeric::product(spectrum[i], other[i]);
    }
    std::vector<std::complex<double>> spectrum;
    // at_up and at_down: log E[exp(t loss)] at the two exponents of Chernoff's inequality.
    long double log_scale = 0, at_up = 0, at_down = 0;
    double largest_norm = 0, error = 0, missing = 0, relative = 0;
  };

  void multiply(Running& running, const Circle& circle, long double mgf_up, long double mgf_down) {
    running.take(circle, common_, two_norm(circle.p), mgf_up, mgf_down);
    data_.assign(circle.p.begin(), circle.p.end());
    common_.forward(data_);
    running.times(data_);
  }

  TiltedDistribution finish(Running& running) const {
    TiltedDistribution total;
    total.spacing = spacing_;
    total.first = first_;
    total.log_scale = running.log_scale;
    total.relative = running.relative;
    common_.inverse(running.spectrum);
    const auto count = static_cast<std::ptrdiff_t>(common_.size());
    total.p.resize(common_.size());
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t index = (first_ + i) % count;
      total.p[static_cast<std::size_t>(i)] =
          std::max(0.0, running.spectrum[static_cast<std::size_t>(index < 0 ? index + count : index)].real());
    }
    // Every distribution has a total of at most about 1 (e^{theta h/2} after rounding), and so has
    // every value of its spectrum. So the errors of the factors add up.
    const double grown = std::exp(static_cast<double>(theta_ * radius_));
    const double own = (common_.relative_error() + 3 * kUnit * static_cast<double>(terms_.size())) * running.largest_norm;
    total.error = 1.01 * grown * (running.error + own);
    const long double high_edge = static_cast<long double>(first_ + count) * spacing_ - radius_;
    const long double low_edge = static_cast<long double>(first_) * spacing_ + radius_;
    const long double outside = std::exp(running.at_up - running.log_scale - window_.toward_high * high_edge) +
                                std::exp(running.at_down - running.log_scale + window_.toward_low * low_edge);
    total.missing = grown * (running.missing + static_cast<double>(std::min(1.0L, 1.01L * outside)));
    return total;
  }

  long double theta_;
  const std::vector<PrivacyLossTerm>& terms_;
  Window window_;
  numeric::Fft own_, common_;
  double spacing_ = 0;
  std::ptrdiff_t first_ = 0;
  long double radius_ = 0, up_ = 0, down_ = 0;
  std::vector<std::complex<double>> data_;
};

/// The upper and the lower curve for one tilt.
struct Curves {
  Curve upper, lower;
};
Curves curves_of(const std::vector<PrivacyLossTerm>& terms, long double theta) {
  const Window window = window_of(terms, theta);
  // Losses of this size were rounded to doubles.
  long double reach = std::max(std::abs(window.low), std::abs(window.high));
  for (const PrivacyLossTerm& term : terms) {
    if (term.kind != LossKind::Gaussian) reach = std::max(reach, term.parameter * std::sqrt(static_cast<long double>(term.times)));
  }
  const long double moved = reach * 0x1p-44L;
  if (terms.size() == 1) {
    const numeric::Fft own(kOwnSize);
    return {Curve(theta, laplace_distribution(terms[0], theta, Side::Upper, own), moved, Side::Upper),
            Curve(theta, laplace_distribution(terms[0], theta, Side::Lower, own), moved, Side::Lower)};
  }
  const Totals totals = Summation(terms, theta).totals();
  return {Curve(theta, totals.upper, totals.radius + moved, Side::Upper), Curve(theta, totals.lower, totals.radius + moved, Side::Lower)};
}

/// The tilts to consider: enough for any delta, up to the tilt at which every bounded loss that
/// matters is at its maximum. A Gaussian needs at most 38 / mu for a delta of 1e-300.
struct Range {
  long double from, to;
};
Range tilts(const std::vector<PrivacyLossTerm>& terms) {
  const auto square = [](const PrivacyLossTerm& term) { return static_cast<long double>(term.times) * term.parameter * term.parameter; };
  long double squares = 0;
  for (const PrivacyLossTerm& term : terms) squares += square(term);
  long double least = std::sqrt(squares);
  for (const PrivacyLossTerm& term : terms) {
    if (square(term) > 1e-12L * squares) least = std::min(least, term.parameter);
  }
  return {0.05L / std::sqrt(squares), 64 / least};
}

/// The largest possible loss, infinite with a Gaussian.
long double largest_loss(const std::vector<PrivacyLossTerm>& terms) {
  long double sum = 0;
  for (const PrivacyLossTerm& term : terms) {
    if (term.kind == LossKind::Gaussian) return std::numeric_limits<long double>::infinity();
    sum += static_cast<long double>(term.times) * term.parameter;
  }
  return sum * (1 + 0x1p-58L);
}

/// Halves [no, yes] until it is short, keeping enough(yes) and not enough(no).
template <class Enough>
LongBounds bisect(long double no, long double yes, const Enough& enough) {
  for (int i = 0; i < 80 && yes - no > 1e-15L * yes; ++i) {
    const long double middle = no + (yes - no) / 2;
    (enough(middle) ? yes : no) = middle;
  }
  return {no, yes};
}

LongBounds gaussian_epsilon(long double mu, long double delta) {
  if (gaussian_loss_delta(mu, 0).upper <= delta) return {0, 0};
  long double yes = mu * mu + mu;
  while (gaussian_loss_delta(mu, yes).upper > delta) yes *= 2;
  const LongBounds upper = bisect(0, yes, [&](long double e) { return gaussian_loss_delta(mu, e).upper <= delta; });
  if (gaussian_loss_delta(mu, 0).lower <= delta) return {0, upper.upper};
  return {bisect(0, yes, [&](long double e) { return gaussian_loss_delta(mu, e).lower <= delta; }).lower, upper.upper};
}

LongBounds delta_of(const std::vector<PrivacyLossTerm>& terms, long double epsilon_g) {
  if (terms.size() == 1 && terms[0].kind == LossKind::Gaussian) return gaussian_loss_delta(terms[0].parameter, epsilon_g);
  if (terms.size() == 1 && terms[0].kind == LossKind::Response) return EqualResponses(terms[0].parameter, terms[0].times).delta(epsilon_g);
  if (epsilon_g >= largest_loss(terms)) return {0, 0};
  const Range range = tilts(terms);
  const long double theta = least_at([&](long double t) { return log_mgf(terms, t) - t * epsilon_g; }, range.from, range.to);
  const Curves curves = curves_of(terms, theta);
  // Chernoff's bound holds too: (1 - exp(e - loss))_+ <= exp(t (loss - e)).
  const long double cumulant = log_mgf(terms, theta);
  const long double chernoff = cumulant - theta * epsilon_g + 1e-12L * (1 + std::abs(cumulant));
  const long double upper = std::exp(std::min(curves.upper.log_delta(epsilon_g), std::isnan(chernoff) ? kAll : chernoff));
  return {std::exp(curves.lower.log_delta(epsilon_g)), std::min(1.0L, upper)};
}

std::vector<LongBounds> deltas_of(const std::vector<PrivacyLossTerm>& terms, const std::vector<long double>& epsilons) {
  constexpr std::size_t kTilts = 8;
  const Range range = tilts(terms);
  const long double largest = largest_loss(terms);
  std::vector<LongBounds> deltas(epsilons.size(), LongBounds{0, 1});
  for (std::size_t i = 0; i < kTilts; ++i) {
    const long double middle = std::min(epsilons[(epsilons.size() - 1) * i / kTilts], largest * 0.999L);
    const long double theta = least_at([&](long double t) { return log_mgf(terms, t) - t * middle; }, range.from, range.to);
    const Curves curves = curves_of(terms, theta);
    for (std::size_t j = 0; j < epsilons.size(); ++j) {
      LongBounds& delta = deltas[j];
      if (epsilons[j] >= largest) {
        delta = {0, 0};
        continue;
      }
      delta.lower = std::max(delta.lower, std::exp(curves.lower.log_delta(epsilons[j])));
      delta.upper = std::min(delta.upper, std::exp(curves.upper.log_delta(epsilons[j])));
    }
  }
  return deltas;
}

/// Bounds on the least epsilon for a delta, from one tilt.
LongBounds epsilon_by(const std::vector<PrivacyLossTerm>& terms, long double theta, long double log_target) {
  const Curves curves = curves_of(terms, theta);
  // Chernoff's epsilon, which is always sufficient.
  const long double cumulant = log_mgf(terms, theta);
  const long double chernoff = (cumulant - log_target + 1e-12L * (1 + std::abs(cumulant))) / theta;
  const long double start = std::max(0.0L, std::min(largest_loss(terms), chernoff));
  const auto enough = [log_target](const Curve& curve) {
    return [&curve, log_target](long double e) { return curve.log_delta(e) <= log_target; };
  };
  if (enough(curves.upper)(0)) return {0, 0};
  const long double upper = enough(curves.upper)(start) ? bisect(0, start, enough(curves.upper)).upper : start;
  // The lower curve is informative only near the middle of the tilted distribution, so the search
  // for it goes down from the upper bound.
  long double step = 1e-12L * upper;
  while (step < upper) {
    if (!enough(curves.lower)(upper - step)) return {bisect(upper - step, upper, enough(curves.lower)).lower, upper};
    step *= 2;
  }
  return {0, upper};
}

LongBounds epsilon_of(const std::vector<PrivacyLossTerm>& terms, long double delta) {
  if (terms.size() == 1 && terms[0].kind == LossKind::Gaussian) return gaussian_epsilon(terms[0].parameter, delta);
  if (terms.size() == 1 && terms[0].kind == LossKind::Response) return EqualResponses(terms[0].parameter, terms[0].times).epsilon(delta);
  const Range range = tilts(terms);
  const long double log_target = std::log(delta);
  // The first tilt is that of Chernoff's bound. If delta is large, epsilon is far below that
  // bound; later rounds use the tilt of the epsilon found.
  long double theta = least_at([&](long double t) { return (log_mgf(terms, t) - log_target) / t; }, range.from, range.to);
  LongBounds best{0, std::numeric_limits<long double>::infinity()};
  for (int round = 0; round < 4; ++round) {
    const LongBounds found = epsilon_by(terms, theta, log_target);
    best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
    if (best.upper - best.lower <= 1e-3L * best.upper) break;
    theta = least_at([&](long double t) { return log_mgf(terms, t) - t * best.upper; }, range.from, range.to);
  }
  return best;
}

}  // namespace

LongBounds gaussian_loss_delta(long double mu, long double epsilon_g) {
  const long double near = (epsilon_g / mu - mu / 2) / std::numbers::sqrt2_v<long double>;
  const long double far = (epsilon_g / mu + mu / 2) / std::numbers::sqrt2_v<long double>;
  const long double first = std::erfc(near) / 2;
  // exp(epsilon) Phi(-far sqrt2) = exp(-near^2) (exp(far^2) erfc(far)) / 2. Where erfc(far)
  // underflows, its leading term bounds it on both sides.
  long double second = 0;
  if (far < 100) {
    second = std::exp(epsilon_g) * (std::erfc(far) / 2);
  } else {
    second = std::exp(-near * near) / (2 * far * std::sqrt(std::numbers::pi_v<long double>));
  }
  // Arguments err by a relative 2^-62, with the errors of mu and epsilon. Then erfc errs by (2
  // x^2 + 8) 2^-62 and exp(epsilon) by epsilon 2^-63.
  const long double relative = (4 * (near * near + std::min(far, 100.0L) * std::min(far, 100.0L)) + epsilon_g + 32) * 0x1p-62L;
  const long double leading = far < 100 ? 0 : second / (far * far);
  const long double error = relative * (first + second) + leading;
  return {std::max(0.0L, first - second - error), std::min(1.0L, std::max(0.0L, first - second) + error + 1e-4900L)};
}

LongBounds composed_delta(const std::vector<PrivacyLossTerm>& terms, long double epsilon_g) {
  return delta_of(canonical(terms), epsilon_g);
}

std::vector<LongBounds> composed_deltas(const std::vector<PrivacyLossTerm>& terms, const std::vector<long double>& epsilons) {
  return deltas_of(canonical(terms), epsilons);
}

LongBounds composed_epsilon(const std::vector<PrivacyLossTerm>& terms, long double delta) { return epsilon_of(canonical(terms), delta); }

}  // namespace tacet::accounting
