// tacet/service/table_file.h: tables of numbers in JSON files: an array, nested for a table.
//
//   TACET_TRY(const mechanisms::Flattened null, read_table("null.json", "null"));
//   TACET_TRY(const mechanisms::Matrix rows, read_square_matrix("covariance.json", "covariance"));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/nested_numbers.h"

namespace tacet::service {

/// `name` is the field that names the file. The caller checks the numbers.
Result<mechanisms::Flattened> read_table(const std::string& path, const std::string& name);
/// A table of two dimensions.
Result<mechanisms::Matrix> read_matrix(const std::string& path, const std::string& name);
/// Of at most 64 columns.
Result<mechanisms::Matrix> read_square_matrix(const std::string& path, const std::string& name);

}  // namespace tacet::service
