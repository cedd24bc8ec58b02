#include "tacet/studies/run_study.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::studies {
namespace {

using ::testing::HasSubstr;

std::atomic<int> calls{0};
std::atomic<bool> broken{false};

std::vector<Cell> coin_cells(const Effort& effort) {
  const auto toss = [](Piece& piece) -> Result<Sums> {
    ++calls;
    if (broken && calls > 3) return Error::of(Code::Internal, "the power is gone");
    double heads = 0, sum = 0;
    for (std::size_t i = 0; i < piece.trials; ++i) {
      const double u = piece.stream.uniform();
      heads += u < 0.5 ? 1 : 0;
      sum += u;
    }
    return Sums{heads, sum, static_cast<double>(piece.seed >> 20)};
  };
  return {{"one", effort.of(1000, 100), 100, toss}, {"another", effort.of(950, 95), 100, toss}};
}

Result<Findings> coin_findings(const Measured& measured) {
  Findings found;
  found.verdicts.push_back(agrees("half of all are heads", compared(measured.rate("one"), 0.5, 0, 1)));
  return found;
}

Study coins() {
  return {.name = "coins",
          .title = "Coins",
          .paper = "none",
          .shows = "Coins.",
          .version = 1,
          .seconds = 1,
          .cells = coin_cells,
          .conclude = coin_findings};
}

/// A folder that is empty.
std::string folder(const std::string& name) {
  const std::string path = ::testing::TempDir() + "/studies_" + name;
  std::filesystem::remove_all(path);
  return path;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

TEST(RunStudy, GivesTheSameSumsForEveryNumberOfThreads) {
  const Study study = coins();
  const StudyRun one = *run_study(study, {.threads = 1}), many = *run_study(study, {.threads = 7});
  for (const char* cell : {"one", "another"}) EXPECT_EQ(one.measured.sums(cell), many.measured.sums(cell));
  EXPECT_NE(one.measured.sums("one"), run_study(study, {.seed = 2})->measured.sums("one"));
}

TEST(RunStudy, GivesEveryBlockItsOwnStream) {
  const Study study = coins();
  const std::string path = folder("streams");
  // Sums of real numbers: equal streams would give equal sums.
  const StudyRun run = *run_study(study, {.effort = {.trials = 100}});
  EXPECT_NE(run.measured.sum("one", 1), run.measured.sum("another", 1));
}

TEST(RunStudy, CountsTheLastBlockThatIsNotFull) {
  const StudyRun run = *run_study(coins(), {});
  EXPECT_EQ(run.blocks, 20u);
  EXPECT_EQ(run.measured.trials("another"), 950);
}

TEST(RunStudy, GoesOnWhereItWasInterrupted) {
  const Study study = coins();
  const std::string path = folder("interrupted");
  calls = 0;
  broken = true;
  const auto failed = run_study(study, {.threads = 1, .folder = path});
  broken = false;
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message(), HasSubstr("the power is gone"));
  // The end of the file may be half a line.
  std::ofstream(path + "/coins.cells.jsonl", std::ios::app) << R"({"cell":"one","block":9,"su)";
  calls = 0;
  const StudyRun rest = *run_study(study, {.threads = 1, .folder = path});
  EXPECT_EQ(rest.found, 3u);
  EXPECT_EQ(calls, 17);
  EXPECT_EQ(rest.measured.sums("one"), run_study(study, {})->measured.sums("one"));
  calls = 0;
  const StudyRun again = *run_study(study, {.folder = path});
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(again.measured.sums("another"), rest.measured.sums("another"));
}

// Numbers that were changed by hand would make a verdict, and too few would end the program.
TEST(RunStudy, ComputesAgainWhatWasChangedInItsFile) {
  const Study study = coins();
  const std::string path = folder("changed"), file = path + "/coins.cells.jsonl";
  const StudyRun true_run = *run_study(study, {.folder = path});
  const std::string kept = text_of(file);
  const std::string sums = R"("sums":[)" + fmt::format("{:.1f}", true_run.measured.sum("one"));
  for (const std::string& other : {std::string(R"("sums":[999.0)"), std::string(R"("sums":[],"other":[1.0)")}) {
    std::string changed = kept;
    const std::size_t at = changed.find(sums);
    ASSERT_NE(at, std::string::npos);
    changed.replace(at, sums.size(), other);
    std::ofstream(file, std::ios::trunc) << changed;
    const StudyRun again = *run_study(study, {.folder = path});
    EXPECT_EQ(again.found, 1u);  // the other cell
    EXPECT_EQ(again.measured.sums("one"), true_run.measured.sums("one"));
    EXPECT_EQ(text_of(file), kept);
  }
  // The numbers of another seed under this one's name.
  (void)*run_study(study, {.seed = 2, .folder = path});
  std::string foreign = text_of(file);
  foreign.replace(foreign.find(R"("seed":2)"), 8, R"("seed":1)");
  std::ofstream(file, std::ios::trunc) << foreign;
  EXPECT_EQ(run_study(study, {.folder = path})->found, 0u);
}

TEST(RunStudy, StartsAnewWithOtherTrialsAnotherSeedOrAnotherVersion) {
  const std::string path = folder("anew");
  Study study = coins();
  (void)*run_study(study, {.folder = path});
  for (const RunOptions& other : {RunOptions{.effort = {.trials = 300}, .folder = path}, RunOptions{.seed = 5, .folder = path},
                                  RunOptions{.effort = {.quick = true}, .folder = path}})
    EXPECT_EQ(run_study(study, other)->found, 0u);
  (void)*run_study(study, {.folder = path});
  study.version = 2;
  EXPECT_EQ(run_study(study, {.folder = path})->found, 0u);
  EXPECT_THAT(text_of(path + "/coins.cells.jsonl"), HasSubstr(R"({"study":"coins","version":2,"seed":1,"quick":false,"trials":null})"));
}

TEST(RunStudy, RefusesANumberThatIsNotFinite) {
  Study study = coins();
  study.cells = [](const Effort& /*effort*/) -> std::vector<Cell> {
    return {{"hole", 1, 1, [](Piece& /*piece*/) -> Result<Sums> { return Sums{std::nan("")}; }}};
  };
  EXPECT_THAT(run_study(study, {}).error().message(), HasSubstr("a number of cell \"hole\" is not finite"));
}

TEST(RunStudy, RefusesNoTrialsAndTooManyThreads) {
  EXPECT_EQ(run_study(coins(), {.effort = {.trials = 0}}).error().name(), "trials");
  EXPECT_EQ(run_study(coins(), {.threads = 2000}).error().name(), "threads");
}

TEST(FindStudy, RefusesANameOfNone) {
  EXPECT_EQ(find_study("figure").error().message(), "study is figure, but must be the name of a study, or all; `study list` names them");
  EXPECT_EQ(find_study("rogers_tabel_3").error().message(),
            "study is rogers_tabel_3, but must be the name of a study, or all; did you mean \"rogers_table_3\"?");
}

TEST(AllStudies, HaveDifferentNamesAndSayWhatTheyShow) {
  std::set<std::string> names;
  for (const Study& study : all_studies()) {
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
    EXPECT_FALSE(study.title.empty() || study.paper.empty() || study.shows.empty()) << study.name;
    EXPECT_TRUE(study.shows.ends_with('.')) << study.name;
  }
}

}  // namespace
}  // namespace tacet::studies
