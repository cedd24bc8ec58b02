// tacet/service/source_register.h: which files of people have a budget already, so that nobody sets a second one by accident.
//
//   TACET_CHECK(check_source_is_free("/data/patients.csv", {ledger.name(), "patients"}, again));
//   TACET_CHECK(register_source("/data/patients.csv", {ledger.name(), "patients"}));
//
// Two budgets for the same people add up, and no ledger knows of the other. So the custodian's folder (where the keys are) keeps a list of
// files by device, inode and time of birth, whatever their names. A second dataset over such a file is refused unless the custodian says
// why (`budget create --again REASON`), and the reason stands in the terms.
// Honest limit: a copy of a file is another file. It guards against accidents, not against whoever can copy the data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"

namespace tacet::service {

struct RegisteredDataset {
  std::string ledger;  // its random name
  std::string dataset;
};

/// An absolute path as the terms keep it: as it is, or "bytes:" and its bytes in percent signs where it is no UTF-8.
std::string source_text(const std::string& path);
/// Where data is, as a release will find it: a path is absolute and without symbolic links, a URI is left as it is.
std::string resolved_source(const std::string& written);

/// AlreadyExists if another dataset has this file as its source and `again` is empty. A path without a file is free.
Status check_source_is_free(const std::string& path, const RegisteredDataset& dataset, const std::string& again);
/// Does nothing where it is registered, or where there is no file at that path.
Status register_source(const std::string& path, const RegisteredDataset& dataset);

}  // namespace tacet::service
