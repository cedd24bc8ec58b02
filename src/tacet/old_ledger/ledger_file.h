// tacet/kernel/ledger_file.h: opening and making the file that holds a ledger.
//
// A new ledger is built under a temporary name, synced, and linked to its own name in one step: at its own name there is a
// whole ledger or nothing, also after a crash (which may leave a file "<name>.new-<random>" that may be deleted). The folder
// is synced before open_ledger_file returns, so a ledger that can be charged cannot vanish with a power cut.
// An empty file is never taken for a new ledger: a ledger that lost its contents looks just like that.
// Domain   a local file system with hard links and shared memory maps; network file systems do not keep SQLite's promises.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/sqlite.h"

namespace tacet::kernel {

/// The ledger at `path`, made there first if there is none and `create` is true. ":memory:" is a new one without a file.
Result<sqlite::Database> open_ledger_file(const std::string& path, bool create);

}  // namespace tacet::kernel
