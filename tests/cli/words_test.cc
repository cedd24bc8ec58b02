// What people type: wrong verbs, odd numbers, odder file names.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Typed, NothingShowsTheHelpAndIsWrongUsage) {
  const Program program;
  const Ended alone = program.run({});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.out, AllOf(HasSubstr("A first walk"), HasSubstr("budget create"), HasSubstr("Exit codes")));
}

TEST(Typed, HelpInAnyFormShowsEveryVerb) {
  const Program program;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--help"}, {"-h"}, {"help"}}) {
    const Ended help = program.run(words);
    EXPECT_EQ(help.exit_code, 0);
    for (const service::Verb& verb : service::verbs()) EXPECT_THAT(help.out, AllOf(HasSubstr(verb.name), HasSubstr(verb.summary)));
  }
  EXPECT_THAT(program.run({"budget", "--help"}).out, AllOf(HasSubstr("budget create"), HasSubstr("budget history")));
  EXPECT_EQ(program.run({"help", "release", "counts"}).out, program.run({"release", "counts", "--help"}).out);
}

TEST(Typed, VersionIsOneLine) {
  const Program program;
  const Ended version = program.run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, ::testing::MatchesRegex("tacet [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Typed, WrongWordsAreAnsweredWithTheNearestRightOnes) {
  const Program program;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"budgt"}, "did you mean \"budget\"?"},
      {{"bugdet", "show"}, "did you mean \"budget show\"?"},
      {{"show"}, "did you mean \"budget show\" or \"dataset show\" or \"session show\"?"},
      {{"counts"}, "did you mean \"release counts\"?"},
      {{"release", "count"}, "did you mean \"release counts\"?"},
      {{"budget"}, "must be followed by one of create, show, history"},
      {{"release"}, "must be followed by one of counts, histogram, sum, mean"},
      {{"budget", "show", "--scheam", "x"}, "did you mean \"--schema\"?"},
      {{"budget", "show", "--scheam=x"}, "did you mean \"--schema\"?"},
      {{"budget", "show", "x"}, "must follow the option that it is for"},
      {{"release", "counts", "--by", "a", "--by", "b", "--data", "d", "--schema", "s", "--mechanism", "m", "--out", "o"}, "given 2 times"},
      {{"release", "counts"}, "--data is missing"},
  };
  for (const auto& [words, answer] : cases) EXPECT_THAT(program.run(words).err, HasSubstr(answer)) << words.front();
}

TEST(Typed, APersonsOwnValueIsRepeatedByNoError) {
  const Program program;
  const std::vector<std::vector<std::string>> requests = {
      {"randomize", "exp", "--value", "hay", "fever", "--categories", "none,flu", "--epsilon", "1"},
      {"randomize", "exp", "--value", "fever", "--categories", "none,flu", "--epsilon", "1"},
      {"randomize", "flip", "--value", "hay", "--fever", "--categories", "none,flu", "--epsilon", "1"},
      {"randomize", "exp", "--categories", "none,flu", "--epsilon", "1", "--value", "hay", "--fever"},
  };
  for (const auto& words : requests) {
    for (const bool json : {false, true}) {
      std::vector<std::string> request = words;
      if (json) request.emplace_back("--json");
      const Ended ended = program.run(request);
      EXPECT_NE(ended.exit_code, 0);
      EXPECT_EQ(ended.out.find("fever"), std::string::npos) << ended.out;
      EXPECT_EQ(ended.err.find("fever"), std::string::npos) << ended.err;
    }
  }
}

TEST(Typed, NumbersThatAreNoneAreRefusedByNameAndNegativeOnesAreValues) {
  const Program program;
  for (const std::string number : {"-0.25", "-1",   "0",   "nan", "NaN", "inf", "-inf", "1e400", "1e-400", "",
                                   " ",     "0x10", "1,5", "1e",  "e1",  ".",   "+-1",  "--1",   "\xFF",   "１"}) {
    for (const bool joined : {false, true}) {
      const bool empty_joined = joined && number.empty();  // "--rho=" has no value
      const Ended ended = joined ? program.run({"budget", "create", "--schema", "people.toml", "--rho=" + number})
                                 : program.run({"budget", "create", "--schema", "people.toml", "--rho", number});
      EXPECT_EQ(ended.exit_code, empty_joined ? 2 : 1) << number << ended.err;
      EXPECT_THAT(ended.err, HasSubstr("rho")) << number;
    }
  }
  EXPECT_FALSE(program.has("people.ledger"));
}

TEST(Typed, AbsurdlyLongArgumentsAreRefusedAndNotRepeated) {
  const Program program;
  const std::string longest(100'000, '7');
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"budget", "create", "--schema", "people.toml", "--rho", longest},
                                             {"budget", "create", "--schema", "people.toml", "--rho", "1", "--share", longest},
                                             {"budget", "create", "--schema", "people.toml", "--rho", "1", "--dataset", longest},
                                             Program::release_words({"--rho", "1", "--out", "r.json", "--analyst", longest})}) {
    const Ended ended = program.run(words);
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_LT(ended.err.size(), 1000U);
  }
}

