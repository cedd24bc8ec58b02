// Damaged, edited and forged ledgers: with the key every one is refused.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <random>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/privacy/filter_words.h"

#include "faults/damaged_ledger.h"
#include "faults/faulty_disk.h"
#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using ::testing::HasSubstr;
using testing::read_all;
using testing::request;
using testing::rho_loss;
using testing::write_all;

constexpr std::uint64_t kSeed = 20260104;

class Damage : public ::testing::Test, public testing::DamagedLedger {
 protected:
  static std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
  }
  static std::string open_error(const std::string& path, bool create = false) {
    const auto ledger = Custody::open(path, {.create = create, .disk = &testing::QuickDisk::one()});
    return ledger.ok() ? "opened" : ledger.error().message();
  }
  std::string broken(std::size_t record) const {
    return "record " + std::to_string(record) + " of the ledger \"" + path() +
           "\" is not the one that was written; it was damaged or edited; restore the newest backup, and compare its entries with the "
           "releases made since";
  }
};

TEST_F(Damage, UndamagedLedgerIsRight) {
  EXPECT_FALSE(is_refused_to_readers(bytes()));
  Custody ledger = *Custody::open(path());
  EXPECT_EQ(ledger.history("patients")->size(), 6U);
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, testing::decimal("0.75"));
  EXPECT_EQ(rehashed(lines()), bytes()) << "who forges below forges in the right way";
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.25"), "ben")).ok());
}

TEST_F(Damage, OfAnyOneByteIsRefused) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<unsigned> bits(1, 255);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes().size(); ++at) {
    SCOPED_TRACE(::testing::Message() << "byte " << at);
    std::string damaged = bytes();
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ bits(random));
    expect_refused(damaged);
    if (is_refused_to_readers(damaged)) ++refused;
  }
  // A reader without the key knows no tag, and takes a last line without its end for one that a
  // crash left.
  const std::size_t tags = (lines().size() - 1) * 64;
  EXPECT_GE(refused, bytes().size() - tags - 1);
}

TEST_F(Damage, OfSeveralBytesIsRefused) {
  std::mt19937_64 random(kSeed + 1);
  std::uniform_int_distribution<std::size_t> anywhere(0, bytes().size() - 1);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(::testing::Message() << "round " << round);
    std::string damaged = bytes();
    const std::size_t at = anywhere(random);
    for (std::size_t i = at; i < std::min(damaged.size(), at + 64); ++i) damaged[i] = static_cast<char>(random() & 0xFFU);
    expect_refused(damaged);
    is_refused_to_readers(damaged);
  }
}

TEST_F(Damage, TruncatedAnywhereIsRefused) {
  for (std::size_t size = 0; size < bytes().size(); size += 7) {
    SCOPED_TRACE(::testing::Message() << size << " bytes");
    expect_refused(bytes().substr(0, size));
    is_refused_to_readers(bytes().substr(0, size));
  }
  const std::size_t all = lines().size() - 1;
  for (std::size_t kept = 1; kept < all; ++kept) {
    std::vector<std::string> some = lines();
    some.resize(kept + 1);
    write_all(path(), joined(some));
    EXPECT_THAT(open_error(path()), HasSubstr("is not the newest: record " + std::to_string(all) +
                                              " was granted by this key, and the file ends "
                                              "after record " +
                                              std::to_string(kept)));
  }
}

TEST_F(Damage, LinesMovedDeletedOrRepeatedAreRefused) {
  for (std::size_t i = 1; i < lines().size(); ++i) {
    std::vector<std::string> some = lines();
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    write_all(path(), joined(some));
    if (i + 1 < lines().size()) {
      EXPECT_EQ(open_error(path()), broken(i)) << "deleted";
      EXPECT_TRUE(is_refused_to_readers(joined(some)));
    }
    some = lines();
    some.insert(some.begin() + static_cast<std::ptrdiff_t>(i), some[i]);
    write_all(path(), joined(some));
    EXPECT_EQ(open_error(path()), broken(i + 1)) << "repeated";
    EXPECT_TRUE(is_refused_to_readers(joined(some)));
    for (std::size_t j = i + 1; j < lines().size(); ++j) {
      some = lines();
      std::swap(some[i], some[j]);
      write_all(path(), joined(some));
      EXPECT_EQ(open_error(path()), broken(i)) << "swapped with " << j;
      EXPECT_TRUE(is_refused_to_readers(joined(some)));
    }
  }
}

