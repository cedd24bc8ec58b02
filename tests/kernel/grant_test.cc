#include "tacet/kernel/grant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/vault.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/scratch_folder.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::grant_test {
namespace {

using ::testing::HasSubstr;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;

class GrantOf : public ::testing::Test {
 protected:
  Custody made(const char* name, const Relation& relation = Relation::ReplaceOne) const {
    Custody ledger = *Custody::open(folder_.path(name), {.create = true});
    Declaration declared = rho_budget("1");
    declared.relation = relation;
    for (const char* dataset : {"patients", "visitors"}) EXPECT_TRUE(ledger.create_budget(dataset, declared, {}).ok());
    return ledger;
  }
  static Grant charged(Custody& ledger, const std::string& dataset = "patients") {
    ChargeRequest asked = request(rho_loss("0.125"), "ada", dataset);
    asked.relation = ledger.terms(dataset)->declared().relation;
    return *ledger.charge(asked);
  }
  /// What the release of a value of that dataset says.
  static Result<Released<NoisyVector>> release_of(const Custody& ledger, const std::string& dataset, Grant grant,
                                                  const Relation& relation = Relation::ReplaceOne) {
    test::InsecureSeededBits bits(1);
    return testing::release_planned(
        Vault::trusted_seal(std::vector<std::int64_t>{5, 7}, Sensitivity{relation, 2, 2}, ledger.terms(dataset)->id()),
        NoiseFamily::Gaussian, std::move(grant), bits);
  }

 private:
  testing::ScratchFolder folder_;
};

TEST_F(GrantOf, ADatasetOpensItsValues) {
  Custody ledger = made("l");
  EXPECT_TRUE(release_of(ledger, "patients", charged(ledger)).ok());
}

TEST_F(GrantOf, AnotherDatasetDoesNotOpenAValue) {
  Custody ledger = made("l");
  const auto released = release_of(ledger, "visitors", charged(ledger, "patients"));
  ASSERT_FALSE(released.ok());
  EXPECT_EQ(released.error().code(), Code::Internal);
  EXPECT_EQ(released.error().message(),
            "the grant was charged to the dataset \"patients\" of one ledger, and the value was computed from \"visitors\", or of another "
            "ledger");
  EXPECT_EQ(released.error().spent(), "rho 0.125 was spent (entry 1 of \"patients\")");
}

TEST_F(GrantOf, AnotherLedgerDoesNotOpenAValueOfADatasetOfTheSameName) {
  Custody one = made("one");
  Custody other = made("other");
  ASSERT_NE(one.name(), other.name());
  EXPECT_FALSE(one.terms("patients")->id() == other.terms("patients")->id());
  const auto released = release_of(other, "patients", charged(one));
  ASSERT_FALSE(released.ok());
  EXPECT_EQ(released.error().code(), Code::Internal);
  EXPECT_THAT(released.error().message(), HasSubstr("or of another ledger"));
}

TEST_F(GrantOf, OneRelationDoesNotOpenAValueThatWasSealedForAnother) {
  const Relation arms = *Relation::within({"arm"});
  Custody ledger = made("l", arms);
  for (const Relation& other : {Relation(Relation::ReplaceOne), Relation(Relation::AddOrRemoveOne), *Relation::within({"arm", "site"})}) {
    const auto released = release_of(ledger, "patients", charged(ledger), other);
    ASSERT_FALSE(released.ok()) << describe(other);
    EXPECT_THAT(released.error().message(), HasSubstr("the grant was charged for neighbours by replace-one (arm public)"));
  }
  EXPECT_TRUE(release_of(ledger, "patients", charged(ledger), arms).ok());
}

}  // namespace
}  // namespace tacet::kernel::grant_test
