// tacet/workflow/custody/verify_releases.h: compares release files with their ledger.
//
//   const Dataset patients = *Dataset::open("patients.ledger");
//   const ReleaseCheck check = *verify_releases(patients, {"smoking.json", "mean.json"});
//   for (const CheckedRelease& one : check.releases) show(one.file, name(one.finding));
//
// Release files show two things that a ledger alone cannot: that an older copy of the ledger was
// restored, or that one charge was used for two files.
//
// Error    NotFound for a file that cannot be read. The contents of a file give a finding, not an
//          error.
// Cost     linear in the entries of the ledger and in the bytes of the files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/workflow/dataset.h"

namespace tacet {

/// The result of comparing a release file with the ledger.
enum class ReleaseFinding : std::uint8_t {
  Agrees,       // its charge is in the ledger
  OtherLedger,  // its receipt is of another ledger or dataset
  RolledBack,   // the ledger ends before its charge: it is an older copy, or was cut
  Forged,       // the ledger has another entry at the number of its receipt
  Altered,      // its charge is in the ledger, but the file is not the published one
  Replayed,     // another release has the same receipt
  Unrecorded,   // its charge is in the ledger, which has no hash of the file
  NoReceipt,    // it has no receipt of a ledger
};
constexpr auto names_of(ReleaseFinding) {
  using enum ReleaseFinding;
  return std::to_array<Named<ReleaseFinding>>({{Agrees, "agrees"},
                                               {OtherLedger, "other-ledger"},
                                               {RolledBack, "rolled-back"},
                                               {Forged, "forged"},
                                               {Altered, "altered"},
                                               {Replayed, "replayed"},
                                               {Unrecorded, "unrecorded"},
                                               {NoReceipt, "no-receipt"}});
}

/// A release file, and what the ledger says of it.
struct CheckedRelease {
  std::string file;
  std::optional<std::uint64_t> entry;  // of its receipt
  ReleaseFinding finding;
};

/// A charge for which no file was given.
struct UnmatchedCharge {
  std::uint64_t entry;
  bool published;  // a file was written for it
};

/// What was found for every file, and the charges without a file.
struct ReleaseCheck {
  std::string dataset;
  std::string ledger;  // its path
  bool sealed;         // every entry was checked with the custodian's key
  std::vector<CheckedRelease> releases;
  std::vector<UnmatchedCharge> charges_without_release;

  bool verified() const {
    return std::all_of(releases.begin(), releases.end(), [](const CheckedRelease& r) { return r.finding == ReleaseFinding::Agrees; });
  }
};

/// Compares release files with the ledger.
Result<ReleaseCheck> verify_releases(const Dataset& dataset, const std::vector<std::string>& files);

}  // namespace tacet
