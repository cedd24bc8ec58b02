#include "tacet/accounting/tradeoff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/accounting/many_laplace.h"

namespace tacet::accounting {
namespace {

constexpr double kMostMu = 100, kMostEpsilon = 700, kLeastBlendedMu = 1e-3;
constexpr std::size_t kMostPairs = 100000;
constexpr std::size_t kMostShifts = 1'000'000;

// Boost.Math's erfc and its inverse: below 2 ulp by its own tables. Within the domains no policy
// throws.
double normal_upper(double z) { return boost::math::erfc(z / std::numbers::sqrt2) / 2; }
/// z with P[Z > z] = tail, 0 < tail < 1.
double normal_upper_quantile(double tail) { return std::numbers::sqrt2 * boost::math::erfc_inv(2 * tail); }

Error out_of_range(const char* name, double value, std::string rule) {
  return Error::invalid(name, fmt::format("{}", value), std::move(rule));
}

/// NaN is in no range.
bool within(double value, double least, double most) { return value >= least && value <= most; }

}  // namespace

// --- Gaussian ---

double TradeOff::Gaussian::at(double alpha) const {
  if (alpha == 0 || alpha == 1 || mu == 0) return 1 - alpha;
  return normal_upper(mu - normal_upper_quantile(alpha));
}

double TradeOff::Gaussian::delta(double epsilon) const {
  if (mu == 0) return 0;
  const double x = epsilon / mu;
  return std::max(0.0, normal_upper(x - mu / 2) - std::exp(epsilon) * normal_upper(x + mu / 2));
}

double TradeOff::Gaussian::fixed_point() const { return normal_upper(mu / 2); }

// --- Collections of (epsilon, delta) ---

double TradeOff::Polygon::at(double alpha) const {
  const auto right = std::partition_point(vertices.begin(), vertices.end(), [alpha](const Vertex& vertex) { return vertex.alpha < alpha; });
  if (right == vertices.begin()) return right->beta;
  const Vertex &b = *right, &a = *(right - 1);
  const double width = b.alpha - a.alpha;
  return a.beta * ((b.alpha - alpha) / width) + b.beta * ((alpha - a.alpha) / width);
}

double TradeOff::Polygon::delta(double epsilon) const {
  double most = 0;
  for (const Vertex& vertex : vertices) most = std::max(most, 1 - vertex.beta - std::exp(epsilon) * vertex.alpha);
  return most;
}

double TradeOff::Polygon::fixed_point() const {
  // The curve is a maximum of decreasing lines, so its fixed point is the largest of theirs.
  double most = 0;
  for (const EpsilonDelta& pair : pairs) most = std::max(most, (1 - pair.delta) / (1 + std::exp(pair.epsilon)));
  return most;
}

Result<TradeOff> TradeOff::collection(const std::vector<EpsilonDelta>& pairs) {
  if (pairs.empty() || pairs.size() > kMostPairs) {
    return Error::invalid("the number of (epsilon, delta) pairs", fmt::format("{}", pairs.size()), "must lie between 1 and 100000");
  }
  for (const EpsilonDelta& pair : pairs) {
    if (!within(pair.epsilon, 0, kMostEpsilon)) return out_of_range("epsilon", pair.epsilon, "must lie between 0 and 700");
    if (!within(pair.delta, 0, 1)) return out_of_range("delta", pair.delta, "must lie between 0 and 1");
  }
  std::vector<EpsilonDelta> sorted = pairs;
  std::sort(sorted.begin(), sorted.end(), [](const EpsilonDelta& a, const EpsilonDelta& b) {
    return a.epsilon != b.epsilon ? a.epsilon > b.epsilon : a.delta < b.delta;
  });

  // Left of the fixed point the curve is the maximum of the lines 1 - delta - e^epsilon alpha,
  // from the steepest to the flattest. The rest is its mirror image.
  Polygon polygon;
  std::vector<double> starts;  // where each line takes over
  for (const EpsilonDelta& line : sorted) {
    double start = 0;
    while (!polygon.pairs.empty()) {
      const EpsilonDelta& steeper = polygon.pairs.back();
      if (line.epsilon == steeper.epsilon) {
        start = 2;  // below it everywhere
        break;
      }
      start = (line.delta - steeper.delta) / (std::exp(steeper.epsilon) - std::exp(line.epsilon));
      if (start > starts.back()) break;
      polygon.pairs.pop_back();
      starts.pop_back();
      start = 0;
    }
    if (start >= 1) continue;
    polygon.pairs.push_back(line);
    starts.push_back(start);
  }
  const double fixed = polygon.fixed_point();
  while (starts.size() > 1 && starts.back() >= fixed) {
    starts.pop_back();
    polygon.pairs.pop_back();
  }

  std::vector<Polygon::Vertex> left;
  left.reserve(starts.size() + 1);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    left.push_back({starts[i], 1 - polygon.pairs[i].delta - std::exp(polygon.pairs[i].epsilon) * starts[i]});
  }
  left.push_back({fixed, fixed});
  auto& vertices = polygon.vertices;
  const auto add = [&vertices](double alpha, double beta) {
    if (vertices.empty() || alpha > vertices.back().alpha) vertices.push_back({alpha, beta});
  };
  for (const auto& vertex : left) add(vertex.alpha, vertex.beta);
  for (std::size_t i = left.size() - 1; i-- > 0;) add(left[i].beta, left[i].alpha);
  add(1, 0);
  return of<Polygon>(std::move(polygon));
}

