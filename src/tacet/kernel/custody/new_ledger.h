// tacet/kernel/custody/new_ledger.h: an empty ledger and the custodian's key for it. Private to the kernel.
//
//   TACET_TRY(const bool made, make_ledger("people.ledger", Seal::usual_folder(), Disk::real()));
//   TACET_TRY(LogFile file, LogFile::open("people.ledger"));
//
// Both appear whole or not at all, and a killed program leaves no draft of a ledger behind. A path whose ledger had a budget and is gone gets
// no new one: that would be a second budget for the same people. (That nothing was charged to it cannot be told: its first record may bring
// charges of an older ledger, and after a power cut the mark may be an earlier one.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/disk.h"
#include "tacet/kernel/ledger/log_file.h"
#include "tacet/kernel/ledger/seal.h"

namespace tacet::kernel {

/// `bytes` random bytes as twice as many hexadecimal digits.
Result<std::string> random_hex(std::size_t bytes);

/// Readable by its owner alone. If another process was first, its ledger is the one, and the answer is false.
Result<bool> make_ledger(const std::string& path, const std::string& seals, Disk& disk);

/// They end with these objects.
Result<LogFile> ledger_in_memory();
Result<Seal> seal_in_memory();

}  // namespace tacet::kernel
