// Terms come from the ledger, and say what is public; shares, sources, amendments and idealised
// mechanisms are decided by them.
#include "tacet/kernel/ledger/terms.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/custody/words.h"
#include "tacet/privacy/filter_words.h"

#include "kernel/ledger_requests.h"
#include "kernel/purse.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel::terms_test {
namespace {

using testing::decimal;
using ::testing::ElementsAre;
using testing::epsilon_budget;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::ledger_in_memory;
using ::testing::MatchesRegex;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;

Declaration with_relation(Relation relation) {
  Declaration declared = rho_budget("1");
  declared.relation = std::move(relation);
  return declared;
}

Terms terms_of(const Declaration& declared) { return *ledger_in_memory(declared).terms("patients"); }

Error refusal(Custody& ledger, const ChargeRequest& asked) {
  auto grant = ledger.charge(asked);
  if (grant.ok()) ADD_FAILURE() << "was granted";
  if (grant.ok()) return Error::of(Code::Internal, "granted");
  const auto state = ledger.show(asked.dataset);
  return state.ok() ? with_amounts(grant.error(), *state, asked.analyst, asked.loss) : std::move(grant).error();
}

// --- What is public. ---

TEST(Terms, NumberOfPeopleIsPublicUnderReplaceOneOnly) {
  EXPECT_EQ(terms_of(with_relation(Relation::ReplaceOne)).people(812)->value(), 812);
  EXPECT_EQ(terms_of(with_relation(*Relation::within({"arm"}))).people(812)->value(), 812);
  EXPECT_FALSE(terms_of(with_relation(Relation::AddOrRemoveOne)).people(812).has_value());
}

TEST(Terms, GroupSizesArePublicForDeclaredColumnsOnly) {
  const Terms terms = terms_of(with_relation(*Relation::within({"arm"})));
  EXPECT_THAT(terms.group_sizes("arm", {400, 412})->value(), ElementsAre(400, 412));
  EXPECT_FALSE(terms.group_sizes("hiv", {3, 809}).has_value());
  EXPECT_FALSE(terms.group_sizes("", {812}).has_value());
  EXPECT_FALSE(terms_of(with_relation(Relation::ReplaceOne)).group_sizes("arm", {400, 412}).has_value());
  EXPECT_FALSE(terms_of(with_relation(Relation::AddOrRemoveOne)).group_sizes("arm", {400, 412}).has_value());
}

TEST(Terms, LabelsOfTheSchemaArePublic) {
  EXPECT_THAT(terms_of(rho_budget("1")).trusted_labels({"a", "b"}).value(), ElementsAre("a", "b"));
}

TEST(Terms, AreReadBackFromTheFileAsTheyWereDeclared) {
  const testing::ScratchFolder folder;
  Declaration declared = with_relation(*Relation::within({"site", "arm"}));
  declared.schema = "columns: age 0 to 120\n\"sex\": f, m, \xc3\xa9\t\\";
  declared.source = "/data/patients.csv";
  declared.idealised = true;
  declared.custodian = "carol";
  declared.again = "the first was for the pilot";
  declared.others = privacy::Amount{decimal("0.1"), {}};
  std::string hash;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", declared, {{.analyst = "ada", .limit = {decimal("0.5"), {}}}}).ok());
    hash = ledger.terms("patients")->origin_hash();
  }
  Custody ledger = *Custody::open(folder.path("l"));
  const Terms terms = *ledger.terms("patients");
  EXPECT_EQ(terms.dataset(), "patients");
  EXPECT_EQ(terms.id().dataset(), "patients");
  EXPECT_EQ(terms.id().ledger(), ledger.name());
  EXPECT_THAT(terms.origin_hash(), MatchesRegex("[0-9a-f]{64}"));
  EXPECT_EQ(terms.origin_hash(), hash);
  EXPECT_EQ(terms.declared().relation, declared.relation);
  EXPECT_EQ(terms.declared().schema, declared.schema);
  EXPECT_EQ(terms.declared().source, declared.source);
  EXPECT_TRUE(terms.declared().idealised);
  EXPECT_EQ(terms.declared().custodian, "carol");
  EXPECT_EQ(terms.declared().again, declared.again);
  EXPECT_EQ(terms.declared().others->first, decimal("0.1"));
  ASSERT_EQ(terms.shares().size(), 1U);
  EXPECT_EQ(terms.shares()[0].analyst, "ada");
  EXPECT_EQ(ledger.terms("visitors").error().code(), Code::NotFound);
}