TEST_F(Damage, GarbageAppendedIsRefusedUnlessItIsTheTailOfACrash) {
  for (const std::string& garbage :
       {std::string("\n"), std::string("x\n"), std::string("{}\n"), std::string(100, '\0') + "\n", std::string("\t\t\n"), lines().back(),
        "{}\t" + std::string(64, '0') + "\t" + std::string(64, '0') + "\n", lines().front(), bytes()}) {
    write_all(path(), bytes() + garbage);
    EXPECT_EQ(open_error(path()), broken(lines().size()));
    EXPECT_TRUE(is_refused_to_readers(bytes() + garbage));
  }
  for (const std::string& tail : {std::string("x"), lines().back().substr(0, 100), std::string("{}\t"), std::string(5000, 'x')}) {
    write_all(path(), bytes() + tail);
    Custody ledger = *Custody::open(path());
    EXPECT_EQ(ledger.history("patients")->size(), 6U);
    EXPECT_EQ(read_all(path()), bytes() + tail) << "who only reads changes nothing";
  }
  Custody ledger = *Custody::open(path(), {.disk = &testing::QuickDisk::one()});
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.125"), "ben")).ok());
  const std::string after = read_all(path());
  EXPECT_EQ(after.substr(0, bytes().size() + 1), bytes() + "{");
  EXPECT_EQ(after.back(), '\n') << "nothing of the tail is left";
  EXPECT_EQ(Custody::open(path())->history("patients")->size(), 7U);
}

TEST_F(Damage, FileThatPretendsToBeHugeIsRefusedWithoutReadingAllOfIt) {
  ASSERT_EQ(::truncate(path().c_str(), off_t{1} << 42), 0);  // four tebibytes of zeros, none of them on the disk
  EXPECT_EQ(open_error(path()),
            "the ledger \"" + path() +
                "\" has a line that is longer than any record; it was damaged or edited; restore the newest backup, and "
                "compare its entries with the releases made since");
}

TEST_F(Damage, EmptyFileIsNeverTakenForANewLedger) {
  write_all(folder().path("empty"), "");
  for (const bool create : {false, true}) {
    EXPECT_EQ(open_error(folder().path("empty"), create),
              "\"" + folder().path("empty") +
                  "\" is empty, which a ledger never is; restore the newest backup, or check the path; "
                  "`budget create` makes a new ledger where there is no file");
  }
  EXPECT_EQ(read_all(folder().path("empty")), "");
}

