#include "tacet/accounting/loss_lattice.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacet/accounting/mixed_responses.h"
#include "tacet/numeric/least.h"

namespace tacet::accounting {
namespace {

constexpr long double kTail = 60 * std::numbers::ln2_v<long double>;
constexpr double kUnit = 0x1p-53;

std::size_t on_circle(std::ptrdiff_t index, std::size_t size) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  const std::ptrdiff_t rest = index % n;
  return static_cast<std::size_t>(rest < 0 ? rest + n : rest);
}

/// An integer-valued index, possibly too large for any integer type, reduced by full turns.
std::ptrdiff_t turned(long double index, std::size_t size) {
  return static_cast<std::ptrdiff_t>(std::fmod(index, static_cast<long double>(size)));
}

/// A bound on the standard deviation of the loss; its reciprocal is a scale for tilts.
long double deviation_bound(const std::vector<PrivacyLossTerm>& terms) {
  long double sum = 0;
  for (const PrivacyLossTerm& term : terms) sum += static_cast<long double>(term.times) * term.parameter * term.parameter;
  return std::sqrt(sum);
}

}  // namespace

long double log_mgf(const PrivacyLossTerm& term, long double t) {
  const long double e = term.parameter;
  const auto times = static_cast<long double>(term.times);
  switch (term.kind) {
    case LossKind::Gaussian: return times * e * e * t * (1 + t) / 2;  // N(mu^2/2, mu^2)
    case LossKind::Response: return cumulant({{e, term.times}}, t).value;
    case LossKind::Laplace: break;
  }
  // The sum of e^{t e}/2, e^{-(1+t) e}/2 and the integral of e^{-(e-x)/2} e^{t x} / 4 over (-e,
  // e). With a = |t + 1/2| the factor e^{(a - 1/2) e} is taken out.
  const long double a = std::abs(t + 0.5L);
  const long double mean = a * e < 1e-12L ? 1 - a * e : -std::expm1(-2 * a * e) / (2 * a * e);
  // The logarithm of 1 plus a term of order e, computed so that small e keep their digits.
  const long double less = -std::expm1(-2 * a * e) / 2;  // 1 - (1 + q) / 2
  const long double inside = e / 2 * mean - less;
  return times * ((a - 0.5L) * e + std::log1p(inside));
}

long double log_mgf(const std::vector<PrivacyLossTerm>& terms, long double t) {
  long double sum = 0;
  for (const PrivacyLossTerm& term : terms) sum += log_mgf(term, t);
  return sum;
}

long double least_at(const std::function<long double(long double)>& f, long double from, long double to) {
  const auto at = [&f](double log_t) { return static_cast<double>(f(std::exp(static_cast<long double>(log_t)))); };
  const double log_t = numeric::least_between(at, static_cast<double>(std::log(from)), static_cast<double>(std::log(to))).at;
  return std::exp(static_cast<long double>(log_t));
}

Window window_of(const std::vector<PrivacyLossTerm>& terms, long double theta) {
  // With K = log_mgf and the tilted distribution P_theta of the total S, P_theta[S >= x]
  // <= exp(K(theta + t) - K(theta) - t x). This is 2^-60 at
  // x = (K(theta + t) - K(theta) + kTail) / t; likewise on the other side.
  const long double at_theta = log_mgf(terms, theta);
  const long double scale = deviation_bound(terms);
  // A t above 60 reciprocal standard deviations of the tilted distribution gains little, and the
  // bounds for lattice distributions grow with t^2.
  const long double step = 1e-3L / scale;
  const long double curvature = (log_mgf(terms, theta + step) - 2 * at_theta + log_mgf(terms, theta - step)) / (step * step);
  const long double most = 60 / std::clamp(std::sqrt(std::max(0.0L, curvature)), 1e-6L * scale, scale);
  const auto high = [&](long double t) { return (log_mgf(terms, theta + t) - at_theta + kTail) / t; };
  const auto low = [&](long double t) { return (log_mgf(terms, theta - t) - at_theta + kTail) / t; };
  Window window{};
  window.toward_high = least_at(high, 1e-4L / scale, most);
  window.toward_low = least_at(low, 1e-4L / scale, most);
  window.high = high(window.toward_high);
  window.low = -low(window.toward_low);
  // The window is not narrower than doubles can resolve there.
  const long double least = 0x1p-36L * std::max(std::abs(window.low), std::abs(window.high));
  if (window.high - window.low < least) {
    window.low -= least;
    window.high += least;
  }
  return window;
}

