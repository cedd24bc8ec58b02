// tacet/service/table_file.h: tables of probabilities and matrices from JSON files: an array, nested for a table.
//
//   mechanisms::Flattened null = *probabilities_field(request, "null");       // --null p.json
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// The table in the file that the field names. Whether they are probabilities is checked where they are used.
Result<mechanisms::Flattened> probabilities_field(const Json& request, const std::string& name);

/// The square matrix in the file that the field names, row by row.
Result<mechanisms::Flattened> square_matrix_field(const Json& request, const std::string& name);

}  // namespace tacet::service
