// Releases that are killed at random moments, and what must be true after any number of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/program.h"

namespace tacet::test {

/// Starts `times` releases one after the other, kills each at a moment of its own, and then checks
/// the files and the ledger.
void kill_releases(const Program& program, int times);

/// Every release file is whole and its charge is in the ledger, whose chain agrees; nothing is
/// overspent; nothing half-written is left.
void expect_every_release_paid(const Program& program);

}  // namespace tacet::test
