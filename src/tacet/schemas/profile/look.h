// tacet/schemas/profile/look.h: looks at the rows of a source, for the custodian alone.
//
//   FileProfile seen = *look_at(file, schema);
//   FileProfile first = *look_at(file, schema, {.learn = true});     // before there is a schema
//
// A file is read by the program tacet-look, in a process that is confined as the one of releases
// is (data/scan.h); it writes nothing, and a file that makes it crash is a refused file. Rows in
// memory are read where they are. What is returned is data without noise: who may see it is for
// the caller to decide (workflow/custody/look_at_data.h).
// Error    as of data/scan.h: the names of files and columns, never what is in them.
// Cost     one pass over a CSV file, and one over each column of other files: about 0.1 s for
//          50,000 rows of 15 columns; 1 GB of memory at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

struct LookOptions {
  bool learn = false;                         // all columns, as if nothing were declared
  std::function<void(double)> progress = {};  // receives the fraction that is done
};

Result<FileProfile> look_at(const data::DataFile& file, const data::Schema& schema, const LookOptions& options = {});
FileProfile look_at(const data::StoredTable& table, const data::Schema& schema);

}  // namespace tacet::schemas
