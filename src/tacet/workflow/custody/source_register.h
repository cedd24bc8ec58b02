// tacet/workflow/custody/source_register.h: which sources have a budget already, so that nobody sets
// a second one by accident.
//
//   TACET_CHECK(claim_source("/data/patients.csv", {ledger.name(), "patients", path}, again));       // before anything is charged
//
// Two budgets for the same people add up, and no ledger knows of the other. So the custodian's folder (where the keys are) keeps a list of
// files by their paths, and by device, inode and time of birth, whatever their names. A second dataset over such a file is refused unless the custodian says
// why (`budget create --again REASON`), and the reason stands in the terms. A table in memory
// (memory:NAME) is known by its name alone: who uses a name twice says why.
// Honest limit: a copy of a file is another file. It guards against accidents, not against whoever can copy the data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/data/scan_request.h"

namespace tacet {

struct RegisteredDataset {
  std::string ledger;  // its random name
  std::string dataset;
  std::string path{};  // of the ledger, for messages; empty where it is not known
};

/// An absolute path as the terms keep it: as it is, or "bytes:" and its bytes in percent signs where it is no UTF-8.
std::string source_text(const std::string& path);
/// What the terms call the rows of a release: the path of a file as above, memory:NAME of a table.
std::string source_text(const data::DataSource& rows);
/// The path that such a text was made of.
std::string path_of_source(const std::string& text);
/// Where data is, as a release will find it: a path is absolute and without symbolic links; memory:NAME
/// and a URI are left as they are.
std::string resolved_source(const std::string& written);

/// AlreadyExists if another dataset has this path or file as its source and `again` is empty. For a refusal before anything is made.
Status check_source_is_free(const std::string& path, const RegisteredDataset& dataset, const std::string& again);
/// The same, and writes it down, in one step that no other process comes between. A path counts before there is a file.
Status claim_source(const std::string& path, const RegisteredDataset& dataset, const std::string& again);
/// AlreadyExists if this dataset of an old ledger, or of a copy of it, goes on in another ledger than that of `into`; else writes that down.
Status claim_adoption(const std::string& old_ledger, const RegisteredDataset& into);

}  // namespace tacet
