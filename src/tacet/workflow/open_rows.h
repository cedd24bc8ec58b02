// tacet/workflow/open_rows.h: the rows of a release, where the request or the terms say they are.
//
//   TACET_TRY(const data::DataSource rows, open_rows(place, declared));
//   TACET_CHECK(claim_source(source_text(rows), {"9f02", "patients"}, ""));   // source_register.h
//   data::count(rows, declared, {.by = {"sex"}});
//
// Reads no row. Whether the source is that of the terms, name by name, the kernel decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/data/scan_request.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// What the place names, or else the file in the terms. InvalidArgument for a table in memory where
/// the terms have a file, and for a file where they have memory:NAME.
Result<data::DataSource> open_rows(const KnownPlace& place, const data::Declared& declared);

}  // namespace tacet
