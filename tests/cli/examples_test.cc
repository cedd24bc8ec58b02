// What is shown is run: the example of every verb, in the order of --help, and the demo.
#include <algorithm>
#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/json_schema.h"
#include "cli/program.h"
#include "old_ledger/old_file.h"

namespace tacet::test {
namespace {

using ::testing::HasSubstr;

/// A folder as the examples expect it: the demo's patients and schema, a table that somebody
/// published, releases of two groups, what people reported, probabilities, and the ledger of an
/// earlier version.
void prepare(const Program& program) {
  const std::filesystem::path demo = std::filesystem::path(TACET_SOURCE) / "examples" / "demo";
  std::filesystem::copy_file(demo / "patients.toml", program.path("patients.toml"));
  const Ended made = program.run_command({"/bin/sh", "-c", std::string(TACET_MAKE_PATIENTS) + " > patients.csv"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  testing::make_old_ledger(program.path("old.ledger"), 2);
  program.write("published.json", "[[812.5, 90.25], [455, 110]]");
  program.write("reports.json", "[412, 301, 287]");
  program.write("genotype_counts.json", "[[171.2, 248.9], [160.4, 130.1], [166.8, 121.5]]");
  ASSERT_EQ(
      program
          .run({"import", "table", "--values", "genotype_counts.json", "--n", "1000", "--noise", "gaussian:8", "--out", "genotypes.json"})
          .exit_code,
      0);
  program.write("one_genotype_counts.json", "[362.1, 478.4, 160.9]");
  ASSERT_EQ(program
                .run({"import", "table", "--values", "one_genotype_counts.json", "--n", "1000", "--noise", "gaussian:8", "--out",
                      "one_genotype.json"})
                .exit_code,
            0);
  program.write("region_counts.json", "[[[81.2, 19.9], [60.4, 40.1]], [[96.8, 31.5], [50.2, 49.9]]]");
  ASSERT_EQ(
      program.run({"import", "table", "--values", "region_counts.json", "--n", "430", "--noise", "gaussian:2", "--out", "by_region.json"})
          .exit_code,
      0);
  program.write("groups.json", "[[0.5, 0.3, 0.2], [0.45, 0.33, 0.22]]");
  program.write("covariance_of_a_row.json", "[[400, 100], [100, 225]]");
  program.write("null.json", "[[0.55, 0.07], [0.3, 0.08]]");
  program.write("alternative.json", "[[0.53, 0.07], [0.31, 0.09]]");
  program.write("others.json", "[[431, 50.5], [220, 59.75]]");
  for (const auto& [values, n, release] :
       {std::array{"published.json", "1468", "north.json"}, std::array{"others.json", "760", "south.json"}}) {
    const Ended imported = program.run({"import", "table", "--values", values, "--n", n, "--noise", "gaussian:4", "--out", release});
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
  }
}

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  std::istringstream in(name);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST(Examples, OfEveryVerbStandInItsHelp) {
  const Program program;
  for (const service::Verb& verb : service::verbs()) {
    std::vector<std::string> words = words_of(verb.name);
    words.emplace_back("--help");
    const Ended help = program.run(words);
    EXPECT_EQ(help.exit_code, 0) << verb.name;
    EXPECT_EQ(help.err, "") << verb.name;
    EXPECT_THAT(help.out, HasSubstr("Example:\n  " + verb.example + "\n"));
    EXPECT_THAT(help.out, HasSubstr(verb.summary));
    for (const service::Field& field : verb.fields) EXPECT_THAT(help.out, HasSubstr("--" + field.name)) << verb.name;
    EXPECT_THAT(help.out, HasSubstr("--json")) << verb.name;
  }
}

TEST(Examples, OfAllVerbsRunInOrderInAFreshFolder) {
  const Program program;
  prepare(program);
  program.write("path.sh", "tacet() { \"" TACET_PROGRAM "\" \"$@\"; }\n");
  for (const service::Verb& verb : service::verbs()) {
    const Ended ended = program.run_command({"/bin/sh", "-c", "set -eu; . ./path.sh; " + verb.example});
    EXPECT_EQ(ended.exit_code, 0) << verb.example << "\n" << ended.err;
    EXPECT_NE(ended.out, "") << verb.example;
    EXPECT_EQ(ended.err, "") << verb.example;
  }
}

TEST(Examples, OfAllVerbsAnswerToJsonWithOneObjectThatKeepsItsSchema) {
  const Program program;
  prepare(program);
  program.write("path.sh", "tacet() { \"" TACET_PROGRAM "\" \"$@\"; }\n");
  for (const service::Verb& verb : service::verbs()) {
    const Ended ended = program.run_command({"/bin/sh", "-c", "set -eu; . ./path.sh; " + verb.example + " --json"});
    EXPECT_EQ(ended.exit_code, 0) << verb.example << "\n" << ended.err;
    const auto answer = one_object(ended.out);
    ASSERT_TRUE(answer) << ended.out;
    EXPECT_EQ(violation(service::answer_schema(verb.answer), *answer), "") << verb.example;
    EXPECT_EQ(ended.err, "") << verb.example;
  }
}

Ended run_demo(const Program& program, const std::string& folder) {
  const std::string script = std::string(TACET_SOURCE) + "/examples/demo/run.sh";
  return program.run_command({"/usr/bin/env", std::string("TACET=") + TACET_PROGRAM, "/bin/sh", script, folder});
}

TEST(Demo, SucceedsShowsTheRefusalAndLeavesTheBudgetAsItClaims) {
  const Program program;
  const Ended demo = run_demo(program, "demo");
  ASSERT_EQ(demo.exit_code, 0) << demo.out << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("BudgetExhausted: the release needs rho 0.125, but 0.075 of 0.2 remains"));
  EXPECT_THAT(demo.out, HasSubstr("Spent: rho 0.125 in 1 charge. Remaining: rho 0.075."));
  EXPECT_TRUE(program.has("demo/smoking.json"));
  EXPECT_FALSE(program.has("demo/again.json"));
  const auto shown = one_object(program.run({"budget", "show", "--schema", "demo/patients.toml", "--json"}).out);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->at("spent").at("rho"), "0.125");
  EXPECT_EQ(shown->at("remaining").at("rho"), "0.075");
  EXPECT_EQ(program.run({"infer", "estimate", "--release", "demo/smoking.json", "--project", "simplex"}).exit_code, 0);
}

TEST(Demo, RefusesAFolderThatHoldsSomethingElse) {
  const Program program;
  std::filesystem::create_directory(program.path("mine"));
  program.write("mine/thesis.txt", "years of work");
  const Ended refused = run_demo(program, "mine");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("holds something else"));
  EXPECT_EQ(program.read("mine/thesis.txt"), "years of work");
}

TEST(Demo, MayBeRepeatedInItsFolder) {
  const Program program;
  EXPECT_EQ(run_demo(program, "demo").exit_code, 0);
  const Ended again = run_demo(program, "demo");
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

}  // namespace
}  // namespace tacet::test