LaplaceStep::LaplaceStep(long double epsilon, std::size_t m, Side side)
    : epsilon_(epsilon), spacing_(epsilon / static_cast<long double>(m)), m_(static_cast<std::ptrdiff_t>(m)), mass_(2 * m + 1, 0) {
  // Under one neighbour the loss is epsilon with probability 1/2 and -epsilon with probability
  // e^-epsilon / 2, and has the density e^{-(epsilon - x)/2} / 4 between. Under the other
  // neighbour everything is multiplied by e^-x.
  mass_.back() = 0.5L;
  mass_.front() = std::exp(-epsilon) / 2;
  const auto at = [this](std::ptrdiff_t j) { return static_cast<std::size_t>(j + m_); };
  // epsilon - j g, with g the spacing.
  const auto below_top = [this](std::ptrdiff_t j) { return static_cast<long double>(m_ - j) * spacing_; };
  if (side == Side::Lower) {
    // Two cells become the point c between them, with mass e^{-(epsilon - c)/2} sinh(g/2) under
    // one neighbour and e^-c times that under the other. So the loss of the point is c.
    const long double part = -std::expm1(-spacing_) / 2;
    for (std::ptrdiff_t j = 1 - m_; j < m_; j += 2) mass_[at(j)] += std::exp(-below_top(j + 1) / 2) * part;
    return;
  }
  // The mass of a cell (a, a + g), e^{-(epsilon - a - g)/2} (1 - e^{-g/2})/2, goes to its ends in
  // the ratio e^{-g/2} : 1. Then the mass under the other neighbour is kept too.
  const long double shrunk = std::exp(-spacing_ / 2);
  const long double part = -std::expm1(-spacing_ / 2) / 2;
  for (std::ptrdiff_t j = -m_; j < m_; ++j) {
    const long double cell = std::exp(-below_top(j + 1) / 2) * part;
    mass_[at(j)] += cell * shrunk / (1 + shrunk);
    mass_[at(j + 1)] += cell / (1 + shrunk);
  }
}

long double LaplaceStep::log_mgf(long double t) const {
  const long double largest = std::max(t * epsilon_, -(1 + t) * epsilon_);
  long double sum = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    sum += mass_[i] * std::exp(t * static_cast<long double>(static_cast<std::ptrdiff_t>(i) - m_) * spacing_ - largest);
  }
  return largest + std::log(sum);
}

std::vector<double> LaplaceStep::tilted(long double theta, long double& log_scale) const {
  log_scale = log_mgf(theta);
  std::vector<double> p(mass_.size());
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    p[i] = static_cast<double>(mass_[i] *
                               std::exp(theta * static_cast<long double>(static_cast<std::ptrdiff_t>(i) - m_) * spacing_ - log_scale));
  }
  return p;
}

