// One ledger is one file on a disk, whatever it is called.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/charging_place.h"
#include "faults/faulty_disk.h"
#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using testing::ChargingPlace;
using testing::Child;
using testing::Gate;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;

constexpr int kNotPermitted = 77;  // of charger.cc

class Names : public ::testing::Test {
 protected:
  Names() {
    EXPECT_TRUE(Custody::open(place_.ledger(), {.create = true})->create_budget("patients", rho_budget("1"), {}).ok());
    std::filesystem::create_directory(path("folder"));
    std::filesystem::create_hard_link(place_.ledger(), path("hard"));
    std::filesystem::create_hard_link(place_.ledger(), path("folder/hard"));
    std::filesystem::create_symlink(place_.ledger(), path("symbolic"));
    std::filesystem::create_symlink("../hard", path("folder/symbolic"));
    testing::write_all(path("mount"), "");
    testing::write_all(path("folder/mount"), "");
  }
  std::string path(const std::string& name) const { return place_.folder().path(name); }

  struct Name {
    std::string path;
    bool bind = false;
  };
  /// Two processes for each name, all at once. Exactly what fits may be granted, whoever is first.
  void charge_under(const std::vector<Name>& names) const {
    Gate gate;
    std::vector<Child> children;
    for (int i = 0; i < 2; ++i) {
      for (const Name& name : names) children.push_back(place_.charger_of(gate, name.path, name.bind, "analyst", "0.007"));
    }
    gate.open();
    bool permitted = true;
    for (Child& child : children) {
      const int code = child.wait();
      permitted = permitted && code != kNotPermitted;
      EXPECT_TRUE(code == 0 || code == kNotPermitted) << code;
    }
    EXPECT_EQ(place_.checked_releases("1"), 142U);  // 142 * 0.007 = 0.994
    EXPECT_EQ(place_.history().size(), 142U);
    if (!permitted) GTEST_SKIP() << "this user may not mount, not even in a namespace of their own: bind mounts were not tried";
  }

  ChargingPlace place_;
};

TEST_F(Names, HardLinksShareOneBudget) { charge_under({{place_.ledger()}, {path("hard")}, {path("folder/hard")}}); }

TEST_F(Names, SymbolicLinksShareOneBudget) { charge_under({{place_.ledger()}, {path("symbolic")}, {path("folder/symbolic")}}); }

TEST_F(Names, BindMountsShareOneBudget) { charge_under({{place_.ledger()}, {path("mount"), true}, {path("folder/mount"), true}}); }

TEST_F(Names, EightProcessesUnderMixedNamesShareOneBudget) {
  charge_under({{path("hard")}, {path("folder/symbolic")}, {path("mount"), true}, {path("folder/../folder/./hard")}});
}

TEST_F(Names, RelativePathIsTheSameLedgerWhereverTheProgramGoesNext) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(place_.folder().folder());
  Custody ledger = *Custody::open("people.ledger");
  std::filesystem::current_path(path("folder"));
  Custody other = *Custody::open("../hard");
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"))).ok());
  EXPECT_TRUE(other.charge(request(rho_loss("0.5"))).ok());
  std::filesystem::current_path(here);
  EXPECT_EQ(ledger.charge(request(rho_loss("0.5"))).error().code(), Code::BudgetExhausted);
  EXPECT_EQ(other.charge(request(rho_loss("0.5"))).error().code(), Code::BudgetExhausted);
}

TEST_F(Names, OneThatIsTakenAwayWhileAnotherStaysIsRefusedAndTheOtherGoesOn) {
  Custody ledger = *Custody::open(path("hard"));
  Custody other = *Custody::open(place_.ledger());
  std::filesystem::remove(path("hard"));
  const auto grant = ledger.charge(request(rho_loss("0.25")));
  ASSERT_FALSE(grant.ok());
  EXPECT_THAT(grant.error().message(), ::testing::HasSubstr("was moved, deleted or replaced while it was charged"));
  EXPECT_EQ(other.show("patients")->entries, 1) << "it was spent, and is not paid back";
  EXPECT_EQ(other.charge(request(rho_loss("0.25")))->receipt().entry, 2);
}

TEST_F(Names, ThingsThatAreNoFilesAreRefused) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_EQ(Custody::open(path("pipe")).error().message(),
            "ledger is \"" + path("pipe") + "\", but must be a file; for example: people.ledger");
  EXPECT_EQ(Custody::open("/dev/null").error().code(), Code::InvalidArgument);
  EXPECT_EQ(Custody::open(path("folder")).error().code(), Code::InvalidArgument);
  EXPECT_EQ(Custody::open(path("loop")).error().code(), Code::LedgerUnavailable);
  std::filesystem::create_symlink("nowhere", path("dangling"));
  EXPECT_EQ(Custody::open(path("dangling"), {.create = true}).error().code(), Code::NotFound);
}

}  // namespace
}  // namespace tacet::kernel
