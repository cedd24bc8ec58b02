#include "tacet/accounting/tradeoff_comparison.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace tacet::accounting {
namespace {

constexpr double kSlack = 1e-12;  // of a mesh
constexpr double kLastEpsilon = 700;

Comparison above(Proof proof) { return {true, proof, 0}; }

struct Cell {
  double left, right;
  LaplaceRatio::Point f_left, f_right;
  double g_left, g_right;
};

/// True if the tangents of f at the ends of the cell, which lie below f, stay above the chord of
/// g, which lies above g. At both ends f >= g is known.
bool certified(const Cell& cell) {
  const double s = cell.f_left.slope, t = cell.f_right.slope;
  if (!(s < t)) return true;  // f is straight here
  const double meet = (cell.f_right.beta - t * cell.right - cell.f_left.beta + s * cell.left) / (s - t);
  const double x = std::clamp(meet, cell.left, cell.right);
  const double tangent = std::max(cell.f_left.beta + s * (x - cell.left), cell.f_right.beta + t * (x - cell.right));
  const double part = (x - cell.left) / (cell.right - cell.left);
  return tangent >= cell.g_left * (1 - part) + cell.g_right * part - kSlack;
}

/// True if every shift of f, the largest first, is at most the corresponding shift of g. Then the
/// curve of f is higher: this holds in one dimension, and products keep the order (Dong, Roth & Su
/// 2022, section 3.1, by Blackwell's theorem).
bool moves_less(const std::vector<double>& f, const std::vector<double>& g) {
  return f.size() <= g.size() && std::equal(f.begin(), f.end(), g.begin(), [](double a, double b) { return a <= b; });
}

template <class Lower>
Comparison compare_on_mesh(const LaplaceRatio& f, const Lower& g) {
  std::vector<double> breaks = f.breaks();
  std::vector<Cell> cells;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    cells.push_back({breaks[i], breaks[i + 1], f.at(breaks[i]), f.at(breaks[i + 1]), g(breaks[i]), g(breaks[i + 1])});
    if (cells.back().f_right.beta < cells.back().g_right - kSlack) return {false, Proof::Mesh, breaks[i + 1]};
  }
  while (!cells.empty()) {
    const Cell cell = cells.back();
    cells.pop_back();
    if (certified(cell)) continue;
    const double middle = cell.left + (cell.right - cell.left) / 2;
    // No double lies between the ends, where f >= g is known.
    if (middle <= cell.left || middle >= cell.right) continue;
    const LaplaceRatio::Point f_middle = f.at(middle);
    const double g_middle = g(middle);
    if (f_middle.beta < g_middle - kSlack) return {false, Proof::Mesh, middle};
    cells.push_back({cell.left, middle, cell.f_left, f_middle, cell.g_left, g_middle});
    cells.push_back({middle, cell.right, f_middle, cell.f_right, g_middle, cell.g_right});
  }
  return above(Proof::Mesh);
}

/// An interval of epsilon, with delta and its slope in e^epsilon at both ends.
struct DualCell {
  double left, right;  // epsilon
  double f_left, f_right, g_left, g_right;
  double slope_left, slope_right;  // of g
};

/// True if the chord of delta of f, which lies above it, stays below the tangents of delta of g,
/// which lie below it.
bool dual_certified(const DualCell& cell) {
  if (cell.f_left <= kSlack) return true;  // delta decreases and is never negative
  const double a = std::exp(cell.left);
  const double b = std::exp(cell.right);
  const double s = cell.slope_left, t = cell.slope_right;
  const double meet = s < t ? (cell.g_right - t * b - cell.g_left + s * a) / (s - t) : a;
  const double x = std::clamp(meet, a, b);
  const double tangent = std::max(cell.g_left + s * (x - a), cell.g_right + t * (x - b));
  const double part = (x - a) / (b - a);
  return cell.f_left * (1 - part) + cell.f_right * part <= tangent + kSlack;
}

}  // namespace

