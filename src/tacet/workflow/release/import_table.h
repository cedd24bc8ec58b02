// tacet/workflow/release/import_table.h: makes a release from a noisy table that others published.
//
//   CountRelease table = *import_table({.values = {812, 90, 455, 120},
//                                       .shape = {2, 2},
//                                       .noise = {NoiseFamily::Laplace, 2},
//                                       .n = 1468,
//                                       .out = "imported.json"});
//   IndependenceTest test = *test_independence(table);
//
// All inference can use it. The caller declares the noise; nothing guarantees the privacy. Noise
// on the integers, as the discrete Gaussian of the US census, has its own support:
//
//   NoiseDistribution census{NoiseFamily::Gaussian, 2.5, NoiseStructure::Independent,
//                            NoiseSupport::Integers};
//
// A table that was truncated, shrunk or projected after its noise was added has other noise. It is
// refused where it shows (several cells of exactly 0, or a sum of exactly n), except noise that
// keeps the total, which is NoiseStructure::SumZero. With what was done to it, it is another kind
// of release, which tests of fit, of independence and of homogeneity can use:
//
//   TableImport published{.values = {12.7, 0, 3.1, 0}, .noise = {NoiseFamily::Laplace, 4}};
//   DenoisedRelease truncated =
//       *import_denoised_table(published, Shrinkage::None, Projection::Nonnegative);
//
// Domain   1 to 10^7 cells, finite and at most 1e100 in size; scales from 1e-100 to 1e100; n
//          whole, at most 2^53. Outside: InvalidArgument, and no file.
// Error    none.
// Cost     linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/denoised_release.h"

namespace tacet {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::DenoisedRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;
using mechanisms::NoiseSupport;
using mechanisms::Projection;
using mechanisms::ReleaseAxis;
using mechanisms::Shrinkage;

/// A noisy table that somebody published, and its noise.
struct TableImport {
  std::vector<double> values;           // the last axis runs fastest
  std::vector<std::size_t> shape = {};  // empty: a list
  NoiseDistribution noise = {};         // in each cell
  std::optional<double> n = {};         // the number of people, if it is public
  std::vector<ReleaseAxis> axes = {};   // names and labels; empty: none
  std::optional<std::string> out = {};  // the release file to write
};

/// A release of this table. It costs no budget of ours.
Result<CountRelease> import_table(const TableImport& table);

/// A release of a table that was shrunk, then projected, after the noise of `table` was added.
/// InvalidArgument if neither was done, or if the values show that it was not.
Result<DenoisedRelease> import_denoised_table(const TableImport& table, Shrinkage shrink, Projection project);

}  // namespace tacet
