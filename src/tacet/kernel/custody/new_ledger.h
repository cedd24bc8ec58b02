// tacet/kernel/custody/new_ledger.h: makes an empty ledger and its key. Private to the kernel.
//
//   TACET_TRY(const bool made, make_ledger("people.ledger", Seal::usual_folder(), Disk::real()));
//   TACET_TRY(LogFile file, LogFile::open("people.ledger"));
//
// Both files appear whole or not at all, and a killed program leaves no partial ledger. A path
// whose ledger had a budget and is gone gets no new one: that would be a second budget for the
// same people. (It is unknown whether anything was charged: the first record may contain charges
// of an older ledger, and after a power cut the mark may be an earlier one.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/disk.h"
#include "tacet/kernel/ledger/log_file.h"
#include "tacet/kernel/ledger/seal.h"

namespace tacet::kernel {

/// `bytes` random bytes, as hexadecimal digits.
Result<std::string> random_hex(std::size_t bytes);

/// Readable only by its owner. False if another process made the ledger first.
Result<bool> make_ledger(const std::string& path, const std::string& seals, Disk& disk);

/// Makes the name of the file survive a power cut.
Status keep_name(const LogFile& ledger);

/// The path where the ledger of this seal was made, if it has records. `descriptor`: its file.
std::optional<std::string> used_at(int descriptor);

/// Both end with these objects.
Result<LogFile> ledger_in_memory();
Result<Seal> seal_in_memory();

}  // namespace tacet::kernel
