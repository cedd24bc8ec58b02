// tacet/service/axes_file.h: the names and labels of a table from a JSON file.
//
//   [{"name": "sex", "labels": ["f", "m"]}, {"name": "ill", "labels": ["yes", "no"]}]
//
//   std::vector<mechanisms::ReleaseAxis> axes = *read_axes("axes.json");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::service {

/// The caller checks that they fit the table.
Result<std::vector<mechanisms::ReleaseAxis>> read_axes(const std::string& path);

}  // namespace tacet::service
