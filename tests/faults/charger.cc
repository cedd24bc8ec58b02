// Charges a ledger until its budget is used up, and "publishes" after every grant: a file named
// after the entry that holds its hash. Run, and killed, by process_test.cc and names_test.cc.
//
//   charger [--bind FILE] LEDGER ANALYST RHO RELEASES [BUDGET]
//
// With BUDGET, makes the ledger and the budget where they are missing. With --bind, LEDGER is a
// mount of FILE that this process alone sees; exits with 77 where that is not permitted. Waits for
// the end of standard input before it begins.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/kernel/custody/custody.h"

#include "kernel/ledger_requests.h"

namespace {

using tacet::Code;
using tacet::Error;
using tacet::kernel::Custody;

constexpr int kNotPermitted = 77;

int complain(const Error& error) {
  fmt::print(stderr, "{}: {}; {}\n", tacet::name(error.code()), error.message(), error.spent());
  return 1;
}

void publish(const std::filesystem::path& releases, const tacet::kernel::Receipt& receipt) {
  const std::filesystem::path draft = releases / fmt::format("draft-{}", ::getpid());
  std::ofstream(draft) << receipt.entry_hash;
  std::filesystem::rename(draft, releases / std::to_string(receipt.entry));
}

/// Mounts `file` over `name`, for this process only. A user who may not mount may do so as the root
/// of a user namespace of their own.
bool mount_over(const std::string& file, const std::string& name) {
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << fmt::format("0 {} 1", user);
    std::ofstream("/proc/self/gid_map") << fmt::format("0 {} 1", group);
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount(file.c_str(), name.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  std::string file;
  if (words.size() > 2 && words[0] == "--bind") {
    file = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() < 4 || words.size() > 5) return 2;
  if (!file.empty() && !mount_over(file, words[0])) return kNotPermitted;
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  const bool make = words.size() == 5;
  auto ledger = Custody::open(words[0], {.create = make});
  if (!ledger.ok()) return complain(ledger.error());
  if (make) {
    const tacet::Status made = ledger->create_budget("patients", tacet::testing::rho_budget(words[4]), {});
    if (!made.ok() && made.error().code() != Code::AlreadyExists) return complain(made.error());
  }
  const tacet::kernel::ChargeRequest request = tacet::testing::request(tacet::testing::rho_loss(words[2]), words[1]);
  while (true) {
    const auto grant = ledger->charge(request);
    if (grant.ok()) {
      publish(words[3], grant->receipt());
      // What a release does after its file is there; a failure costs nobody anything.
      if (const auto recorded = ledger->record_published(grant->receipt(), grant->receipt().statement_hash); !recorded.ok())
        return complain(recorded.error());
    } else if (grant.error().code() == Code::BudgetExhausted) {
      return 0;
    } else {
      return complain(grant.error());
    }
  }
}