TEST(Terms, HashOfTheOriginCoversEveryTerm) {
  Declaration declared = rho_budget("1");
  const auto hash = [](const Declaration& with, const std::vector<Share>& shares = {}) {
    Custody ledger = *Custody::open(":memory:", {.clock = [] { return 0; }});
    EXPECT_TRUE(ledger.create_budget("patients", with, shares).ok());
    return ledger.terms("patients")->origin_hash();
  };
  std::vector<std::string> hashes = {hash(declared),
                                     hash(declared, {{.analyst = "ada", .limit = {decimal("0.5"), {}}}}),
                                     hash(rho_budget("2")),
                                     hash(epsilon_budget("1")),
                                     hash(with_relation(Relation::AddOrRemoveOne)),
                                     hash(with_relation(*Relation::within({"arm"})))};
  for (std::string Declaration::* text : {&Declaration::schema, &Declaration::source, &Declaration::custodian, &Declaration::again}) {
    Declaration other = declared;
    other.*text = "x";
    hashes.push_back(hash(other));
  }
  declared.idealised = true;
  hashes.push_back(hash(declared));
  EXPECT_EQ(hash(declared), hashes.back());  // the rest differs by what was declared, and not by chance
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(Terms, TextThatIsNoTextIsRefused) {
  for (std::string Declaration::* text : {&Declaration::schema, &Declaration::source, &Declaration::custodian, &Declaration::again}) {
    for (const std::string& wrong : {std::string("\xff"), std::string("a\0b", 3)}) {
      Declaration declared = rho_budget("1");
      declared.*text = wrong;
      EXPECT_EQ(Custody::open(":memory:")->create_budget("patients", declared, {}).error().code(), Code::InvalidArgument);
    }
  }
}

// --- Shares. ---

const std::vector<Share> kAdaHalf = {{.analyst = "ada", .limit = {decimal("0.5"), {}}}};

TEST(CheckTerms, RefusesWhatCreateBudgetRefusesWithoutALedger) {
  const std::vector<Share> too_much = {{"ada", {decimal("2"), {}}}};
  Custody ledger = *Custody::open(":memory:");
  EXPECT_TRUE(Custody::check_terms("patients", rho_budget("1"), {}).ok());
  EXPECT_EQ(Custody::check_terms("patients", rho_budget("1"), too_much).error().message(),
            ledger.create_budget("patients", rho_budget("1"), too_much).error().message());
  EXPECT_EQ(Custody::check_terms("", rho_budget("1"), {}).error().message(),
            ledger.create_budget("", rho_budget("1"), {}).error().message());
}

TEST(DiscardIfNew, RemovesALedgerThatThisCallMadeAndNothingWasWrittenInto) {
  const testing::ScratchFolder folder;
  const auto there = [&] { return std::filesystem::exists(folder.path("l")); };
  {
    Custody made = *Custody::open(folder.path("l"), {.create = true});
    const std::filesystem::path key = testing::ScratchFolder::keys() / (made.name() + ".seal");
    Custody found = *Custody::open(folder.path("l"), {.create = true});
    found.discard_if_new();
    EXPECT_TRUE(there()) << "another made it";
    made.discard_if_new();
    EXPECT_FALSE(there());
    EXPECT_FALSE(std::filesystem::exists(key));
    EXPECT_FALSE(found.create_budget("patients", rho_budget("1"), {}).ok()) << "in a file that is gone";
  }
  Custody used = *Custody::open(folder.path("l"), {.create = true});
  ASSERT_TRUE(used.create_budget("patients", rho_budget("1"), {}).ok());
  used.discard_if_new();
  EXPECT_TRUE(there()) << "it has a budget";
  EXPECT_TRUE(used.charge(request(rho_loss("0.5"))).ok());
}

TEST(Shares, WhoeverHasNoneGetsNothing) {
  Custody ledger = *Custody::open(":memory:");
  ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), kAdaHalf).ok());
  for (const char* analyst : {"ben", "Ada", "ada ", "others"}) {
    const Error error = refusal(ledger, request(rho_loss("1e-300"), analyst));
    EXPECT_EQ(error.code(), Code::BudgetExhausted);
    EXPECT_EQ(error.message(),
              std::string("\"") + analyst +
                  "\" has no share of the budget of \"patients\", and its terms leave nothing to others; ask its custodian: "
                  "shares are given when the budget is created");
    EXPECT_EQ(ledger.check(request(rho_loss("1e-300"), analyst)).error().message(), error.message());
  }
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"), "ada")).ok());
  EXPECT_EQ(ledger.show("patients")->entries, 1);
}