TEST(Typed, BytesThatAreNoUtf8AreAnsweredInUtf8) {
  const Program program;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"budget", "show", "--schema", "\xFF\xC3", "--json"},
                                             {"budget", "show", "--ledger", "\xFF", "--dataset", "\xED\xA0\x80", "--json"},
                                             {"infer", "estimate", "--release", "\x80", "--json"},
                                             {"budget", "\xFF", "--json"}}) {
    const Ended ended = program.run(words);
    EXPECT_NE(ended.exit_code, 0);
    EXPECT_TRUE(one_object(ended.out)) << ended.out;  // the parser refuses what is no UTF-8
    EXPECT_EQ(ended.err.find('\xFF'), std::string::npos);
  }
}

TEST(Typed, CustodianSeesWhatIsLeftToWhomAndWhatIsOdd) {
  const Program program;
  const Ended refused = program.run({"budget", "create", "--schema", "people.toml", "--rho", "1", "--share", "ada=2"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_FALSE(program.has("people.ledger"));
  const Ended made = program.run({"budget", "create", "--schema", "people.toml", "--rho", "1", "--share", "ada=0.5, bob=0.1", "--others",
                                  "0.2", "--source", "later.csv"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("all without a share  rho 0  rho 0.2    rho 0.2\n"), HasSubstr("Beware: there is no file \""),
                              HasSubstr("Remaining for ")));
  const Ended all = program.run({"budget", "show", "--ledger", "people.ledger"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, AllOf(HasSubstr("dataset"), HasSubstr("people"), HasSubstr("remaining for you")));
  const Ended blank = program.run({"dataset", "amend", "--schema", "people.toml", "--source", "people.csv", "--reason", "  "});
  EXPECT_EQ(blank.exit_code, 1);
  EXPECT_THAT(blank.err, HasSubstr("reason is \"  \", but must say why"));
  EXPECT_EQ(program.run({"dataset", "check", "--schema", "people.toml"}).exit_code, 1) << "its source is not there";
  EXPECT_EQ(program.run({"dataset", "amend", "--schema", "people.toml", "--source", "people.csv", "--reason", "here it is"}).exit_code, 0);
  const Ended agrees = program.run({"dataset", "check", "--schema", "people.toml"});
  EXPECT_EQ(agrees.exit_code, 0) << agrees.out;
}

TEST(FileNames, OfAnyKindServeAsSchemaDataLedgerAndRelease) {
  const Program program;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "100"}).exit_code, 0);
  const std::vector<std::string> names = {"it's",
                                          "a\"b",
                                          "a;b",
                                          "$(touch hacked)",
                                          "`touch hacked`",
                                          "a b",
                                          "new\nline",
                                          "tab\t",
                                          "日本",
                                          "é\xFF",
                                          "--by",
                                          "-x",
                                          "%s%n",
                                          "a,b",
                                          "*?[]",
                                          "a\\b",
                                          "{}",
                                          "[1]",
                                          "&|<>",
                                          "\x1b[31m",
                                          "con\rtrol",
                                          "'",
                                          "#"};
  for (const std::string& name : names) {
    std::filesystem::copy_file(program.path("people.csv"), program.path(name + ".csv"));
    std::filesystem::copy_file(program.path("people.toml"), program.path(name + ".toml"));
    const Ended amended =
        program.run({"dataset", "amend", "--schema", name + ".toml", "--source", name + ".csv", "--reason", "the file was renamed"});
    EXPECT_EQ(amended.exit_code, 0) << name << ": " << amended.err;
    EXPECT_EQ(amended.out.find('\x1b'), std::string::npos) << name;
    const Ended released = program.run({"release", "counts", "--data", name + ".csv", "--schema", name + ".toml", "--by", "sex",
                                        "--mechanism", "gaussian", "--rho", "0.1", "--out", name + ".json"});
    EXPECT_EQ(released.exit_code, 0) << name << ": " << released.err;
    EXPECT_TRUE(one_object(program.read(name + ".json"))) << name;
    EXPECT_EQ(released.out.find('\x1b'), std::string::npos) << name;
    const Ended estimated = program.run({"infer", "estimate", "--release=" + name + ".json", "--json"});
    EXPECT_EQ(estimated.exit_code, 0) << name << ": " << estimated.err;
    const Ended created = program.run({"budget", "create", "--ledger", name + ".ledger", "--dataset", "d", "--rho", "1", "--json"});
    EXPECT_EQ(created.exit_code, 0) << name << ": " << created.err;
    EXPECT_TRUE(one_object(created.out)) << created.out;
  }
  EXPECT_FALSE(program.has("hacked"));
}

TEST(FileNames, InWhatIsToBeTypedNextAreQuotedForAShell) {
  const Program program;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "1"}).exit_code, 0);
  const Ended released = program.run(Program::release_words({"--rho", "0.1", "--out", "it's mine; really.json"}));
  ASSERT_EQ(released.exit_code, 0) << released.err;
  const std::string marker = "free: tacet ";
  const std::string next = released.out.substr(released.out.find(marker) + marker.size());
  EXPECT_EQ(program.run_command({"/bin/sh", "-c", std::string("\"") + TACET_PROGRAM + "\" " + next}).exit_code, 0) << next;
}

}  // namespace
}  // namespace tacet::test
