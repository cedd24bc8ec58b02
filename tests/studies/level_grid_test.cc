#include "tacet/studies/levels/level_grid.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/studies/run_study.h"

namespace tacet::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A setting whose trials err with this probability.
LevelSetting erring(const std::string& name, double probability, bool planted = false) {
  const auto count = [probability](Piece& piece, ErrorTally& tally) -> Status {
    for (std::size_t i = 0; i < piece.trials; ++i) tally.add(0, piece.stream.uniform() < probability);
    return {};
  };
  return {.name = name, .count = count, .planted = planted};
}

LevelGrid grid_of(std::vector<LevelSetting> settings) {
  return {.title = "Coins",
          .kinds = {{"coins are rare", "heads", 0.05}},
          .settings = std::move(settings),
          .usual = 1000,
          .in_a_hurry = 100,
          .every = 2};
}

/// As a study runs it.
Findings found_in(const LevelGrid& grid) {
  static const LevelGrid* now = nullptr;
  now = &grid;
  const Study study{.name = "coins",
                    .title = "Coins",
                    .paper = "none",
                    .shows = "Coins.",
                    .version = 1,
                    .seconds = 1,
                    .cells = [](const Effort& effort) { return level_cells(*now, effort); },
                    .conclude = [](const Measured& measured) -> Result<Findings> { return level_findings(*now, measured); }};
  return run_study(study, {.threads = 1})->findings;
}

double number(const Verdict& verdict, const std::string& name) {
  for (const Number& one : verdict.numbers) {
    if (one.name == name) return one.value;
  }
  return -1;
}

TEST(LevelGrid, KeepsWhatIsExactlyRight) {
  std::vector<LevelSetting> settings;
  for (int i = 0; i < 40; ++i) settings.push_back(erring("coin " + std::to_string(i), 0.05));
  const Findings found = found_in(grid_of(settings));
  ASSERT_EQ(found.verdicts.size(), 1u);
  EXPECT_EQ(found.verdicts[0].outcome, Outcome::Reproduced);
  EXPECT_EQ(number(found.verdicts[0], "rates"), 40);
}

TEST(LevelGrid, FindsOneSettingThatErrsTooOften) {
  std::vector<LevelSetting> settings = {erring("bad", 0.11)};
  for (int i = 0; i < 40; ++i) settings.push_back(erring("coin " + std::to_string(i), 0.01));
  const Findings found = found_in(grid_of(settings));
  EXPECT_EQ(found.verdicts[0].outcome, Outcome::Differs);
  EXPECT_FALSE(found.verdicts[0].expected);
  EXPECT_EQ(number(found.verdicts[0], "too high"), 1);
  EXPECT_EQ(number(found.verdicts[0], "measured again"), 1);
  EXPECT_THAT(found.verdicts[0].words, HasSubstr("heads, bad"));
}

// 0.055 in each of 200 settings is beyond no single limit (0.0707 at 1000 trials), but beyond that
// of all together.
TEST(LevelGrid, FindsManySettingsThatErrALittleTooOften) {
  std::vector<LevelSetting> settings;
  for (int i = 0; i < 200; ++i) settings.push_back(erring("coin " + std::to_string(i), 0.055));
  const Findings found = found_in(grid_of(settings));
  EXPECT_EQ(number(found.verdicts[0], "too high"), 0);
  EXPECT_EQ(found.verdicts[0].outcome, Outcome::Differs);
}

// A test that is never made, or an interval that holds everything, proves nothing.
TEST(LevelGrid, IsNotContentWithWhatNeverErrs) {
  EXPECT_EQ(found_in(grid_of({erring("coin", 0)})).verdicts[0].outcome, Outcome::Differs);
  LevelGrid silent = grid_of({erring("coin", 0)});
  silent.settings[0].count = [](Piece& piece, ErrorTally& tally) -> Status {
    for (std::size_t i = 0; i < piece.trials; ++i) tally.add(0, false, /*silent=*/true);
    return {};
  };
  EXPECT_EQ(found_in(silent).verdicts[0].outcome, Outcome::Differs);
  silent.settings[0].count = [](Piece& /*piece*/, ErrorTally& /*tally*/) -> Status { return {}; };
  EXPECT_EQ(found_in(silent).verdicts[0].outcome, Outcome::Differs);
}

TEST(LevelGrid, SaysWhetherPlantedFaultsAreFound) {
  const Findings found = found_in(grid_of({erring("coin", 0.05), erring("bad", 0.3, /*planted=*/true)}));
  ASSERT_EQ(found.verdicts.size(), 2u);
  EXPECT_EQ(found.verdicts[0].outcome, Outcome::Reproduced);
  EXPECT_EQ(found.verdicts[1].outcome, Outcome::Reproduced);
  const Findings missed = found_in(grid_of({erring("coin", 0.05), erring("good", 0.04, /*planted=*/true)}));
  EXPECT_EQ(missed.verdicts[1].outcome, Outcome::Differs);
  EXPECT_THAT(missed.verdicts[1].words, HasSubstr("good"));
}

TEST(LevelGrid, HasSomeSettingsInAHurryAndAllPlantedOnes) {
  const LevelGrid grid = grid_of({erring("a", 0.05), erring("b", 0.05), erring("c", 0.05), erring("d", 0.3, /*planted=*/true)});
  std::vector<std::string> names;
  for (const Cell& cell : level_cells(grid, {.quick = true})) names.push_back(cell.name);
  EXPECT_THAT(names, ElementsAre("a", "c", "d"));
  EXPECT_EQ(level_cells(grid, {}).size(), 4u);
}

TEST(ErrorTally, CountsAndKnowsWhatIsTooHigh) {
  ErrorTally tally({true, false});
  tally.add(0, true);
  tally.add_many(0, {9, 1, 2});
  EXPECT_EQ(tally.of(0).trials, 10);
  EXPECT_EQ(tally.of(0).rate(), 0.2);
  EXPECT_FALSE(tally.wants(1));
  // 0.05 + 3 sqrt(0.05 0.95/1000) = 0.0707.
  EXPECT_FALSE(is_too_high({1000, 70, 0}, 0.05));
  EXPECT_TRUE(is_too_high({1000, 71, 0}, 0.05));
  EXPECT_FALSE(is_too_high({0, 0, 0}, 0.05));
}

}  // namespace
}  // namespace tacet::studies