TEST(Shares, OthersHaveOnePoolTogether) {
  Declaration declared = rho_budget("1");
  declared.others = privacy::Amount{decimal("0.25"), {}};
  Custody ledger = *Custody::open(":memory:");
  ASSERT_TRUE(ledger.create_budget("patients", declared, kAdaHalf).ok());
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.125"), "ben")).ok());
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.0625"), "cleo")).ok());
  for (const char* analyst : {"ben", "cleo", "a fresh name"}) {
    const Error error = refusal(ledger, request(rho_loss("0.125"), analyst));
    EXPECT_EQ(error.code(), Code::BudgetExhausted);
    EXPECT_EQ(
        error.message(),
        "the release needs rho 0.125, but 0.0625 of 0.25 remains in what all without a share may spend of the budget of \"patients\"; "
        "see what fits: `budget show`");
  }
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"), "ada")).ok()) << "the pool is apart from shares";
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.0625"), "dora")).ok());
  EXPECT_EQ(refusal(ledger, request(rho_loss("1e-300"), "eve")).code(), Code::BudgetExhausted);
}

TEST(Shares, StateTellsWhatIsLeftOfThePool) {
  Declaration declared = rho_budget("1");
  Custody ledger = ledger_in_memory(declared);
  EXPECT_FALSE(ledger.show("patients")->shared);
  EXPECT_FALSE(ledger.show("patients")->others.has_value());
  ASSERT_TRUE(ledger.create_budget("without", declared, kAdaHalf).ok());
  EXPECT_TRUE(ledger.show("without")->shared);
  EXPECT_FALSE(ledger.show("without")->others.has_value());
  declared.others = privacy::Amount{decimal("0.25"), {}};
  ASSERT_TRUE(ledger.create_budget("with", declared, kAdaHalf).ok());
  for (const char* analyst : {"ben", "cleo", "ada"}) {
    ChargeRequest asked = request(rho_loss("0.0625"), analyst);
    asked.dataset = "with";
    ASSERT_TRUE(ledger.charge(asked).ok());
  }
  const BudgetState state = *ledger.show("with");
  ASSERT_TRUE(state.others.has_value());
  EXPECT_EQ(state.terms.others->first, decimal("0.25"));
  EXPECT_EQ(privacy::spent_amount(*state.others).first, decimal("0.125")) << "of ben and cleo, not of ada";
  EXPECT_EQ(privacy::remaining(*state.others).first, decimal("0.125"));
}

TEST(Shares, PoolIsCountedAgainWhenTheLedgerIsOpened) {
  const testing::ScratchFolder folder;
  Declaration declared = rho_budget("1");
  declared.others = privacy::Amount{decimal("0.25"), {}};
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", declared, kAdaHalf).ok());
    ASSERT_TRUE(ledger.charge(request(rho_loss("0.25"), "ben")).ok());
  }
  Custody ledger = *Custody::open(folder.path("l"));
  EXPECT_THAT(refusal(ledger, request(rho_loss("0.125"), "cleo")).message(), HasSubstr("0 of 0.25 remains in what all without a share"));
}

TEST(Shares, WithoutSharesEverybodySpendsFromTheWholeAndOthersMeansNothing) {
  Custody ledger = ledger_in_memory(rho_budget("1"));
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"), "anybody")).ok());
  Declaration declared = rho_budget("1");
  declared.others = privacy::Amount{decimal("0.25"), {}};
  const Status made = ledger.create_budget("visitors", declared, {});
  EXPECT_EQ(made.error().message(),
            "others is rho 0.25, but must come with shares; leave it out: without shares everybody may spend from the whole budget");
  declared.others = privacy::Amount{decimal("2"), {}};
  EXPECT_EQ(ledger.create_budget("visitors", declared, kAdaHalf).error().message(),
            "what others may spend is rho 2, but must be at most the whole budget, rho 1");
}

// --- Idealised mechanisms. ---

TEST(Idealised, IsRefusedUnlessTheTermsAllowIt) {
  Custody ledger = ledger_in_memory(epsilon_budget("1"));
  ChargeRequest asked = request(epsilon_loss("0.25"));
  asked.idealised = true;
  const Error error = refusal(ledger, asked);
  EXPECT_EQ(error.code(), Code::Unsupported);
  EXPECT_EQ(error.message(),
            "the terms of \"patients\" allow no idealised mechanism; choose an exact one; a custodian allows them with "
            "idealised = true in the schema when the budget is created");
  EXPECT_EQ(error.spent(), "nothing was spent");
  EXPECT_EQ(ledger.show("patients")->entries, 0);
}

