#include "tacet/accounting/blended_curve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/toms748_solve.hpp>

namespace tacet::accounting {
namespace {

double normal_upper(double z) { return boost::math::erfc(z / std::numbers::sqrt2) / 2; }
double normal_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

constexpr double kDeviations = 38;  // beyond which a normal tail is below 1e-300
using Panel = boost::math::quadrature::gauss<double, 15>;

}  // namespace

double BlendedCurve::bracket(double k, double l) const { return normal_upper((k - l + mu_ * mu_ / 2) / mu_); }

double BlendedCurve::laplace_type_one(const LaplaceRatio& laplace, double k) const {
  const double s = laplace.total();
  const auto integrand = [&](double l) { return normal_density((k - l + mu_ * mu_ / 2) / mu_) / mu_ * laplace.type_one(l); };
  // g' is a bell around k + mu^2/2. The tail of L decreases by e^-l at most, so the product has
  // its maximum at most mu^2 below.
  const double middle = k + mu_ * mu_ / 2;
  const double from = std::clamp(middle - (kDeviations + mu_) * mu_, -s, s);
  const double to = std::clamp(middle + kDeviations * mu_, -s, s);
  // P[L > l] is smooth between the points sum +-d_i.
  std::vector<double> cuts = {-s};
  for (const double d : laplace.sizes()) {
    const std::size_t before = cuts.size();
    for (std::size_t i = 0; i < before; ++i) cuts.push_back(cuts[i] + 2 * d);
  }
  std::sort(cuts.begin(), cuts.end());
  double sum = bracket(k, -s);
  double left = from;
  cuts.push_back(to);
  for (const double cut : cuts) {
    const double right = std::min(cut, to);
    if (!(right > left)) continue;
    const auto panels = static_cast<int>(std::ceil((right - left) / std::min(mu_, 1.0)));
    const double width = (right - left) / panels;
    for (int i = 0; i < panels; ++i) sum += Panel::integrate(integrand, left + i * width, i + 1 == panels ? right : left + (i + 1) * width);
    left = right;
  }
  return sum;
}

double BlendedCurve::type_one(double k) const {
  if (const LaplaceRatio* smooth = laplace()) return laplace_type_one(*smooth, k);
  double sum = 0;
  for (const Atom& atom : std::get<std::vector<Atom>>(base_)) sum += atom.mass * bracket(k, atom.ratio);
  return sum;
}

LaplaceRatio::Point BlendedCurve::at(double alpha) const {
  double reach = (kDeviations + mu_ / 2) * mu_;
  if (const LaplaceRatio* smooth = laplace()) {
    reach += smooth->total();
  } else {
    double largest = 0;
    for (const Atom& atom : std::get<std::vector<Atom>>(base_)) largest = std::max(largest, std::abs(atom.ratio));
    reach += largest;
  }
  if (alpha <= type_one(reach)) return {type_one(-reach), -std::exp(std::min(reach, 709.0))};
  if (alpha >= type_one(-reach)) return {0, 0};
  const double wanted = std::log(alpha);
  // Far out type_one underflows to 0, which has no logarithm.
  const auto excess = [&](double k) { return std::log(std::max(type_one(k), std::numeric_limits<double>::min())) - wanted; };
  std::uintmax_t steps = 100;
  const auto [below, above] =
      boost::math::tools::toms748_solve(excess, -reach, reach, boost::math::tools::eps_tolerance<double>(48), steps);
  const double k = (below + above) / 2;
  return {type_one(-k), -std::exp(std::min(k, 709.0))};
}

double BlendedCurve::delta(double epsilon) const { return std::max(0.0, 1 - type_one(-epsilon) - std::exp(epsilon) * type_one(epsilon)); }

BlendedCurve BlendedCurve::with(double mu) const {
  BlendedCurve curve = *this;
  curve.mu_ = mu;
  return curve;
}

}  // namespace tacet::accounting