// --- All kinds ---

Result<TradeOff> TradeOff::gaussian(double mu) {
  if (!within(mu, 0, kMostMu)) return out_of_range("mu", mu, "must lie between 0 and 100");
  return of<Gaussian>(Gaussian{mu});
}

Result<TradeOff> TradeOff::laplace(const std::vector<double>& shift) {
  if (shift.empty()) return Error::invalid("the number of shifts", "0", "must be at least 1");
  std::vector<double> sizes;
  double total = 0;
  for (const double d : shift) {
    if (!std::isfinite(d)) return out_of_range("shift", d, "must be a finite number");
    if (d != 0) sizes.push_back(std::abs(d));
    total += std::abs(d);
  }
  if (total > kMostEpsilon) return out_of_range("the sum of the sizes of the shifts", total, "must be at most 700");
  if (sizes.empty()) return of<Gaussian>(Gaussian{0});
  if (sizes.size() <= LaplaceRatio::kMostDimensions) return of<LaplaceRatio>(std::move(sizes));
  if (sizes.size() > kMostShifts) {
    return Error::of(Code::Unsupported,
                     fmt::format("a curve of {} shifts that are not zero; it is built for at most {}", sizes.size(), kMostShifts),
                     "epsilon-DP with epsilon the sum of their sizes is a bound that holds in any dimension");
  }
  const ManyLaplace many = many_laplace(sizes);
  TACET_TRY(const TradeOff below, collection(many.pairs));
  Polygon polygon = std::get<Polygon>(*below.kind_);
  polygon.name = fmt::format("Laplace, {} shifts that add up to {:.6g}", sizes.size(), total);
  polygon.slack = many.slack;
  return of<Polygon>(std::move(polygon));
}

double TradeOff::value(double alpha) const {
  if (const auto* laplace = std::get_if<LaplaceRatio>(kind_.get())) return laplace->at(alpha).beta;
  if (const auto* gaussian = std::get_if<Gaussian>(kind_.get())) return gaussian->at(alpha);
  if (const auto* blend = std::get_if<BlendedCurve>(kind_.get())) return blend->at(alpha).beta;
  return std::get<Polygon>(*kind_).at(alpha);
}

double TradeOff::conjugate(double epsilon) const {
  return std::visit([epsilon](const auto& kind) { return kind.delta(epsilon); }, *kind_);
}

double TradeOff::touches(double epsilon) const {
  if (const auto* gaussian = std::get_if<Gaussian>(kind_.get()))
    return gaussian->mu == 0 ? 0 : normal_upper(epsilon / gaussian->mu + gaussian->mu / 2);
  if (const auto* laplace = std::get_if<LaplaceRatio>(kind_.get())) return laplace->type_one(epsilon);
  if (const auto* blend = std::get_if<BlendedCurve>(kind_.get())) return blend->type_one(epsilon);
  double best = 0;
  double most = -1;
  for (const Polygon::Vertex& vertex : std::get<Polygon>(*kind_).vertices) {
    const double excess = 1 - vertex.beta - std::exp(epsilon) * vertex.alpha;
    if (excess > most) {
      most = excess;
      best = vertex.alpha;
    }
  }
  return best;
}

double TradeOff::fixed_point() const {
  return std::visit([](const auto& kind) { return kind.fixed_point(); }, *kind_);
}

Result<double> TradeOff::at(double alpha) const {
  if (!within(alpha, 0, 1)) return out_of_range("alpha", alpha, "must lie between 0 and 1");
  return value(alpha);
}

Result<double> TradeOff::inverse(double beta) const {
  if (!within(beta, 0, 1)) return out_of_range("beta", beta, "must lie between 0 and 1");
  return value(beta);
}

Result<double> TradeOff::delta(double epsilon) const {
  if (!within(epsilon, 0, kMostEpsilon)) return out_of_range("epsilon", epsilon, "must lie between 0 and 700");
  return conjugate(epsilon);
}

double TradeOff::slack() const {
  const auto* polygon = std::get_if<Polygon>(kind_.get());
  return polygon == nullptr ? 0 : polygon->slack;
}

