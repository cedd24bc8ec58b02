// tacet/schemas/data_path.h: opens a data file by its name.
//
//   data::DataFile patients = *open_data("patients.parquet");
//
// The name, not the contents, determines the kind (.csv, .tsv, either with .gz; .parquet; .duckdb,
// .db). The file is opened here, once; a name like a pattern or a URL is still a local file.
// Checked  tests/data/data_file_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::schemas {

/// NotFound, or DataUnreadable if it cannot be opened or is no regular file.
Result<data::DataFile> open_data(const std::string& path);

}  // namespace tacet::schemas
