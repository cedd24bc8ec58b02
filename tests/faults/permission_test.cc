// Files and folders that may not be written. A superuser may write everything, so the checks run in a child without rights.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

#include "tacet/kernel/ledger/ledger.h"

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

/// In a child of a death test: gives up a superuser's rights, runs the check and exits with 0 if it holds.
[[noreturn]] void check_as_nobody(const std::function<bool()>& holds) {
  const bool dropped = ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
  std::_Exit(dropped && holds() ? 0 : 1);
}

bool is_unavailable(const Error& error) {
  if (error.code() == Code::LedgerUnavailable && error.spent() == "nothing was spent") return true;
  (void)std::fprintf(stderr, "%s\n", error.message().c_str());
  return false;
}

class Permission : public ::testing::Test {
 protected:
  Permission() {
    Ledger ledger = *Ledger::open(path(), true);
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
  }
  ~Permission() override { set(0700, 0600); }

  std::string path() const { return folder_.path("people.ledger"); }
  void set(mode_t folder, mode_t file) const {
    EXPECT_EQ(::chmod(path().c_str(), file), 0);
    EXPECT_EQ(::chmod(folder_.folder().c_str(), folder), 0);
  }
  /// A ledger that cannot be written is unavailable at once, or can be read (and then truly) but not charged.
  bool refuses() const {
    auto ledger = Ledger::open(path());
    if (!ledger.ok()) return is_unavailable(ledger.error());
    const auto state = ledger->show("patients");
    const bool read = state.ok() ? state->filter.spent_amount().first == decimal("0.25") : is_unavailable(state.error());
    const auto grant = ledger->charge(request(rho_loss("0.25")));
    return read && !grant.ok() && is_unavailable(grant.error());
  }
  const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
};

TEST_F(Permission, ReadOnlyFileIsUnavailableForCharges) {
  set(0777, 0444);
  EXPECT_EXIT(check_as_nobody([this] { return refuses(); }), ::testing::ExitedWithCode(0), "");
}

TEST_F(Permission, ReadOnlyFolderIsUnavailable) {
  set(0555, 0666);
  EXPECT_EXIT(check_as_nobody([this] { return refuses(); }), ::testing::ExitedWithCode(0), "");
}

TEST_F(Permission, UnreadableFileIsUnavailable) {
  set(0755, 0000);
  EXPECT_EXIT(check_as_nobody([this] { return refuses(); }), ::testing::ExitedWithCode(0), "");
}

TEST_F(Permission, LedgerIsNotMadeInAReadOnlyFolder) {
  set(0555, 0600);
  EXPECT_EXIT(check_as_nobody([this] {
                const auto ledger = Ledger::open(folder().path("other.ledger"), true);
                return !ledger.ok() && is_unavailable(ledger.error());
              }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(Permission, ChildWithoutRightsMayChargeWhatItMayWrite) {
  set(0777, 0666);
  EXPECT_EXIT(check_as_nobody([this] {
                auto ledger = Ledger::open(path());
                return ledger.ok() && ledger->charge(request(rho_loss("0.25"))).ok();
              }),
              ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tacet::kernel