std::string TradeOff::describe() const {
  if (const auto* gaussian = std::get_if<Gaussian>(kind_.get())) {
    return gaussian->mu == 0 ? "perfect privacy" : fmt::format("Gaussian, mu {}", gaussian->mu);
  }
  if (const auto* laplace = std::get_if<LaplaceRatio>(kind_.get()))
    return fmt::format("Laplace, shift ({})", fmt::join(laplace->sizes(), ", "));
  if (const auto* blend = std::get_if<BlendedCurve>(kind_.get())) {
    return blend->laplace() != nullptr
               ? fmt::format("Laplace, shift ({}), and Gaussian, mu {}", fmt::join(blend->laplace()->sizes(), ", "), blend->mu())
               : fmt::format("pairs of (epsilon, delta), and Gaussian, mu {}", blend->mu());
  }
  const auto& polygon = std::get<Polygon>(*kind_);
  if (!polygon.name.empty()) return polygon.name;
  const std::vector<EpsilonDelta>& pairs = polygon.pairs;
  if (pairs.size() > 1) return fmt::format("{} pairs of (epsilon, delta)", pairs.size());
  return fmt::format("(epsilon, delta) = ({}, {})", pairs[0].epsilon, pairs[0].delta);
}

/// Any curve that is not Gaussian, together with G_mu.
Result<TradeOff> TradeOff::blend(const TradeOff& f, double mu) {
  if (mu < kLeastBlendedMu) return out_of_range("mu", mu, "must be at least 0.001 to be composed with a curve of another kind");
  if (const auto* laplace = std::get_if<LaplaceRatio>(f.kind_.get())) return of<BlendedCurve>(*laplace, mu);
  if (const auto* blended = std::get_if<BlendedCurve>(f.kind_.get())) return of<BlendedCurve>(blended->with(std::hypot(mu, blended->mu())));
  if (f.slack() > 0) {
    return Error::of(Code::Unsupported, "a curve of Laplace noise on more than ten numbers is not composed with a Gaussian",
                     "compose the losses: each of them has a mu, and mu^2 adds up");
  }
  const auto& vertices = std::get<Polygon>(*f.kind_).vertices;
  std::vector<BlendedCurve::Atom> atoms;
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const double mass = vertices[i + 1].alpha - vertices[i].alpha;
    const double fall = vertices[i].beta - vertices[i + 1].beta;
    if (mass > 0 && fall > 0) atoms.push_back({std::log(fall / mass), mass});
  }
  return of<BlendedCurve>(std::move(atoms), mu);
}

Result<TradeOff> compose(const TradeOff& f, const TradeOff& g) {
  const auto perfect = [](const TradeOff& curve) {
    if (const auto* gaussian = std::get_if<TradeOff::Gaussian>(curve.kind_.get())) return gaussian->mu == 0;
    const auto* polygon = std::get_if<TradeOff::Polygon>(curve.kind_.get());
    return polygon != nullptr && polygon->pairs.back().epsilon == 0 && polygon->pairs.back().delta == 0;
  };
  if (perfect(f)) return g;
  if (perfect(g)) return f;
  const auto* f_gaussian = std::get_if<TradeOff::Gaussian>(f.kind_.get());
  const auto* g_gaussian = std::get_if<TradeOff::Gaussian>(g.kind_.get());
  if (f_gaussian != nullptr && g_gaussian != nullptr) return TradeOff::gaussian(std::hypot(f_gaussian->mu, g_gaussian->mu));
  const auto* f_laplace = std::get_if<LaplaceRatio>(f.kind_.get());
  const auto* g_laplace = std::get_if<LaplaceRatio>(g.kind_.get());
  if (f_laplace != nullptr && g_laplace != nullptr) {
    std::vector<double> shift = f_laplace->sizes();
    shift.insert(shift.end(), g_laplace->sizes().begin(), g_laplace->sizes().end());
    return TradeOff::laplace(shift);
  }
  if (const auto* one = f_gaussian != nullptr ? f_gaussian : g_gaussian) return TradeOff::blend(f_gaussian != nullptr ? g : f, one->mu);
  const auto* f_blend = std::get_if<BlendedCurve>(f.kind_.get());
  const auto* g_blend = std::get_if<BlendedCurve>(g.kind_.get());
  if ((f_laplace != nullptr && g_blend != nullptr && g_blend->laplace() != nullptr) ||
      (g_laplace != nullptr && f_blend != nullptr && f_blend->laplace() != nullptr)) {
    const BlendedCurve& blended = f_blend != nullptr ? *f_blend : *g_blend;
    std::vector<double> shift = (f_laplace != nullptr ? f_laplace : g_laplace)->sizes();
    shift.insert(shift.end(), blended.laplace()->sizes().begin(), blended.laplace()->sizes().end());
    TACET_TRY(const TradeOff laplace, TradeOff::laplace(shift));
    return TradeOff::blend(laplace, blended.mu());
  }
  return Error::of(Code::Unsupported,
                   fmt::format("the curve of \"{}\" together with \"{}\" is not known in closed form", f.describe(), g.describe()),
                   "any curve composes with a Gaussian, and two Laplace curves do; pairs of (epsilon, delta) compose as losses");
}

}  // namespace tacet::accounting
