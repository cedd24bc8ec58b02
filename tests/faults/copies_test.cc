// Copies, older copies, deleted and replaced ledgers, and keys that are missing or wrong: none of
// them pays a budget back.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"

#include "faults/faulty_disk.h"
#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel {
namespace {

using ::testing::HasSubstr;
using testing::QuickDisk;
using testing::read_all;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::ScratchFolder;
using testing::write_all;

const std::string kReleaseHash(64, 'a');

class Copies : public ::testing::Test {
 protected:
  Copies() {
    Custody ledger = *Custody::open(path("l"), {.create = true, .disk = &QuickDisk::one()});
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
    key_ = ScratchFolder::keys() / (ledger.name() + ".seal");
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  static void copy(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  }
  static std::string error_of(Custody& ledger) {
    const auto grant = ledger.charge(request(rho_loss("0.25")));
    if (!grant.ok()) {
      EXPECT_EQ(grant.error().spent(), "nothing was spent");
    }
    return grant.ok() ? "granted" : grant.error().message();
  }
  static std::string open_error(const std::string& path, const LedgerOptions& options = {}) {
    const auto ledger = Custody::open(path, options);
    return ledger.ok() ? "opened" : ledger.error().message();
  }

  ScratchFolder folder_;
  std::filesystem::path key_;
};

// --- Copies. ---

TEST_F(Copies, CopyIsTheSameLedgerUntilOneOfTheTwoIsCharged) {
  copy(path("l"), path("copy"));
  Custody ledger = *Custody::open(path("l"));
  Custody other = *Custody::open(path("copy"));
  ASSERT_TRUE(other.charge(request(rho_loss("0.75"))).ok());
  const std::string not_newest = "the ledger \"" + path("l") +
                                 "\" is not the newest: record 3 was granted by this key, and the file ends after "
                                 "record 2; an older copy was put in its place, or a copy was charged apart; restore the newest one, and "
                                 "compare its entries with the releases made since";
  EXPECT_EQ(error_of(ledger), not_newest);
  EXPECT_EQ(ledger.show("patients").error().message(), not_newest);
  EXPECT_EQ(ledger.history("patients").error().message(), not_newest);
  EXPECT_EQ(ledger.terms("patients").error().message(), not_newest);
  EXPECT_EQ(ledger.check(request(rho_loss("0.25"))).error().message(), not_newest);
  EXPECT_EQ(ledger.create_budget("others", rho_budget("1"), {}).error().message(), not_newest);
  EXPECT_EQ(ledger.record_failed_scan(request(rho_loss("0.25"))).error().message(), not_newest);
  EXPECT_EQ(open_error(path("l")), not_newest);
  EXPECT_EQ(error_of(other), "the release needs more than remains in the budget of \"patients\"; see what fits: `budget show`");
}

TEST_F(Copies, ChargedAtTheSameTimeByTwoThreadsAreGrantedOneBudgetTogether) {
  copy(path("l"), path("copy"));
  std::atomic<int> granted = 0;
  const auto charge_all = [&](const std::string& which) {
    auto ledger = Custody::open(path(which), {.disk = &QuickDisk::one()});
    while (ledger.ok() && ledger->charge(request(rho_loss("0.001"))).ok()) ++granted;
  };
  std::thread other(charge_all, "copy");
  charge_all("l");
  other.join();
  EXPECT_GT(granted, 0);
  EXPECT_LE(granted, 750);
  EXPECT_NE(open_error(path("l")) == "opened", open_error(path("copy")) == "opened") << "one of the two is the newest";
}

TEST_F(Copies, ChargedWhileTheOtherWaitsForTheKeyIsNotChargedTwice) {
  copy(path("l"), path("copy"));
  Custody ledger = *Custody::open(path("l"));
  const int key = ::open(key_.c_str(), O_RDWR | O_CLOEXEC);
  std::optional<FileLock> held(*FileLock::take(key, FileLock::Access::Write, "x"));
  std::string error;
  std::thread waiting([&] { error = error_of(ledger); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it has found everything in order, and waits for the key
  // What a charge to the copy does to the key.
  const std::string mark = fmt::format("{:018} {}", 3, std::string(64, 'b'));
  ASSERT_EQ(::pwrite(key, mark.data(), mark.size(), static_cast<off_t>(read_all(key_).find("mark ") + 5)),
            static_cast<ssize_t>(mark.size()));
  held.reset();
  waiting.join();
  ::close(key);
  EXPECT_THAT(error, HasSubstr("is not the newest: record 3 was granted by this key, and the file ends after record 2"));
}

TEST_F(Copies, CopyThatGrewByUnmarkedRecordsIsNotTakenForTheNewest) {
  // Records of releases move no mark. A copy that has more of them than the other has charges is
  // longer than the mark says, and was charged apart.
  copy(path("l"), path("copy"));
  Custody ledger = *Custody::open(path("l"));
  Custody other = *Custody::open(path("copy"));
  const Entry entry = ledger.history("patients")->at(0);
  const Receipt receipt{.ledger = ledger.name(),
                        .dataset = "patients",
                        .entry = 1,
                        .entry_hash = entry.entry_hash,
                        .statement_hash = {},
                        .time = {},
                        .charged = {}};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(other.record_published(receipt, kReleaseHash).ok());
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.75"))).ok());
  EXPECT_THAT(error_of(other), HasSubstr("is not the newest: record 3 was granted by this key, and the file has another in its place"));
  EXPECT_THAT(open_error(path("copy")), HasSubstr("the file has another in its place"));
}

TEST_F(Copies, OlderCopyPutBackIsRefused) {
  copy(path("l"), path("backup"));
  {
    ASSERT_TRUE(Custody::open(path("l"))->charge(request(rho_loss("0.75"))).ok());
  }
  copy(path("l"), path("newest"));
  copy(path("backup"), path("l"));
  EXPECT_THAT(open_error(path("l")), HasSubstr("is not the newest: record 3 was granted by this key, and the file ends after record 2"));
  copy(path("newest"), path("l"));
  EXPECT_EQ(open_error(path("l")), "opened");
}

TEST_F(Copies, OlderCopyPutBackIntoTheFileThatAProcessHoldsIsRefused) {
  const std::string older = read_all(path("l"));
  Custody ledger = *Custody::open(path("l"));
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.5"))).ok());
  write_all(path("l"), older);  // the same file, cut and written anew
  EXPECT_EQ(
      error_of(ledger),
      "the ledger \"" + path("l") +
          "\" was cut short while it was in use; it was damaged or edited; restore the newest backup, and compare its entries with the "
          "releases made since");
  EXPECT_EQ(ledger.show("patients").error().code(), Code::LedgerCorrupt);
}

TEST_F(Copies, LedgerReplacedWhileAProcessHoldsItIsNotCharged) {
  copy(path("l"), path("copy"));
  Custody ledger = *Custody::open(path("l"));
  std::filesystem::rename(path("copy"), path("l"));
  const auto grant = ledger.charge(request(rho_loss("0.25")));
  ASSERT_FALSE(grant.ok());
  EXPECT_EQ(grant.error().message(),
            "the ledger \"" + path("l") + "\" was moved, deleted or replaced while it was charged; put it back where it was");
  EXPECT_THAT(grant.error().spent(), HasSubstr("rho 0.25 as entry 2 of \"patients\" may have been spent, without a release"));
}

TEST_F(Copies, SymbolicLinkThatIsTurnedToAnotherLedgerIsNotCharged) {
  copy(path("l"), path("copy"));
  std::filesystem::create_symlink("l", path("link"));
  Custody ledger = *Custody::open(path("link"));
  std::filesystem::create_symlink("copy", path("new link"));
  std::filesystem::rename(path("new link"), path("link"));
  const auto grant = ledger.charge(request(rho_loss("0.25")));
  ASSERT_FALSE(grant.ok());
  EXPECT_THAT(grant.error().message(), HasSubstr("was moved, deleted or replaced while it was charged"));
}

TEST_F(Copies, SymbolicLinkThatTurnsAllTheTimeGivesNobodyASecondBudget) {
  copy(path("l"), path("copy"));
  std::filesystem::create_symlink("l", path("link"));
  std::atomic<bool> done = false;
  std::thread turner([&] {
    for (int i = 0; !done; ++i) {
      std::filesystem::create_symlink(i % 2 == 0 ? "copy" : "l", path("next"));
      std::filesystem::rename(path("next"), path("link"));
    }
  });
  int granted = 0;
  for (int i = 0; i < 60; ++i) {
    auto ledger = Custody::open(path("link"), {.disk = &QuickDisk::one()});
    if (ledger.ok() && ledger->charge(request(rho_loss("0.05"))).ok()) ++granted;
  }
  done = true;
  turner.join();
  EXPECT_LE(granted, 15);  // 0.75 remained
}

// --- Deleted ledgers. ---

TEST_F(Copies, DeletedLedgerIsNotFoundAndNoNewOneIsMadeInItsPlace) {
  copy(path("l"), path("backup"));
  std::filesystem::remove(path("l"));
  EXPECT_EQ(open_error(path("l")), "there is no ledger at \"" + path("l") + "\"; check the path, or make one: `budget create`");
  EXPECT_EQ(
      open_error(path("l"), {.create = true}),
      "a ledger was made at \"" + path("l") +
          "\", 2 records (budgets, charges, amendments) were written into it, and it is gone; put it back, or restore its newest backup; "
          "where nothing that it protects is left, delete its key \"" +
          key_.string() + "\"");
  EXPECT_FALSE(std::filesystem::exists(path("l")));
  // Under another spelling of the same place, too.
  std::filesystem::create_directory_symlink(folder_.folder(), path("same"));
  EXPECT_THAT(open_error(path("same/l"), {.create = true}), HasSubstr("were written into it, and it is gone"));
  copy(path("backup"), path("l"));
  EXPECT_EQ(open_error(path("l"), {.create = true}), "opened");
  std::filesystem::remove(path("l"));
  std::filesystem::remove(key_);
  EXPECT_EQ(open_error(path("l"), {.create = true}), "opened") << "the custodian's act";
}

TEST_F(Copies, LedgerThatHadABudgetAndNoChargeIsNotSaidToHaveBeenCharged) {
  Custody young = *Custody::open(path("young"), {.create = true});
  ASSERT_TRUE(young.create_budget("d", rho_budget("1"), {}).ok());
  std::filesystem::remove(path("young"));
  EXPECT_THAT(open_error(path("young"), {.create = true}),
              HasSubstr("a budget was set in it, and it is gone; put it back, or restore its newest backup; if nothing was ever charged"));
}

TEST_F(Copies, LedgerThatNeverHadABudgetLeavesItsPlaceFree) {
  ASSERT_TRUE(Custody::open(path("empty"), {.create = true}).ok());
  std::filesystem::remove(path("empty"));
  EXPECT_EQ(open_error(path("empty"), {.create = true}), "opened");
}

TEST_F(Copies, LedgerDeletedWhileAProcessHoldsItGivesNoGrant) {
  Custody ledger = *Custody::open(path("l"));
  std::filesystem::remove(path("l"));
  EXPECT_THAT(ledger.charge(request(rho_loss("0.25"))).error().message(), HasSubstr("was moved, deleted or replaced"));
}

TEST_F(Copies, LedgerThatWasMovedIsTheSameOne) {
  std::filesystem::rename(path("l"), path("moved"));
  Custody ledger = *Custody::open(path("moved"));
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.75"))).ok());
  EXPECT_EQ(error_of(ledger), "the release needs more than remains in the budget of \"patients\"; see what fits: `budget show`");
}

// --- Keys. ---

TEST_F(Copies, WithoutItsKeyALedgerCanBeReadAndNotCharged) {
  const auto check = [&](const LedgerOptions& options, const std::string& folder) {
    Custody ledger = *Custody::open(path("l"), options);
    const std::string wanted = "the key of the ledger \"" + path("l") + "\" is not in \"" + folder +
                               "\", and nothing is charged without it; set TACET_HOME to the custodian's folder, which has " +
                               ledger.name() + ".seal";
    EXPECT_EQ(error_of(ledger), wanted);
    EXPECT_EQ(ledger.check(request(rho_loss("0.25"))).error().message(), wanted);
    EXPECT_EQ(ledger.create_budget("others", rho_budget("1"), {}).error().message(), wanted);
    EXPECT_EQ(ledger.show("patients")->entries, 1);
    EXPECT_FALSE(ledger.show("patients")->sealed);
    EXPECT_EQ(ledger.history("patients")->size(), 1U);
  };
  EXPECT_TRUE(Custody::open(path("l"))->show("patients")->sealed);
  check({.seals = path("elsewhere")}, path("elsewhere"));
  const std::string home = ScratchFolder::keys().string();
  ::setenv("TACET_HOME", path("other home").c_str(), 1);
  check({}, path("other home"));
  ::setenv("TACET_HOME", home.c_str(), 1);
  std::filesystem::remove(key_);
  check({}, home);
  std::filesystem::create_symlink("/dev/null", key_);
  check({}, home);
}

TEST_F(Copies, KeyDeletedOrReplacedWhileAProcessHoldsItGivesNoGrant) {
  Custody ledger = *Custody::open(path("l"));
  const std::string key = read_all(key_);
  std::filesystem::rename(key_, key_.string() + ".gone");
  const std::string wanted = "the ledger's key \"" + key_.string() +
                             "\" was moved, deleted or replaced while it was in use; put it back, and open the ledger again";
  EXPECT_EQ(error_of(ledger), wanted);
  write_all(key_, key);
  EXPECT_EQ(error_of(ledger), wanted);
  EXPECT_TRUE(Custody::open(path("l"))->charge(request(rho_loss("0.25"))).ok());
}

TEST_F(Copies, KeyOfAnotherLedgerIsRefused) {
  Custody other = *Custody::open(path("other"), {.create = true});
  const std::filesystem::path others_key = ScratchFolder::keys() / (other.name() + ".seal");
  copy(others_key, key_);
  EXPECT_EQ(open_error(path("l")),
            "record 1 of the ledger \"" + path("l") +
                "\" is not the one that was written; it was damaged or edited; restore the newest backup, and compare its "
                "entries with the releases made since");
}

TEST_F(Copies, DamagedKeyIsRefused) {
  const std::string key = read_all(key_);
  const std::string damaged = "the ledger's key \"" + key_.string() + "\" is damaged; restore it from a backup";
  for (const std::string& wrong : {std::string(), std::string("tacet seal 1\n"), key.substr(0, 100), std::string(400, 'x'),
                                   "T" + key.substr(1), key.substr(0, 90) + "x" + key.substr(91)}) {
    write_all(key_, wrong);
    EXPECT_EQ(open_error(path("l")), damaged);
  }
  // Any one byte of the key or of the mark.
  const std::size_t end = key.find("\npath");
  for (std::size_t at = 0; at < end; ++at) {
    std::string wrong = key;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    write_all(key_, wrong);
    EXPECT_NE(open_error(path("l")), "opened") << at;
  }
  // A number of records below 0.
  std::string negative = key;
  negative[key.find("mark ") + 5] = '-';
  write_all(key_, negative);
  EXPECT_EQ(open_error(path("l")), damaged);
  write_all(key_, key);
  EXPECT_EQ(open_error(path("l")), "opened");
}

TEST_F(Copies, KeyIsReadableByItsOwnerAloneAndAFolderThatWasThereKeepsItsPermissions) {
  struct stat about{};
  ASSERT_EQ(::stat(key_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat(ScratchFolder::keys().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0700U) << "made with the key";
  std::filesystem::create_directory(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 0770), 0);
  ASSERT_TRUE(Custody::open(path("other"), {.create = true, .seals = path("shared")}).ok());
  ASSERT_EQ(::stat(path("shared").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0770U);
  ASSERT_TRUE(Custody::open(path("third"), {.create = true, .seals = path("several/folders/deep")}).ok());
}

TEST_F(Copies, WithoutAFolderForKeysNoLedgerIsMade) {
  const std::string home = ScratchFolder::keys().string();
  const std::string user = ::getenv("HOME") == nullptr ? "" : ::getenv("HOME");
  ::setenv("TACET_HOME", "", 1);
  ::unsetenv("XDG_STATE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(
      open_error(path("new"), {.create = true}),
      "there is no folder for the ledger's key, since neither TACET_HOME nor HOME is set; set TACET_HOME to a folder of the custodian's");
  ::setenv("TACET_HOME", home.c_str(), 1);
  ::setenv("HOME", user.c_str(), 1);
  write_all(path("file"), "");
  EXPECT_THAT(open_error(path("new"), {.create = true, .seals = path("file/keys")}), HasSubstr("cannot be made (Not a directory)"));
  EXPECT_FALSE(std::filesystem::exists(path("new")));
}

}  // namespace
}  // namespace tacet::kernel