TiltedDistribution laplace_distribution(const PrivacyLossTerm& term, long double theta, Side side, const numeric::Fft& fft,
                                        const std::vector<long double>& probes) {
  const Window window = window_of({term}, theta);
  const std::size_t size = fft.size();
  const auto room = static_cast<long double>(size - 8);
  const std::size_t most = size / 16;
  const long double fits = std::floor(room * term.parameter / (window.high - window.low));
  const auto m = static_cast<std::size_t>(std::clamp(fits, 1.0L, static_cast<long double>(most)));
  const LaplaceStep step(term.parameter, m, side);

  TiltedDistribution distribution;
  const long double spacing = term.parameter / static_cast<long double>(m);
  distribution.spacing = static_cast<double>(spacing);
  distribution.first = static_cast<std::ptrdiff_t>(std::floor(window.low / spacing)) - 2;
  const auto times = static_cast<long double>(term.times);
  long double scale = 0;
  const std::vector<double> one = step.tilted(theta, scale);
  distribution.log_scale = times * scale;

  std::vector<std::complex<double>> data(size);
  for (std::size_t i = 0; i < one.size(); ++i)
    data[on_circle(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(m), size)] = one[i];
  fft.forward(data);
  // Each value of the spectrum is at most 1 (the distribution adds up to 1) and errs by at most
  // `each`. So its n-th power errs by n (|value| + each)^(n-1) each plus 3 n u of itself. By
  // Parseval, the sum of the squared errors is that of the convolution.
  const double each = fft.relative_error() * (1 + 0x1p-20);
  const auto count = static_cast<double>(term.times);
  double squares = 0;
  for (std::complex<double>& value : data) {
    squares += std::exp(2 * (count - 1) * std::log(std::abs(value) + each));
    value = numeric::power(value, term.times);
  }
  fft.inverse(data);
  distribution.p.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    // A negative value is an error of the transform; 0 is nearer to the truth.
    distribution.p[i] = std::max(0.0, data[on_circle(distribution.first + static_cast<std::ptrdiff_t>(i), size)].real());
  }
  // Also a bound on the 2-norm of the convolution.
  const double norm = std::sqrt(squares / static_cast<double>(size));
  distribution.error = 1.01 * (count * (each + 3 * kUnit) + fft.relative_error()) * norm;
  distribution.relative = 8 * kUnit * (count + 8) + count * static_cast<double>(m) * 0x1p-62;
  // The mass outside the window, by Chernoff's inequality for the lattice distribution.
  const auto outside = [&](long double t, long double edge) { return std::exp(times * (step.log_mgf(theta + t) - scale) - t * edge); };
  const long double above =
      outside(window.toward_high, static_cast<long double>(distribution.first + static_cast<std::ptrdiff_t>(size)) * spacing);
  const long double below = outside(-window.toward_low, static_cast<long double>(distribution.first) * spacing);
  distribution.missing = static_cast<double>(std::min(1.0L, 1.01L * (above + below)));
  for (const long double t : probes) distribution.log_mgf.push_back(times * step.log_mgf(t));
  return distribution;
}

Circle rounded(const TiltedDistribution& distribution, long double theta, double spacing, std::size_t size) {
  Circle circle;
  circle.p.assign(size, 0);
  circle.log_scale = distribution.log_scale;
  const double ratio = distribution.spacing / spacing;
  const double grown = std::exp(static_cast<double>(theta) * spacing / 2);
  for (std::size_t i = 0; i < distribution.p.size(); ++i) {
    if (distribution.p[i] == 0) continue;
    const double at = static_cast<double>(distribution.first + static_cast<std::ptrdiff_t>(i)) * ratio;
    const double point = std::nearbyint(at);
    circle.p[on_circle(turned(point, size), size)] += distribution.p[i] * std::exp(static_cast<double>(theta) * (point - at) * spacing);
  }
  // At most this many points of one lattice meet in a point of the other: those of one cell, in
  // each turn around the circle.
  const double points = static_cast<double>(distribution.p.size());
  const double turns = std::ceil(points * ratio / static_cast<double>(size)) + 1;
  circle.error = distribution.error * grown * std::sqrt(std::min(points, (std::ceil(1 / ratio) + 1) * turns));
  circle.missing = distribution.missing * grown;
  circle.relative =
      distribution.relative + 8 * kUnit * (1 + static_cast<double>(theta) * spacing * static_cast<double>(distribution.p.size()));
  return circle;
}