/// f is nowhere below g exactly if delta_f(epsilon) <= delta_g(epsilon) for all epsilon >= 0,
/// because both curves are symmetric.
Comparison compare_on_dual_mesh(const TradeOff& f, const TradeOff& g) {
  const auto cell_between = [&](double left, double right) {
    return DualCell{
        left, right, f.conjugate(left), f.conjugate(right), g.conjugate(left), g.conjugate(right), -g.touches(left), -g.touches(right)};
  };
  constexpr double kNarrowest = 1e-9;
  std::vector<DualCell> cells;
  for (double epsilon = 0; epsilon < kLastEpsilon;) {
    const double next = std::min(kLastEpsilon, epsilon == 0 ? 1 : 2 * epsilon);
    cells.push_back(cell_between(epsilon, next));
    if (cells.back().f_left <= kSlack) break;
    epsilon = next;
  }
  while (!cells.empty()) {
    const DualCell cell = cells.back();
    cells.pop_back();
    if (cell.f_left > cell.g_left + kSlack) return {false, Proof::DualMesh, f.touches(cell.left)};
    if (dual_certified(cell) || cell.right - cell.left < kNarrowest) continue;
    const double middle = cell.left + (cell.right - cell.left) / 2;
    cells.push_back(cell_between(middle, cell.right));
    cells.push_back(cell_between(cell.left, middle));
  }
  return above(Proof::DualMesh);
}

Comparison compare(const TradeOff& f, const TradeOff& g) {
  using Gaussian = TradeOff::Gaussian;
  using Polygon = TradeOff::Polygon;
  constexpr double kRounding = 1e-14;
  if (std::holds_alternative<BlendedCurve>(*f.kind_) || std::holds_alternative<BlendedCurve>(*g.kind_)) return compare_on_dual_mesh(f, g);
  const auto* f_gaussian = std::get_if<Gaussian>(f.kind_.get());
  const auto* f_polygon = std::get_if<Polygon>(f.kind_.get());
  const auto* f_laplace = std::get_if<LaplaceRatio>(f.kind_.get());
  const auto* g_gaussian = std::get_if<Gaussian>(g.kind_.get());
  const auto* g_polygon = std::get_if<Polygon>(g.kind_.get());
  const auto* g_laplace = std::get_if<LaplaceRatio>(g.kind_.get());

  if (f_gaussian != nullptr && f_gaussian->mu == 0) return above(Proof::ClosedForm);
  if (f_polygon != nullptr) {
    for (const auto& vertex : f_polygon->vertices) {
      if (g.value(vertex.alpha) > vertex.beta + kRounding) return {false, Proof::Vertices, vertex.alpha};
    }
    return above(Proof::Vertices);
  }
  if (g_polygon != nullptr) {
    for (const EpsilonDelta& pair : g_polygon->pairs) {
      // G_mu has an infinite slope at 0, even if rounding hides it.
      const bool too_steep = f_gaussian != nullptr && pair.delta == 0;
      if (too_steep || f.conjugate(pair.epsilon) > pair.delta + kRounding) return {false, Proof::Tangents, f.touches(pair.epsilon)};
    }
    return above(Proof::Tangents);
  }
  if (f_gaussian != nullptr) {
    if (g_laplace != nullptr) return {false, Proof::ClosedForm, f.touches(g_laplace->total())};
    if (f_gaussian->mu <= g_gaussian->mu) return above(Proof::ClosedForm);
    return {false, Proof::ClosedForm, g.fixed_point()};
  }
  const bool one_dimensional = f_laplace->sizes().size() == 1;
  if (g_gaussian != nullptr) {
    if (!one_dimensional) return compare_on_mesh(*f_laplace, [&](double alpha) { return g_gaussian->at(alpha); });
    // Lee et al. (2022), Proposition 9: the curves first touch at the fixed point, e^(-d/2)/2
    // against Phi(-mu/2).
    if (f.fixed_point() >= g.fixed_point() * (1 - kRounding)) return above(Proof::ClosedForm);
    return {false, Proof::ClosedForm, g.fixed_point()};
  }
  // At 0 the slopes are -e^s.
  if (f_laplace->total() > g_laplace->total() * (1 + kRounding)) {
    return {false, Proof::ClosedForm, std::min(f_laplace->breaks()[1], g_laplace->breaks()[1]) / 2};
  }
  if (moves_less(f_laplace->sizes(), g_laplace->sizes())) return above(Proof::ClosedForm);
  return compare_on_mesh(*f_laplace, [&](double alpha) { return g_laplace->at(alpha).beta; });
}

}  // namespace tacet::accounting
