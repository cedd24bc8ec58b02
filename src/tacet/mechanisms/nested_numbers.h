// tacet/mechanisms/nested_numbers.h: tables of numbers as nested arrays of JSON, and back.
//
//   nlohmann::json json = nested({1, 2, 3, 4, 5, 6}, {2, 3});     // [[1, 2, 3], [4, 5, 6]]
//   Flattened table = *flatten(json, "values");       // shape and values, the last axis fastest
//
// Domain   every number finite and at most 1e100 in size, every row of equal length, at most
//          kMostAxes deep and kMostReleasedCells long.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"

namespace tacet::mechanisms {

/// As deep as `shape` is long.
nlohmann::json nested(const std::vector<double>& values, const std::vector<std::size_t>& shape);
/// A list for each row.
nlohmann::json nested(const Matrix& matrix);

struct Flattened {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};
/// InvalidArgument, of the parameter `name`.
Result<Flattened> flatten(const nlohmann::json& value, const std::string& name);

}  // namespace tacet::mechanisms