TEST_F(Damage, FileOfAnotherKindIsNoLedgerAndIsLeftAlone) {
  const auto message = [&](const std::string& text) {
    const std::string other = folder().path("other");
    write_all(other, text);
    std::string error = open_error(other, true);
    EXPECT_EQ(read_all(other), text);
    return error;
  };
  for (const std::string& text : {"age,sex\n" + std::string(10'000, 'x'), std::string("x"), std::string(600, '\n'), std::string(3, '\0')}) {
    EXPECT_EQ(message(text), "\"" + folder().path("other") +
                                 "\" is no Tacet ledger, or its first line is damaged; restore the newest backup, or check the path; "
                                 "`budget create` makes a new ledger where there is no file");
  }
  EXPECT_EQ(message("SQLite format 3" + std::string(500, '\0')),
            "the ledger \"" + folder().path("other") +
                "\" has an older format, which has no terms; its custodian brings it into a new one, with what was charged: "
                "`dataset adopt`");
  EXPECT_EQ(message("tacet-ledger\t4\tx\ty\n"),
            "the ledger \"" + folder().path("other") +
                "\" has a newer format, or its first line is damaged; use the version of Tacet that wrote "
                "it, or restore the newest backup");
}

// --- Edits by somebody who knows the format, and hashes everything anew, but has not the key. ---

struct Edit {
  const char* name;
  std::size_t line;
  const char *from, *to;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

class Edited : public Damage, public ::testing::WithParamInterface<Edit> {};

TEST_P(Edited, LedgerIsFoundOutByTheTag) {
  const Edit& edit = GetParam();
  std::vector<std::string> edited = lines();
  const std::size_t at = edited[edit.line].find(edit.from);
  ASSERT_NE(at, std::string::npos) << edited[edit.line];
  edited[edit.line].replace(at, std::string(edit.from).size(), edit.to);
  write_all(path(), joined(edited));
  EXPECT_EQ(open_error(path()), broken(edit.line)) << "not even hashed anew";
  EXPECT_TRUE(is_refused_to_readers(joined(edited)));
  write_all(path(), rehashed(edited));
  EXPECT_EQ(open_error(path()), broken(edit.line));
  // Somebody without the key cannot know; they can read it, and are told that it was not checked.
  if (const auto reader = Custody::open(path(), {.seals = folder().path("none")}); reader.ok()) {
    EXPECT_FALSE(reader->show("patients").ok() && reader->show("patients")->sealed);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Edited,
    ::testing::Values(
        Edit{"TotalRaised", 1, R"("total":["1","0"])", R"("total":["2","0"])"},
        Edit{"ShareRaised", 1, R"("most":["0.5","0"])", R"("most":["0.9","0"])"},
        Edit{"ShareMoved", 1, R"("analyst":"ada")", R"("analyst":"eve")"},
        Edit{"OthersRaised", 1, R"("others":["1","0"])", R"("others":["9","0"])"},
        Edit{"RelationChanged", 1, "replace-one", "add-or-remove-one"},
        Edit{"PublicColumnAdded", 1, R"("public_columns":[])", R"("public_columns":["hiv"])"},
        Edit{"IdealisedAllowed", 1, R"("idealised":false)", R"("idealised":true)"}, Edit{"CustodianReplaced", 1, "carol", "mallo"},
        Edit{"DatasetRenamed", 1, "patients", "somebody"}, Edit{"AmountLowered", 3, R"(["gaussian","0.5"])", R"(["gaussian","0.1"])"},
        Edit{"LossOfAnotherKind", 3, R"(["gaussian","0.5"])", R"(["pure","0.001"])"},
        Edit{"AnalystChanged", 3, R"("analyst":"ada")", R"("analyst":"ben")"}, Edit{"StatementChanged", 3, "counts by sex", "nothing much"},
        Edit{"EntryRenumbered", 3, R"("entry":1)", R"("entry":2)"}, Edit{"DatasetOfAChargeChanged", 3, "patients", "visitors"},
        Edit{"ReleaseReplaced", 4, "aaaaaaaa", "bbbbbbbb"}, Edit{"FailedScanBecameNothing", 9, "failed-scan", "published"},
        Edit{"SourceChanged", 10, "/new.csv", "/his.csv"}, Edit{"ReasonChanged", 10, "the file moved", "I wanted to"}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

TEST_F(Damage, ForgedRecordAppendedWithTheTagOfAnotherIsRefused) {
  std::vector<std::string> forged = lines();
  forged.push_back(forged[3]);
  const std::size_t at = forged.back().find(R"("entry":1)");
  forged.back().replace(at, 9, R"("entry":7)");
  write_all(path(), rehashed(forged));
  EXPECT_EQ(open_error(path()), broken(lines().size()));
  EXPECT_EQ(Custody::open(path(), {.seals = folder().path("none")})->show("patients").ok(), true) << "a reader cannot know";
}

// --- Records that the chain allows and their contents do not: a reader without the key meets them.
// ---

TEST_F(Damage, RecordsThatContradictEachOtherAreRefusedToReaders) {
  struct Case {
    std::size_t line;
    const char *from, *to, *finding;
  };
  for (const Case& wrong : {Case{3, R"("entry":1)", R"("entry":2)", "contradicts itself: entry 1 is missing"},
                            Case{3, R"("entry":1)", R"("entry":1.0)", "a record that Tacet did not write"},
                            Case{3, R"("entry":1)", R"("entry":99999999999999999999)", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian","9"])", "contradicts itself: more was spent than its total"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian","-0.5"])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian","0.50"])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian","nan"])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian","1e-99999999"])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["gaussian"])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"([])", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"({})", "a record that Tacet did not write"},
                            Case{3, R"(["gaussian","0.5"])", R"(["approximate","0.5","0.1"])", "the loss of entry 1 cannot be counted"},
                            Case{3, "patients", "nobodies", "contradicts itself: it has entries, but no terms"},
                            Case{2, "visitors", "patients", "contradicts itself: it has terms twice"},
                            Case{1, R"("rule":"zcdp")", R"("rule":"basic")", "its total is none that its rule can keep"},
                            Case{1, R"("rule":"zcdp")", R"("rule":"golden")", "a record that Tacet did not write"},
                            Case{1, R"("slack":"0")", R"("slack":"0.1")", "its total is none that its rule can keep"},
                            Case{1, R"("neighbours":"replace-one")", R"("neighbours":"cousins")", "a record that Tacet did not write"},
                            Case{1, R"("public_columns":[])", R"("public_columns":["b","a"])", "a record that Tacet did not write"},
                            Case{1, R"("public_columns":[])", R"("public_columns":[""])", "a record that Tacet did not write"},
                            Case{1, R"("kind":"terms")", R"("kind":"term")", "a record that Tacet did not write"},
                            Case{1, R"("kind":"terms")", R"("kind":["terms"])", "a record that Tacet did not write"},
                            Case{1, R"({"kind")", R"({ "kind")", "a record that Tacet did not write"},
                            Case{4, R"("of":1)", R"("of":0)", "a release was written for an entry that there is not"},
                            Case{4, R"("of":1)", R"("of":9)", "a release was written for an entry that there is not"},
                            Case{10, R"("source":"/new.csv")", R"("relation":{"neighbours":"add-or-remove-one","public_columns":[]})",
                                 "its neighbours were changed after a charge"}}) {
    std::vector<std::string> edited = lines();
    const std::size_t at = edited[wrong.line].find(wrong.from);
    ASSERT_NE(at, std::string::npos) << wrong.from << " in " << edited[wrong.line];
    edited[wrong.line].replace(at, std::string(wrong.from).size(), wrong.to);
    write_all(path(), rehashed(edited));
    const auto ledger = Custody::open(path(), {.seals = folder().path("none")});
    ASSERT_FALSE(ledger.ok()) << wrong.to;
    EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt);
    EXPECT_THAT(ledger.error().message(), HasSubstr(wrong.finding)) << wrong.to;
  }
}

TEST_F(Damage, DeeplyNestedOrStrangeRecordsAreRefusedWithoutACrash) {
  const std::string deep(100'000, '[');
  for (const std::string& text :
       {deep, deep + std::string(100'000, ']'), std::string("{\"kind\":") + deep, std::string("null"), std::string("\"\""),
        std::string("{\"kind\":\"charge\"}"), std::string("{\"kind\":\"terms\",\"dataset\":{}}"), std::string("\xff\xfe"), std::string()}) {
    std::vector<std::string> edited = lines();
    edited.push_back(text + "\t" + std::string(64, '0') + "\t" + std::string(64, '0') + "\n");
    write_all(path(), rehashed(edited));
    const auto ledger = Custody::open(path(), {.seals = folder().path("none")});
    ASSERT_FALSE(ledger.ok());
    EXPECT_EQ(ledger.error().code(), Code::LedgerCorrupt);
  }
}

}  // namespace
}  // namespace tacet::kernel
