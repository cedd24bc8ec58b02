// tacet/service/table_file.h: tables of probabilities and matrices from JSON files: an array, nested for a table.
//
//   mechanisms::Flattened null = *read_table("p.json", "null");
//   mechanisms::Matrix covariance = *read_square_matrix("s.json", "covariance");
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// The table in a file; `name` is the parameter that named the file. Whether its values are
/// probabilities is checked where they are used.
Result<mechanisms::Flattened> read_table(const std::string& path, const std::string& name);
/// A square matrix of at most 64 columns.
Result<mechanisms::Matrix> read_square_matrix(const std::string& path, const std::string& name);

/// The table in the file that the field names. Whether they are probabilities is checked where they are used.
Result<mechanisms::Flattened> probabilities_field(const Json& request, const std::string& name);

/// The square matrix in the file that the field names, row by row.
Result<mechanisms::Flattened> square_matrix_field(const Json& request, const std::string& name);

}  // namespace tacet::service