TEST(Idealised, ChargesAreCountedAndTheirGrantsSaySo) {
  const testing::ScratchFolder folder;
  Declaration declared = epsilon_budget("1");
  declared.idealised = true;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", declared, {}).ok());
    ChargeRequest asked = request(epsilon_loss("0.25"));
    EXPECT_FALSE(ledger.charge(asked)->idealised());
    EXPECT_EQ(ledger.show("patients")->idealised, 0);
    asked.idealised = true;
    EXPECT_TRUE(ledger.charge(asked)->idealised());
    EXPECT_TRUE(ledger.charge(asked)->idealised());
    EXPECT_EQ(ledger.show("patients")->idealised, 2);
  }
  EXPECT_EQ(Custody::open(folder.path("l"))->show("patients")->idealised, 2);
}

// --- The source. ---

TEST(Source, IsFixedByTheFirstChargeAndAnotherIsRefused) {
  const testing::ScratchFolder folder;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    ChargeRequest asked = request(rho_loss("0.125"));
    asked.source = "/data/patients.csv";
    EXPECT_TRUE(ledger.check(asked).ok());
    EXPECT_EQ(ledger.terms("patients")->declared().source, "") << "only a charge fixes it";
    ASSERT_TRUE(ledger.charge(asked).ok());
    EXPECT_EQ(ledger.terms("patients")->declared().source, "/data/patients.csv");
  }
  Custody ledger = *Custody::open(folder.path("l"));
  ChargeRequest asked = request(rho_loss("0.125"));
  asked.source = "/data/others.csv";
  const Error error = refusal(ledger, asked);
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_EQ(
      error.message(),
      "data is \"/data/others.csv\", but must be \"/data/patients.csv\", the source in the terms of \"patients\"; if the file moved, its "
      "custodian says so: `dataset amend source = FILE reason = TEXT`");
  asked.source = "/data/patients.csv";
  EXPECT_TRUE(ledger.charge(asked).ok());
}

TEST(Source, OfTheTermsIsTheOnlyOne) {
  Declaration declared = rho_budget("1");
  declared.source = "/data/patients.csv";
  Custody ledger = ledger_in_memory(declared);
  ChargeRequest asked = request(rho_loss("0.125"));
  asked.source = "/data/others.csv";
  EXPECT_EQ(refusal(ledger, asked).name(), "data");
  asked.source = "/data/patients.csv";
  EXPECT_TRUE(ledger.charge(asked).ok());
}

// --- Amendments. ---

Custody ledger_of_carol() {
  Declaration declared = rho_budget("1");
  declared.custodian = "carol";
  declared.schema = "age 0 to 120";
  declared.source = "/data/patients.csv";
  return ledger_in_memory(declared);
}

TEST(Amend, IsAnEntryAndChangesWhatItNames) {
  Custody ledger = ledger_of_carol();
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
  ASSERT_TRUE(ledger.amend("patients", {.custodian = "carol", .reason = "the file moved", .source = "/new/patients.csv"}).ok());
  Terms terms = *ledger.terms("patients");
  EXPECT_EQ(terms.declared().source, "/new/patients.csv");
  EXPECT_EQ(terms.declared().schema, "age 0 to 120");
  ASSERT_TRUE(ledger.amend("patients", {.custodian = "carol", .reason = "a category was forgotten", .schema = "age 0 to 150"}).ok());
  EXPECT_EQ(ledger.terms("patients")->declared().schema, "age 0 to 150");
  EXPECT_EQ(ledger.terms("patients")->origin_hash(), terms.origin_hash());
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[1].kind, EntryKind::Amendment);
  EXPECT_EQ(history[1].analyst, "carol");
  EXPECT_EQ(history[1].statement, "the file moved");
  EXPECT_FALSE(history[1].loss.has_value());
  EXPECT_EQ(history[1].spent_after.first, decimal("0.25"));
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, decimal("0.25"));
  EXPECT_EQ(ledger.charge(request(rho_loss("0.25")))->receipt().entry, 4);
}

