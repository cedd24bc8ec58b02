// tacet/workflow/custody/source_register.h: a register of sources with a budget, against a second
// budget by accident.
//
//   // Before anything is charged.
//   TACET_CHECK(claim_source("/data/patients.csv", {ledger.name(), "patients"}, /*again=*/""));
//
// Two budgets for the same people add up, and neither ledger knows of the other. So the
// custodian's folder, which has the keys, also has a list of files: by path, and by device, inode
// and time of birth. A table in memory (memory:NAME) is listed by its name. A second dataset on
// such a source is refused unless the custodian gives a reason (BudgetRequest::again),
// which becomes part of the terms.
// Limit    A copy of a file is another file. The register prevents accidents, not a copy of the
//          data on purpose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/scan_request.h"

namespace tacet {

/// The dataset of a ledger that a source belongs to.
struct RegisteredDataset {
  std::string ledger;  // its random name
  std::string dataset;
  std::optional<std::string> path = {};  // of the ledger, for messages
};

/// An absolute path as text for the terms: unchanged, or "bytes:" and its percent-encoded bytes if
/// it is not UTF-8.
std::string source_text(const std::string& path);
/// The source of the rows of a release, as text for the terms: a path as above, or memory:NAME.
std::string source_text(const data::DataSource& rows);
/// The path of such a text.
std::string path_of_source(const std::string& text);
/// The source as a release finds it: a path becomes absolute and without symbolic links;
/// memory:NAME and a URI are unchanged.
std::string resolved_source(const std::string& written);

/// All datasets that have this path or file as their source.
std::vector<RegisteredDataset> datasets_of_source(const std::string& path);
/// AlreadyExists if another dataset has this path or file as its source and `again` is empty. For
/// a refusal before anything is created.
Status check_source_is_free(const std::string& path, const RegisteredDataset& dataset, const std::string& again);
/// The same check, and registers the source, in one atomic step. A path can be registered before
/// its file exists.
Status claim_source(const std::string& path, const RegisteredDataset& dataset, const std::string& again);
/// AlreadyExists if this dataset of an old ledger, or of a copy of it, continues in another ledger
/// than that of `into`; otherwise registers that ledger.
Status claim_adoption(const std::string& old_ledger, const RegisteredDataset& into);

}  // namespace tacet
