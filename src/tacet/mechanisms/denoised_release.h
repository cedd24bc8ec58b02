// tacet/mechanisms/denoised_release.h: a table of counts that was shrunk or moved to possible
// counts after its noise was added, as other agencies publish.
//
//   DenoisedRelease r = *read_release_as<DenoisedRelease>("published.json");   // release_file.h
//   r.table.values;   // as published
//   r.table.noise;    // the noise in each cell before that
//   r.shrink;         // and what was done then: first shrink, then project
//
// The kind is another one than that of counts, because no interval and no estimate that knows
// noise about the true counts is right for it. Tests simulate what was done
// (workflow/infer/goodness_of_fit.h).
// Domain   as count_release.h; project is not Bounds; shrink needs Gaussian noise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/release_header.h"

namespace tacet::mechanisms {

/// inference/estimates/shrink.h has the formulas.
enum class Shrinkage : std::uint8_t { None, TowardsZero, TowardsMean, PositivePart, RankDeficient };
constexpr auto names_of(Shrinkage) {
  return std::to_array<Named<Shrinkage>>({{Shrinkage::None, "none"},
                                          {Shrinkage::TowardsZero, "js0"},
                                          {Shrinkage::TowardsMean, "js"},
                                          {Shrinkage::PositivePart, "js+"},
                                          {Shrinkage::RankDeficient, "rjs"}});
}

/// To the nearest table of this kind (inference/estimates/project.h).
enum class Projection : std::uint8_t { None, Nonnegative, Simplex, Bounds };
constexpr auto names_of(Projection) {
  return std::to_array<Named<Projection>>({{Projection::None, "none"},
                                           {Projection::Nonnegative, "nonnegative"},
                                           {Projection::Simplex, "simplex"},
                                           {Projection::Bounds, "bounds"}});
}

struct DenoisedRelease {
  ReleaseHeader header = {};
  CountRelease table = {};  // its header is empty
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

nlohmann::json to_json(const DenoisedRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write, and for values
/// that this denoising cannot leave.
Result<DenoisedRelease> denoised_release_from_json(const nlohmann::json& value);

}  // namespace tacet::mechanisms