TEST(Amend, IsRefusedForAnybodyButTheCustodian) {
  Custody ledger = ledger_of_carol();
  const Status amended = ledger.amend("patients", {.custodian = "ada", .reason = "I like this file better", .source = "/tmp/mine.csv"});
  EXPECT_EQ(amended.error().code(), Code::InvalidArgument);
  EXPECT_EQ(amended.error().message(), "custodian is \"ada\", but must be \"carol\", who declared the terms of \"patients\"; ask them");
  EXPECT_EQ(ledger.terms("patients")->declared().source, "/data/patients.csv");
  EXPECT_EQ(ledger.amend("patients", {.custodian = "carol", .reason = "", .source = "/x"}).error().name(), "statement");
  EXPECT_EQ(ledger.amend("visitors", {.custodian = "carol", .reason = "r"}).error().code(), Code::NotFound);
  EXPECT_EQ(ledger.show("patients")->entries, 0);
}

TEST(Amend, RelationChangesOnlyBeforeTheFirstCharge) {
  Custody ledger = ledger_of_carol();
  ASSERT_TRUE(ledger.record_failed_scan(request(rho_loss("0.25"))).ok()) << "is no charge";
  ASSERT_TRUE(ledger.amend("patients", {.custodian = "carol", .reason = "arms are public", .relation = *Relation::within({"arm"})}).ok());
  EXPECT_TRUE(ledger.terms("patients")->people(5).has_value());
  EXPECT_TRUE(ledger.terms("patients")->group_sizes("arm", {2, 3}).has_value());
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.25"))).name(), "neighbours") << "replace-one is another relation now";
  ChargeRequest asked = request(rho_loss("0.25"));
  asked.relation = *Relation::within({"arm"});
  ASSERT_TRUE(ledger.charge(asked).ok());
  for (const Relation& other : {Relation(Relation::ReplaceOne), Relation(Relation::AddOrRemoveOne), *Relation::within({"arm", "hiv"})}) {
    const Status amended = ledger.amend("patients", {.custodian = "carol", .reason = "more", .relation = other});
    EXPECT_EQ(amended.error().code(), Code::InvalidArgument);
    EXPECT_EQ(amended.error().message(), "neighbours is " + describe(other) +
                                             ", but must stay replace-one (arm public): something was charged under it; losses under "
                                             "different relations do not add up; make a new dataset with a budget of its own");
  }
  EXPECT_TRUE(ledger.amend("patients", {.custodian = "carol", .reason = "the same", .relation = *Relation::within({"arm"})}).ok());
  EXPECT_FALSE(ledger.terms("patients")->group_sizes("hiv", {2, 3}).has_value());
}

// --- What else is written down. ---

TEST(FailedScan, IsAnEntryThatCostsNothing) {
  Custody ledger = ledger_in_memory(rho_budget("1"));
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
  ChargeRequest asked = request(rho_loss("0.5"), "ben");
  asked.statement = "counts by age";
  ASSERT_TRUE(ledger.record_failed_scan(asked).ok());
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].kind, EntryKind::Charge);
  EXPECT_EQ(history[1].number, 2);
  EXPECT_EQ(history[1].kind, EntryKind::FailedScan);
  EXPECT_EQ(name(history[1].kind), "failed-scan");
  EXPECT_EQ(history[1].analyst, "ben");
  EXPECT_EQ(history[1].statement, "counts by age");
  EXPECT_FALSE(history[1].loss.has_value());
  EXPECT_TRUE(history[1].charged.first.is_zero());
  EXPECT_EQ(history[1].spent_after.first, decimal("0.25"));
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, decimal("0.25"));
  EXPECT_EQ(ledger.charge(request(rho_loss("0.25")))->receipt().entry, 3);
}

TEST(Published, HashStandsInTheHistoryAndStaysTheFirst) {
  const std::string hash(64, 'a');
  Custody ledger = ledger_in_memory(rho_budget("1"));
  const Receipt first = ledger.charge(request(rho_loss("0.25")))->receipt();
  const Receipt second = ledger.charge(request(rho_loss("0.25")))->receipt();
  ASSERT_TRUE(ledger.record_published(second, hash).ok());
  ASSERT_TRUE(ledger.record_published(second, std::string(64, 'b')).ok());
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].release_hash, "");
  EXPECT_EQ(history[1].release_hash, hash);
  ASSERT_TRUE(ledger.record_published(first, hash).ok());
  EXPECT_EQ(ledger.history("patients")->at(0).release_hash, hash);
  EXPECT_EQ(ledger.charge(request(rho_loss("0.25")))->receipt().entry, 3) << "is no entry of its own";
}

