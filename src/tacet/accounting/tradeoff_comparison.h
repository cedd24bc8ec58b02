// tacet/accounting/tradeoff_comparison.h: whether one trade-off curve is above another everywhere.
//
//   const TradeOff noise = *TradeOff::laplace({1.0, -1.0});
//   compare(noise, *TradeOff::gaussian(1.5)).above;     // is it 1.5-GDP?
//
// For insight, plans and plots, like the curves themselves (tradeoff.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tacet/accounting/tradeoff.h"
#include "tacet/base/enum_names.h"

namespace tacet::accounting {

/// The argument behind a verdict.
enum class Proof : std::uint8_t {
  ClosedForm,  // a theorem decides from the parameters
  // The lower curve is a maximum of lines 1 - delta - e^epsilon alpha; delta(epsilon) of the upper
  // curve decides each.
  Tangents,
  // The upper curve is piecewise linear and the lower one convex: the vertices decide.
  Vertices,
  // Adaptive mesh: on each cell the chord of the lower curve is below the tangents of the upper
  // one.
  Mesh,
  // The same for delta(epsilon), which is convex in e^epsilon, with the sides exchanged.
  DualMesh,
};
constexpr auto names_of(Proof) {
  return std::to_array<Named<Proof>>({{Proof::ClosedForm, "closed form"},
                                      {Proof::Tangents, "tangents"},
                                      {Proof::Vertices, "vertices"},
                                      {Proof::Mesh, "mesh"},
                                      {Proof::DualMesh, "dual mesh"}});
}

/// A verdict about two curves f and g.
struct Comparison {
  bool above;  // f(alpha) >= g(alpha) for all alpha
  Proof proof;
  double alpha;  // if not above: an alpha that shows it; else 0
};

/// Is f(alpha) >= g(alpha) for every alpha? Then every mechanism that satisfies f also satisfies
/// g.
/// Theorem  see Proof. Mesh serves Laplace noise in two and more dimensions above another Laplace
///          or a Gaussian curve; DualMesh serves compositions with a Gaussian (up to epsilon 700).
/// Domain   any two curves.
/// Error    a mesh reports f above g if f is nowhere below g by more than 1e-12; the other proofs
///          allow for the rounding of their formulas.
/// Cost     Mesh: some hundred evaluations of each, more where the curves nearly coincide.
/// Checked  tests/accounting/tradeoff_test.cc.
Comparison compare(const TradeOff& f, const TradeOff& g);

}  // namespace tacet::accounting
