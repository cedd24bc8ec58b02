// Charges a ledger until its budget is used up, and "publishes" after every grant: a file named after the entry that holds
// its hash. Run, and killed, by process_test.cc.
//
//   charger LEDGER ANALYST RHO RELEASES [BUDGET]
//
// With BUDGET, makes the ledger and the budget where they are missing. Waits for the end of standard input before it begins.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tacet/kernel/ledger/ledger.h"

#include "kernel/ledger_requests.h"

namespace {

using tacet::Code;
using tacet::Error;
using tacet::kernel::Ledger;

int complain(const Error& error) {
  fmt::print(stderr, "{}: {}; {}\n", tacet::name(error.code()), error.message(), error.spent());
  return 1;
}

void publish(const std::filesystem::path& releases, const tacet::kernel::Receipt& receipt) {
  const std::filesystem::path draft = releases / fmt::format("draft-{}", ::getpid());
  std::ofstream(draft) << receipt.entry_hash;
  std::filesystem::rename(draft, releases / std::to_string(receipt.entry));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5 || count > 6) return 2;
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  const bool make = count == 6;
  auto ledger = Ledger::open(arguments[1], make);
  if (!ledger.ok()) return complain(ledger.error());
  if (make) {
    const tacet::Status made = ledger->create_budget("patients", tacet::testing::rho_budget(arguments[5]), {});
    if (!made.ok() && made.error().code() != Code::AlreadyExists) return complain(made.error());
  }
  const tacet::kernel::ChargeRequest request = tacet::testing::request(tacet::testing::rho_loss(arguments[3]), arguments[2]);
  while (true) {
    const auto grant = ledger->charge(request);
    if (grant.ok()) {
      publish(arguments[4], grant->receipt());
    } else if (grant.error().code() == Code::BudgetExhausted) {
      return 0;
    } else {
      return complain(grant.error());
    }
  }
}