TEST(Published, ReceiptOfAnotherLedgerOrAHashThatIsNoneIsRefused) {
  const testing::ScratchFolder folder;
  const auto made = [&](const char* name) {
    Custody ledger = *Custody::open(folder.path(name), {.create = true});
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    return ledger;
  };
  Custody one = made("one");
  Custody other = made("other");
  const Receipt receipt = one.charge(request(rho_loss("0.25")))->receipt();
  ASSERT_TRUE(other.charge(request(rho_loss("0.25"))).ok());
  const std::string hash(64, 'a');
  EXPECT_EQ(other.record_published(receipt, hash).error().message(), "receipt is entry 1 of \"patients\", but must be of this ledger");
  Receipt forged = receipt;
  forged.ledger = other.name();
  EXPECT_EQ(other.record_published(forged, hash).error().name(), "receipt");
  for (const std::string& wrong : {std::string(), std::string(63, 'a'), std::string(64, 'A'), std::string(63, 'a') + "\n"})
    EXPECT_EQ(one.record_published(receipt, wrong).error().name(), "release hash");
  EXPECT_TRUE(one.record_published(receipt, hash).ok());
}

// --- Charges of an older ledger. ---

AdoptedCharge adopted(const char* analyst, const char* rho, bool idealised = false) {
  return {.analyst = analyst,
          .statement = "counts by sex",
          .time = "2025-03-01T12:00:00Z",
          .entry_hash = std::string(64, 'c'),
          .loss = rho_loss(rho),
          .idealised = idealised};
}

TEST(Adopt, GoesOnFromWhatWasCharged) {
  const testing::ScratchFolder folder;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(
        ledger.adopt("patients", rho_budget("1"), kAdaHalf, "old ledger 1", {adopted("ada", "0.25"), adopted("ada", "0.125", true)}).ok());
  }
  Custody ledger = *Custody::open(folder.path("l"));
  const BudgetState state = *ledger.show("patients");
  EXPECT_EQ(privacy::spent_amount(state.filter).first, decimal("0.375"));
  EXPECT_EQ(state.entries, 2);
  EXPECT_EQ(state.idealised, 1);
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].number, 1);
  EXPECT_EQ(history[0].time, "2025-03-01T12:00:00Z");
  EXPECT_EQ(history[0].entry_hash, std::string(64, 'c'));
  EXPECT_EQ(history[0].spent_after.first, decimal("0.25"));
  EXPECT_EQ(history[1].spent_after.first, decimal("0.375"));
  EXPECT_FALSE(history[1].clock_went_back);
  EXPECT_THAT(refusal(ledger, request(rho_loss("0.25"), "ada")).message(), HasSubstr("0.125 of 0.5 remains in the share of \"ada\""));
  EXPECT_EQ(ledger.charge(request(rho_loss("0.125"), "ada"))->receipt().entry, 3);
}

TEST(Adopt, IsOneLineSoThatNoCrashLeavesAPartOfIt) {
  const testing::ScratchFolder folder;
  Custody ledger = *Custody::open(folder.path("l"), {.create = true});
  ASSERT_TRUE(ledger.adopt("patients", rho_budget("1"), {}, "old", {adopted("ada", "0.25"), adopted("ada", "0.25")}).ok());
  std::ifstream in(folder.path("l"));
  std::string lines{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST(Adopt, OfWhatCannotBeIsRefused) {
  Custody ledger = *Custody::open(":memory:");
  EXPECT_EQ(ledger.adopt("patients", rho_budget("0.25"), {}, "old", {adopted("ada", "0.25"), adopted("ada", "0.25")}).error().message(),
            "the budget is rho 0.25, but must be one that holds the 2 charges of the old ledger; adopt it with the budget that it had");
  EXPECT_EQ(ledger.adopt("patients", epsilon_budget("1"), {}, "old", {adopted("ada", "0.25")}).error().name(), "the budget");
  EXPECT_EQ(ledger.adopt("patients", rho_budget("1"), {}, "old", {adopted("a\nb", "0.25")}).error().name(), "analyst");
  AdoptedCharge free = adopted("ada", "0.25");
  free.loss = privacy::GaussianLoss{decimal("-1")};
  EXPECT_EQ(ledger.adopt("patients", rho_budget("1"), {}, "old", {free}).error().name(), "the charge");
  free = adopted("ada", "0.25");
  free.entry_hash = "";
  EXPECT_EQ(ledger.adopt("patients", rho_budget("1"), {}, "old", {free}).error().name(), "old entry");
  EXPECT_THAT(*ledger.datasets(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace tacet::kernel::terms_test
