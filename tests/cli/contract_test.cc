// What programs rely on: fields, exit codes, one JSON object on standard output, words on standard
// error.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

using service::Json;
using ::testing::HasSubstr;

class Contract : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ended made =
        program.run({"budget", "create", "--schema", "people.toml", "--rho", "0.3", "--share", "bob=0.05", "--others", "0.3"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  /// Ends with this code; with --json the same, and its one object has these fields.
  void expect(const std::vector<std::string>& words, int exit_code, const std::vector<std::string>& fields) const {
    std::vector<std::string> with_json = words;
    with_json.emplace_back("--json");
    const Ended ended = program.run(with_json);
    EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
    const auto object = one_object(ended.out);
    ASSERT_TRUE(object) << ended.out;
    for (const std::string& field : fields) EXPECT_TRUE(object->contains(field)) << field << " in " << ended.out;
  }

  void expect_error(const std::vector<std::string>& words, int exit_code, const std::string& code) const {
    const Ended plain = program.run(words);
    EXPECT_EQ(plain.exit_code, exit_code) << plain.err;
    EXPECT_EQ(plain.out, "");
    EXPECT_TRUE(plain.err.starts_with(code + ": ")) << plain.err;
    EXPECT_TRUE(plain.err.ends_with("nothing was spent\n")) << plain.err;
    EXPECT_EQ(std::count(plain.err.begin(), plain.err.end(), '\n'), 1) << plain.err;

    std::vector<std::string> with_json = words;
    with_json.emplace_back("--json");
    const Ended ended = program.run(with_json);
    EXPECT_EQ(ended.exit_code, exit_code);
    const auto object = one_object(ended.out);
    ASSERT_TRUE(object) << ended.out;
    const Json& error = object->at("error");
    EXPECT_EQ(error.at("code"), code);
    for (const std::string field : {"name", "value", "rule", "remedy", "message", "spent"})
      EXPECT_TRUE(error.at(field).is_string()) << field;
    EXPECT_EQ(error.at("spent"), "nothing was spent");
    EXPECT_EQ(program.spent(), "rho 0");
  }

  Program program;
};

TEST_F(Contract, VerbsAnswerWithTheFieldsThatOthersRelyOn) {
  expect({"budget", "show", "--schema", "people.toml"}, 0,
         {"dataset", "ledger", "currency", "total", "spent", "remaining", "entries", "analysts"});
  expect(Program::release_words({"--rho", "0.1", "--out", "r.json"}), 0,
         {"tacet_release", "kind", "statement", "values", "n", "axes", "grid", "noise", "privacy", "guarantee", "ledger", "time", "out",
          "budget"});
  expect({"infer", "estimate", "--release", "r.json", "--shrink", "none", "--project", "simplex"}, 0,
         {"values", "cost", "lower", "upper", "confidence", "intervals", "margin"});
  expect({"infer", "estimate", "--release", "r.json", "--shrink", "js+", "--project", "nonnegative"}, 0, {"values", "cost", "cost_is"});
  expect({"plan", "costs", "--counts", "75,149,28,175,184,190", "--mu", "0.1"}, 0, {"gaussian", "rank_deficient", "js0", "js", "rjs"});
  expect({"budget", "history", "--schema", "people.toml"}, 0, {"dataset", "currency", "verified", "entries"});
  program.write("values.json", "[1, 2.5]");
  expect({"import", "table", "--values", "values.json", "--n", "7", "--noise", "gaussian:2", "--out", "i.json"}, 0,
         {"values", "n", "noise", "privacy", "guarantee", "out"});
  program.write("null.json", "[0.6, 0.4]");
  expect({"infer", "gof", "--release", "i.json", "--null", "null.json", "--statistic", "projected", "--method", "auto", "--alpha", "0.05",
          "--seed", "1"},
         0, {"statistic", "df", "p_value", "critical", "outcome"});
  program.write("other.json", "[3, 4.5]");
  expect({"import", "table", "--values", "other.json", "--n", "8", "--noise", "gaussian:1", "--out", "j.json"}, 0, {"out"});
  expect({"infer", "homogeneity", "--releases", "i.json,j.json", "--alpha", "0.05"}, 0,
         {"statistic", "df", "p_value", "critical", "outcome", "reason", "method", "null_law"});
  expect({"infer", "gwas", "--noised", "61.3", "--n", "1000", "--rho", "0.01", "--alpha", "0.05"}, 0,
         {"statistic", "df", "p_value", "critical", "outcome", "reason", "method", "null_law"});
  expect({"critical", "weighted-chi2", "--weights", "1,2", "--alpha", "0.05"}, 0, {"critical"});
  expect({"critical", "gof", "--null", "null.json", "--n", "100", "--rho", "0.1", "--alpha", "0.05"}, 0, {"critical"});
  expect({"critical", "gwas", "--n", "100", "--rho", "0.1", "--alpha", "0.05"}, 0, {"critical"});
  program.write("alternative.json", "[0.7, 0.3]");
  expect({"plan", "gof", "--null", "null.json", "--alternative", "alternative.json", "--n", "100", "--rho", "0.1", "--alpha", "0.05"}, 0,
         {"power"});
  program.write("square.json", "[[10, 20.5], [30, 40]]");
  expect({"import", "table", "--values", "square.json", "--n", "100", "--noise", "gaussian:2", "--out", "s.json"}, 0, {"values"});
  expect({"infer", "independence", "--release", "s.json"}, 0, {"statistic", "df", "p_value", "outcome"});
  program.write("six.json", "[[10, 20.5], [30, 40], [20, 35]]");
  expect({"import", "table", "--values", "six.json", "--n", "150", "--noise", "gaussian:2", "--out", "g.json"}, 0, {"values"});
  expect({"infer", "gwas", "--release", "g.json"}, 0, {"statistic", "df", "p_value", "outcome"});
  program.write("joint.json", "[[0.3, 0.2], [0.2, 0.3]]");
  expect({"plan", "independence", "--alternative", "joint.json", "--n", "100", "--rho", "0.1"}, 0, {"power"});
  expect({"plan", "two-sample", "--lower", "0", "--upper", "10", "--sd", "2", "--difference", "1", "--n", "100", "--rho", "0.1", "--draws",
          "9"},
         0, {"power", "standard_error", "limit", "without_privacy", "n", "noise"});
  program.write("covariance.json", "[[4, 1], [1, 2]]");
  expect({"plan", "adjusted", "--covariance", "covariance.json", "--eta", "1,2", "--n", "50", "--epsilon", "1", "--delta", "0.02",
          "--gamma", "0.0001", "--alpha", "0.05"},
         0, {"sigma_g", "sigma_fg", "sigma_f", "naive_Hf", "opt_Hg", "opt_Hf", "adjusted", "vol_ratio_g_over_f", "vol_ratio_g_over_fg"});
  expect({"plan", "mean-test", "--covariance", "covariance.json", "--eta", "1,2", "--n", "50", "--rho", "0.1", "--alpha", "0.05"}, 0,
         {"power"});
  expect({"plan", "region", "--covariance", "covariance.json", "--n", "50", "--rho", "0.1"}, 0, {"volume"});
  expect({"release", "mean", "--data", "people.csv", "--schema", "people.toml", "--columns", "age", "--rho", "0.05", "--out", "m.json"}, 0,
         {"values", "n", "noise", "privacy", "guarantee"});
  expect({"infer", "region", "--release", "m.json"}, 0, {"center", "shape", "radius", "volume"});
  expect({"infer", "mean-test", "--release", "m.json", "--null", "40", "--alternative", "41"}, 0,
         {"statistic", "df", "p_value", "outcome"});
  expect({"randomize", "exp", "--value", "a", "--categories", "a,b", "--epsilon", "1"}, 0,
         {"mechanism", "reports", "n", "privacy", "guarantee"});
  program.write("reports.json", "[4, 3]");
  expect({"import", "local", "--reports", "reports.json", "--kind", "exp", "--epsilon", "1", "--n", "7", "--out", "l.json"}, 0,
         {"tacet_release", "kind", "values", "n", "noise", "privacy", "guarantee", "reports", "out"});
  expect({"init", "--data", "people.csv", "--out", "draft.toml"}, 0, {"schema", "dataset", "draft"});
}

TEST_F(Contract, ReleaseOnDiskIsWhatJsonShows) {
  const auto shown = one_object(program.run(Program::release_words({"--rho", "0.1", "--out", "r.json", "--json"})).out);
  ASSERT_TRUE(shown);
  const auto file = one_object(program.read("r.json"));
  ASSERT_TRUE(file);
  for (const auto& [field, value] : file->items()) EXPECT_EQ(shown->at(field), value) << field;
}

TEST_F(Contract, RefusedRequestsExitWithOne) {
  expect_error(Program::release_words({"--rho", "-0.25", "--out", "r.json"}), 1, "InvalidArgument");
  expect_error(Program::release_words({"--epsilon", "0.1", "--out", "r.json"}), 1, "InvalidArgument");
  expect_error(Program::release_words({"--rho", "0.1", "--out", "people.csv"}), 1, "AlreadyExists");
  expect_error(Program::release_words({"--rho", "0.1", "--out", "no/folder/r.json"}), 1, "FileUnwritable");
  expect_error({"budget", "show", "--schema", "missing.toml"}, 1, "NotFound");
  expect_error({"budget", "create", "--schema", "people.toml", "--rho", "1"}, 1, "AlreadyExists");
  expect_error({"infer", "estimate", "--release", "people.csv"}, 1, "InvalidArgument");
  expect_error({"randomize", "exp", "--value", "c", "--categories", "a,b", "--epsilon", "1"}, 1, "InvalidArgument");
  program.write("wrong.toml", "tacet = 2\n");
  expect_error({"budget", "show", "--schema", "wrong.toml"}, 1, "SchemaInvalid");
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--dataset", "pure", "--epsilon", "1"}).exit_code, 0);
  expect_error(Program::release_words({"--rho", "0.1", "--dataset", "pure", "--out", "r.json"}), 1, "Unsupported");
}

TEST_F(Contract, BudgetAndLedgerExitWithThree) {
  expect_error(Program::release_words({"--rho", "0.4", "--out", "r.json"}), 3, "BudgetExhausted");
  expect_error(Program::release_words({"--rho", "0.1", "--analyst", "bob", "--out", "r.json"}), 3, "BudgetExhausted");
  program.write("damaged", std::string(10'000, 'x'));
  expect_error({"budget", "show", "--ledger", "damaged", "--dataset", "people"}, 3, "LedgerCorrupt");
  std::filesystem::create_symlink("loop", program.path("loop"));
  expect_error({"budget", "show", "--ledger", "loop", "--dataset", "people"}, 3, "LedgerUnavailable");
}

TEST_F(Contract, DataExitsWithFour) {
  program.write("plain.csv.gz", "sex,plan\nf,basic\n");
  std::filesystem::create_directory(program.path("folder.csv"));
  for (const std::string data : {"plain.csv.gz", "folder.csv"}) {
    expect_error({"release", "counts", "--data", data, "--schema", "people.toml", "--by", "sex", "--mechanism", "gaussian", "--rho", "0.1",
                  "--out", "r.json"},
                 4, "DataUnreadable");
  }
}

TEST_F(Contract, WrongUsageExitsWithTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {"budgt"},
      {"budget"},
      {"budget", "shwo"},
      {"release", "counts"},
      {"budget", "show", "--scheme", "people.toml"},
      {"budget", "show", "people.toml"},
      {"budget", "show", "--schema", "people.toml", "--schema", "people.toml"},
      {"budget", "show", "--schema", "people.toml", "--", "x"},
      {"budget", "show", "-s", "people.toml"},
      {""},
      {"-"},
      {"--"},
      {"--frobnicate"},
      {"\xFF\xFE"},
      {std::string(100'000, 'x')},
      {"budget", std::string(100'000, 'x')},
      {"budget", "show", "--" + std::string(100'000, 'x')},
      {"budget", "show", "--\xFF"},
  };
  for (const auto& words : wrong) expect_error(words, 2, "InvalidArgument");
  const Ended value_missing = program.run({"budget", "show", "--schema"});
  EXPECT_EQ(value_missing.exit_code, 2);
  EXPECT_THAT(value_missing.err, HasSubstr("--schema"));
}

TEST_F(Contract, ACheckThatFailsIsSeenByTheExitCode) {
  ASSERT_EQ(program
                .run({"release", "counts", "--data", "people.csv", "--schema", "people.toml", "--by", "sex", "--mechanism", "gaussian",
                      "--rho", "0.1", "--out", "r.json"})
                .exit_code,
            0);
  const std::vector<std::string> verify = {"budget", "verify", "--schema", "people.toml", "--releases", "r.json"};
  expect(verify, 0, {"verified", "releases", "charges_without_release"});
  std::string release = program.read("r.json");
  release.replace(release.find("\"sex\""), 5, "\"Sex\"");
  program.write("r.json", release);
  expect(verify, 1, {"verified", "releases", "charges_without_release"});
  const std::vector<std::string> check = {"dataset", "check", "--schema", "people.toml", "--data", "people.csv"};
  expect(check, 0, {"agrees", "findings"});
  program.write("people.csv", "sex,age\nf,31\n");
  expect(check, 1, {"agrees", "findings"});
}

TEST_F(Contract, AnswerThatCannotBePrintedIsAnErrorThoughTheReleaseStands) {
  const Ended ended =
      program.run_command({"/bin/sh", "-c",
                           std::string("exec \"") + TACET_PROGRAM +
                               "\" release counts --data people.csv --schema people.toml --by sex --mechanism gaussian --rho 0.1 "
                               "--out r.json --json > /dev/full"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, HasSubstr("could not be written to standard output"));
  EXPECT_THAT(ended.err, HasSubstr("the request itself was done"));
  EXPECT_TRUE(one_object(program.read("r.json")));
}

// With standard output closed, the next file opened would take its number, and the answer would be
// written into it.
TEST_F(Contract, ClosedStandardStreamsHarmNoFile) {
  const std::string tacet = std::string("\"") + TACET_PROGRAM + "\" ";
  const std::string request = "release counts --data people.csv --schema people.toml --by sex --mechanism gaussian --rho 0.01 --out ";
  const std::vector<std::pair<std::string, int>> cases = {{"<&-", 0}, {"2>&-", 0}, {">&-", 1}, {">&- 2>&-", 1}, {"<&- >&- 2>&-", 1}};
  int number = 0;
  for (const auto& [closed, exit_code] : cases) {
    const std::string out = "r" + std::to_string(++number) + ".json";
    const Ended ended = program.run_command({"/bin/sh", "-c", tacet + request + out + " " + closed});
    EXPECT_EQ(ended.exit_code, exit_code) << closed << ended.err;
    EXPECT_TRUE(one_object(program.read(out))) << closed;
  }
  EXPECT_EQ(program.run({"budget", "history", "--schema", "people.toml"}).exit_code, 0);
  EXPECT_EQ(program.entries(), 5U);
  EXPECT_EQ(program.read("people.csv"), kPeople);
}

TEST_F(Contract, LimitsOfTheProcessAreErrorsAndSpendNothing) {
  const std::string tacet = std::string("\"") + TACET_PROGRAM + "\" ";
  const std::string request =
      tacet + "release counts --data people.csv --schema people.toml --by sex --mechanism gaussian --rho 0.01 --out r.json";
  const Ended ended = program.run_command({"/bin/sh", "-c", "ulimit -f 0; " + request});
  EXPECT_GE(ended.exit_code, 1);
  EXPECT_LE(ended.exit_code, 5);
  EXPECT_FALSE(program.has("r.json"));
  EXPECT_EQ(program.spent(), "rho 0");
}

}  // namespace
}  // namespace tacet::test
