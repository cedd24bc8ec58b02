// tacet/studies/papers/lee_tables.h: the mechanisms for tables that Lee compares, as noise and
// what is done with it.
//
//   const auto truncated = *table_mechanisms("0.1", Projection::Nonnegative);
//   truncated[4].name;              // "M_rJS"
//   truncated[4].keeps_total();     // true: its noise sums to 0
//
// All are mu-GDP under replace-one. Laplace noise has the scale of (17).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::studies {

using inference::Projection;

struct TableMechanism {
  std::string name;
  mechanisms::NoiseDistribution noise;
  inference::DenoiseOptions denoise;

  bool keeps_total() const { return noise.structure == mechanisms::NoiseStructure::SumZero; }
};

/// M_G, M_r, M_JS0, M_JS, M_rJS and M_Lap, in this order. `mu` as text: "0.1".
Result<std::vector<TableMechanism>> table_mechanisms(std::string_view mu, Projection project);

}  // namespace tacet::studies