Circle response_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size) {
  Circle circle;
  circle.p.assign(size, 0);
  circle.log_scale = log_mgf(term, theta);
  const long double e = term.parameter;
  const std::uint64_t k = term.times;
  const auto count = static_cast<long double>(k);
  const long double odds = std::exp(-(1 + 2 * theta) * e);  // P[failure]/P[success], tilted
  const auto mode = static_cast<std::uint64_t>(std::min(count, std::floor((count + 1) / (1 + odds))));
  std::vector<std::pair<std::uint64_t, long double>> weights = {{mode, 1.0L}};
  long double total = 1;
  constexpr long double kLeast = 0x1p-66L;
  long double weight = 1;
  for (std::uint64_t l = mode; l < k; ++l) {
    const long double ratio = static_cast<long double>(k - l) / (static_cast<long double>(l + 1) * odds);
    weight *= ratio;
    if (ratio < 1 && weight < kLeast * (1 - ratio)) break;
    weights.emplace_back(l + 1, weight);
    total += weight;
  }
  weight = 1;
  for (std::uint64_t l = mode; l > 0; --l) {
    const long double ratio = static_cast<long double>(l) * odds / static_cast<long double>(k - l + 1);
    weight *= ratio;
    if (ratio < 1 && weight < kLeast * (1 - ratio)) break;
    weights.emplace_back(l - 1, weight);
    total += weight;
  }
  for (const auto& [successes, value] : weights) {
    const long double loss = (2 * static_cast<long double>(successes) - count) * e;
    const long double point = std::nearbyint(loss / spacing);
    circle.p[on_circle(turned(point, size), size)] += static_cast<double>(value / total * std::exp(theta * (point * spacing - loss)));
  }
  circle.missing = 0x1p-60 * std::exp(static_cast<double>(theta) * spacing / 2);
  circle.relative = 16 * kUnit + (static_cast<double>(weights.size()) + static_cast<double>(k)) * 0x1p-60;
  return circle;
}

Circle gaussian_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size) {
  // P[cell of X] e^{theta X - K}, where the loss is N(mu^2/2, mu^2). For narrow cells it is the
  // tilted density at X times the width, corrected to fourth order. For wide cells it is the
  // difference of two tails, on the side where both are small.
  Circle circle;
  circle.p.assign(size, 0);
  circle.log_scale = log_mgf(term, theta);
  const long double mu = term.parameter * std::sqrt(static_cast<long double>(term.times));
  const long double middle = mu * mu * (0.5L + theta);
  const long double width = spacing / mu;
  // Beyond, both sides together have 4e-20; the moved distribution has at most e^{theta h} times
  // that.
  constexpr long double kReach = 9.2L;
  const auto first = static_cast<std::ptrdiff_t>(std::floor((middle - kReach * mu) / spacing)) - 1;
  const auto last = static_cast<std::ptrdiff_t>(std::ceil((middle + kReach * mu) / spacing)) + 1;
  const long double farthest = std::abs(theta) * mu + kReach + 2 * width;
  const long double fourth = width * width * width * width * (farthest * farthest * (farthest * farthest + 6) + 3) / 960;
  if (width < 1e-3L && fourth < 1e-9L) {
    const long double factor = width / std::sqrt(2 * std::numbers::pi_v<long double>);
    for (std::ptrdiff_t j = first; j <= last; ++j) {
      const long double x = static_cast<long double>(j) * spacing;
      const auto z = static_cast<double>((x - middle) / mu);
      const long double away = (x - mu * mu / 2) / mu;  // distance before tilting
      circle.p[on_circle(j, size)] += static_cast<double>(factor * (1 + width * width * (away * away - 1) / 24)) * std::exp(-z * z / 2);
    }
    circle.relative = static_cast<double>(fourth + std::abs(circle.log_scale) * 0x1p-60L) + 256 * kUnit;
  } else {
    // The logarithm of the scale at X: theta X - K(theta).
    for (std::ptrdiff_t j = first; j <= last; ++j) {
      const long double x = static_cast<long double>(j) * spacing;
      const long double near = (x - spacing / 2.0L - mu * mu / 2) / mu / std::numbers::sqrt2_v<long double>;
      const long double far = (x + spacing / 2.0L - mu * mu / 2) / mu / std::numbers::sqrt2_v<long double>;
      const long double cell = near >= 0 ? std::erfc(near) - std::erfc(far) : std::erfc(-far) - std::erfc(-near);
      circle.p[on_circle(j, size)] += static_cast<double>(std::max(0.0L, cell) / 2 * std::exp(theta * x - circle.log_scale));
    }
    // Both tails have a relative error of (farthest^2 + 16) 2^-64. Their difference is at least
    // about width/3 of the larger.
    const long double relative = (farthest * farthest + std::abs(circle.log_scale) + 64) * 0x1p-62L * (1 + 3 / std::min(1.0L, width));
    circle.relative = static_cast<double>(relative) + 16 * kUnit;
  }
  circle.missing = 1e-18 * std::exp(std::abs(static_cast<double>(theta)) * spacing);
  return circle;
}

double two_norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace tacet::accounting
