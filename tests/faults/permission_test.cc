// Files and folders that may not be written. A superuser may write everything, so the checks run in
// a child without rights.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/filter_words.h"

#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel {
namespace {

using testing::decimal;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::ScratchFolder;

constexpr unsigned kNobody = 65534;

/// In a child of a death test: gives up a superuser's rights, runs the check and exits with 0 if it
/// holds.
[[noreturn]] void check_as_nobody(const std::function<bool()>& holds) {
  const bool dropped = ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
  std::_Exit(dropped && holds() ? 0 : 1);
}

bool says(const Error& error, const std::string& wanted) {
  if (error.code() == Code::LedgerUnavailable && error.message() == wanted && error.spent() == "nothing was spent") return true;
  (void)std::fprintf(stderr, "%s\n", error.message().c_str());
  return false;
}

class Permission : public ::testing::Test {
 protected:
  Permission() {
    Custody ledger = *Custody::open(path(), {.create = true});
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
    key_ = (ScratchFolder::keys() / (ledger.name() + ".seal")).string();
    name_ = ledger.name();
    EXPECT_EQ(::chmod(ScratchFolder::keys().c_str(), 0777), 0);
    EXPECT_EQ(::chmod(key_.c_str(), 0666), 0);
  }
  ~Permission() override { set(0700, 0600); }

  std::string path() const { return folder_.path("people.ledger"); }
  void set(mode_t folder, mode_t file) const {
    EXPECT_EQ(::chmod(path().c_str(), file), 0);
    EXPECT_EQ(::chmod(folder_.folder().c_str(), folder), 0);
  }
  /// The ledger can be read, and truly; and a charge is refused in these words.
  bool reads_and_refuses(const std::string& wanted, bool sealed) const {
    auto ledger = Custody::open(path());
    if (!ledger.ok()) return says(ledger.error(), "no error");
    const auto state = ledger->show("patients");
    const bool read = state.ok() && privacy::spent_amount(state->filter).first == decimal("0.25") && state->sealed == sealed &&
                      ledger->history("patients")->size() == 1 && ledger->terms("patients").ok();
    const auto grant = ledger->charge(request(rho_loss("0.25")));
    return read && !grant.ok() && says(grant.error(), wanted) && says(ledger->check(request(rho_loss("0.25"))).error(), wanted);
  }
  /// As a user without rights; a superuser's test drops them in a child.
  void expect_as_nobody(const std::function<bool()>& holds) const { EXPECT_EXIT(check_as_nobody(holds), ::testing::ExitedWithCode(0), ""); }

  ScratchFolder folder_;
  std::string key_, name_;
};

TEST_F(Permission, ReadOnlyFileIsReadAndNotCharged) {
  set(0755, 0444);
  expect_as_nobody([this] {
    return reads_and_refuses("the ledger \"" + path() + "\" may not be written by this user; whoever charges must be allowed to write it",
                             true);
  });
}

TEST_F(Permission, ReadOnlyFolderIsEnoughToCharge) {
  set(0555, 0666);
  expect_as_nobody([this] {
    auto ledger = Custody::open(path());
    return ledger.ok() && ledger->charge(request(rho_loss("0.25"))).ok();
  });
  EXPECT_EQ(Custody::open(path())->show("patients")->entries, 2);
}

TEST_F(Permission, UnreadableFileIsUnavailable) {
  set(0755, 0000);
  expect_as_nobody([this] {
    const auto ledger = Custody::open(path());
    return !ledger.ok() &&
           says(ledger.error(), "the ledger \"" + path() +
                                    "\" cannot be opened (Permission denied); check that its folder exists, that the disk has "
                                    "room and that you may write there");
  });
}

TEST_F(Permission, UnreadableKeyMeansReadingWithoutTheKey) {
  set(0755, 0666);
  ASSERT_EQ(::chmod(key_.c_str(), 0600), 0);
  const std::string wanted = "the key of the ledger \"" + path() + "\" is not in \"" + ScratchFolder::keys().string() +
                             "\", and nothing is charged without it; set TACET_HOME to the custodian's folder, which has " + name_ +
                             ".seal";
  expect_as_nobody([&] { return reads_and_refuses(wanted, false); });
}

TEST_F(Permission, ReadOnlyKeyIsEnoughToCheckAndNotToCharge) {
  set(0755, 0666);
  ASSERT_EQ(::chmod(key_.c_str(), 0644), 0);
  expect_as_nobody([this] {
    return reads_and_refuses(
        "the ledger's key \"" + key_ + "\" may not be written by this user; whoever charges must be allowed to write it", true);
  });
}

TEST_F(Permission, LedgerIsNotMadeInAReadOnlyFolderAndLeavesNoKey) {
  set(0555, 0600);
  expect_as_nobody([this] {
    const auto ledger = Custody::open(folder_.path("other.ledger"), {.create = true});
    return !ledger.ok() &&
           says(ledger.error(), "the ledger \"" + folder_.path("other.ledger") +
                                    "\" cannot be made (Permission denied); check that its folder exists, that the disk has room "
                                    "and that you may write there");
  });
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(ScratchFolder::keys()), {}), 1);
}

TEST_F(Permission, LedgerIsNotMadeWhereItsKeyCannotBe) {
  set(0777, 0600);
  ASSERT_EQ(::chmod(ScratchFolder::keys().c_str(), 0555), 0);
  expect_as_nobody([this] {
    const auto ledger = Custody::open(folder_.path("other.ledger"), {.create = true});
    return !ledger.ok() && ledger.error().code() == Code::LedgerUnavailable &&
           ledger.error().message().find(".seal\" cannot be made (Permission denied)") != std::string::npos;
  });
  EXPECT_FALSE(std::filesystem::exists(folder_.path("other.ledger")));
}

}  // namespace
}  // namespace tacet::kernel
