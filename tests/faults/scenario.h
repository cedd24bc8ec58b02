// The life of a small ledger, for disks that fail at any point of it: made, given a budget of rho
// 0.3, charged 0.1 four times, with the hash of each release written down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/kernel/custody/custody.h"

namespace tacet::testing {

struct Story {
  std::vector<kernel::Receipt> grants;
  std::vector<Error> errors;           // of all steps, refusals for want of budget included
  std::vector<Error> refused_charges;  // those of them that came from charge()
};

/// Makes the ledger and its budget, then closes it. Each step is tried twice. True if all of it
/// succeeded.
bool make_ledger(const std::string& path, kernel::Disk& disk, Story& story);
/// Opens the ledger and charges four times, each tried twice.
void charge_ledger(const std::string& path, kernel::Disk& disk, Story& story);

/// Empty if what is on the disk is as the story says: every grant has its entry, nothing is
/// overspent, every hash is right, and whatever remains can be charged. Otherwise what is wrong. A
/// file that is missing or cannot be opened is wrong if there was a grant. `seals`: the folder with
/// the keys, empty for the usual one.
std::string contradiction_of(const std::string& path, const Story& story, const std::string& seals = "");

}  // namespace tacet::testing
