// tacet/mechanisms/printed_figure.h: what people read of a release of moments.
//
//   if (const auto reason = why_no_answer(release, group)) return *reason;      // nobody may be in this group
//   PrintedFigure f = printed_figure(release, group);
//   f.values;  f.noise_sd;            // a mean of 171.2 and the 0.4 of its noise
//
// The noise of a figure is that of all the numbers it is made of, linearised. With S_j and P_jk the
// noisy sums and products about the public centre c, n the number of people and m_j = S_j/n:
//   sum            S_j + c_j n         var S_j + c_j^2 var n
//   mean           c_j + S_j/n         (var S_j + m_j^2 var n)/n^2
//   second moment  P_jk/n              (var P_jk + (P_jk/n)^2 var n)/n^2
//   covariance     P_jk/n - m_j m_k    (var P_jk + m_k^2 var S_j + m_j^2 var S_k
//                                      + (2 m_j m_k - P_jk/n)^2 var n)/n^2; 4 m_j^2 var S_j for j = k
// Post-processing: costs no privacy.
// Theorem  the delta method. That a covariance is then moved to the nearest possible one
//          (covariance.h) is left out.
// Domain   as moment_release.h.
// Error    of second order in the noise over n; none for sums, and for means with a public n.
// Cost     d^2; a covariance d^3.
// Checked  tests/mechanisms/printed_figure_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet::mechanisms {

struct PrintedFigure {
  std::vector<double> values;                   // what the kind says: d numbers, or d x d row by row
  std::optional<std::vector<double>> noise_sd;  // of each; none for matrices by ed, whose entries' noise has no known size
};

/// A noisy number of people must exceed its own noise this many times, or there may be nobody.
inline constexpr double kCountOverNoise = 2;

/// Why the figure says nothing about this group: nobody is in it, or its noisy count does not tell
/// it from an empty one. Sums always say something.
std::optional<std::string> why_no_answer(const MomentRelease& release, std::size_t group);

PrintedFigure printed_figure(const MomentRelease& release, std::size_t group);

}  // namespace tacet::mechanisms
