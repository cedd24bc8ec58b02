// A ledger that other processes charge and publish from, and what must hold whatever happens to
// them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/kernel/custody/custody.h"

#include "faults/child.h"
#include "kernel/scratch_folder.h"

namespace tacet::testing {

class ChargingPlace {
 public:
  ChargingPlace();

  std::string ledger() const { return folder_.path("people.ledger"); }
  std::string releases() const { return folder_.path("releases"); }
  const ScratchFolder& folder() const { return folder_; }
  /// A process that makes the ledger if need be and charges it until the budget is used up; see
  /// charger.cc.
  Child charger(const Gate& gate, const std::string& analyst, const std::string& rho, const std::string& budget) const;
  /// One that charges the ledger under another name, if need be in a mount of its own over that
  /// name.
  Child charger_of(const Gate& gate, const std::string& name, bool bind, const std::string& analyst, const std::string& rho) const;

  /// Checks that every release has its entry and that no more than `budget` was spent; returns the
  /// number of releases.
  std::size_t checked_releases(const std::string& budget) const;
  /// How many releases there are.
  std::size_t published() const;
  /// Returns when there are as many, or after a while.
  void wait_for_releases(std::size_t count) const;
  /// All entries, after a check of the whole chain; none if the ledger or its budget was not made
  /// yet.
  std::vector<kernel::Entry> history() const;

 private:
  ScratchFolder folder_;
};

/// Kills two chargers at random moments, over and over, sometimes of a ledger that they still have
/// to make, and checks after each.
void kill_and_check(int kills);

}  // namespace tacet::testing
