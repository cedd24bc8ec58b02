#include "tacet/data/person_rows.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/data/stored_column.h"

namespace tacet::data {
namespace {

constexpr std::array<std::uint8_t, 16> kKey{1, 2, 3, 5, 8, 13, 21, 34};

struct OfferedRow {
  std::string person;
  std::uint32_t group;
};

std::uint32_t number_of(PersonRows& people, std::string_view text) {
  std::uint32_t number = 0;
  people.note(text);
  people.numbers(&number);
  return number;
}

/// How many rows of each group were kept.
std::vector<std::int64_t> kept(const PersonLimit& limit, const std::vector<OfferedRow>& rows, std::size_t groups) {
  PersonRows people(limit, 0);
  for (const auto& [person, group] : rows) {
    const std::uint32_t number = number_of(people, person);
    if (number != PersonRows::kNobody) people.offer(number, group, {}, 0);
  }
  MomentSums sums({.columns = 0, .products = false, .groups = groups, .units = 1});
  people.add_to(sums);
  return sums.totals().rows;
}

std::int64_t rows_kept(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

TEST(PersonRows, KeepsAtMostSoManyRowsOfEachPerson) {
  std::vector<OfferedRow> rows(10'000, {"one", 0});
  rows.insert(rows.end(), {{"two", 1}, {"two", 1}, {"three", 2}});
  EXPECT_EQ(kept({.rows = 3, .key = kKey}, rows, 3), (std::vector<std::int64_t>{3, 2, 1}));
  EXPECT_EQ(kept({.rows = 1, .key = kKey}, rows, 3), (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(PersonRows, KeepsAtMostSoManyGroupsAndRowsInEach) {
  std::vector<OfferedRow> rows;
  for (std::uint32_t i = 0; i < 1000; ++i) rows.push_back({"one", i % 20});
  const std::vector<std::int64_t> counts = kept({.rows = 4, .groups = 3, .key = kKey}, rows, 20);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 4), 3);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 0), 17);
  // Fewer groups than allowed: all of them.
  EXPECT_EQ(kept({.rows = 2, .groups = 3, .key = kKey}, {{"one", 0}, {"one", 4}, {"one", 4}, {"one", 4}}, 5),
            (std::vector<std::int64_t>{1, 0, 0, 0, 2}));
}

TEST(PersonRows, ARowThatNamesNobodyIsNotKeptAndSpacesAreNoName) {
  EXPECT_EQ(rows_kept(kept({.rows = 3, .key = kKey}, {{"", 0}, {"  ", 0}, {"\t", 0}}, 1)), 0);
  EXPECT_EQ(rows_kept(kept({.rows = 1, .key = kKey}, {{"7", 0}, {" 7 ", 0}, {"7\t", 0}}, 1)), 1);
  EXPECT_EQ(rows_kept(kept({.rows = 3, .key = kKey}, {{std::string(kNoText), 0}}, 1)), 0);
  PersonRows people({.rows = 1}, 0, {"NA"});
  EXPECT_EQ(number_of(people, " NA "), PersonRows::kNobody);
}

// Each row has a group of its own, so that it is seen which are kept. Deterministic.
TEST(PersonRows, WhichRowsStayDependsOnThePersonAlone) {
  std::mt19937_64 random(7);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const PersonLimit limit{.rows = 1 + static_cast<std::int64_t>(random() % 3),
                            .groups = repeat % 2 == 0 ? std::nullopt : std::optional<std::int64_t>(2),
                            .key = kKey};
    std::vector<OfferedRow> others;
    for (std::uint32_t i = 0; i < 30; ++i) others.push_back({fmt::format("p{}", random() % 6), i});
    std::vector<OfferedRow> with = others;
    for (std::uint32_t i = 0; i < random() % 40; ++i)
      with.insert(with.begin() + static_cast<std::ptrdiff_t>(random() % (with.size() + 1)), {"changed", 30});
    std::vector<std::int64_t> before = kept(limit, others, 31), after = kept(limit, with, 31);
    EXPECT_LE(after.back(), limit.rows);
    before.back() = after.back() = 0;
    ASSERT_EQ(before, after);
  }
}

// 20,000 people with 12 rows each, of which 3 stay: each place is kept 5,000 times, with a standard
// deviation of 61; the first places of a reservoir without replacement would be kept always. Fixed
// key and names, so it does not fail by chance.
TEST(PersonRows, EveryRowOfAPersonHasTheSameChance) {
  std::vector<OfferedRow> rows;
  for (int person = 0; person < 20'000; ++person) {
    for (std::uint32_t place = 0; place < 12; ++place) rows.push_back({fmt::format("P-{}", person), place});
  }
  for (const std::int64_t count : kept({.rows = 3, .key = kKey}, rows, 12)) EXPECT_NEAR(static_cast<double>(count), 5000, 6 * 61.3);
  for (const std::int64_t count : kept({.rows = 1, .groups = 3, .key = kKey}, rows, 12))
    EXPECT_NEAR(static_cast<double>(count), 5000, 6 * 61.3);
}

// One person with many rows in many groups holds nobody up: a row is compared with the groups and
// with the rows of its own, not with all rows, which would take hours.
TEST(PersonRows, ManyRowsInManyGroupsAreReadSoon) {
  std::vector<OfferedRow> rows;
  for (std::uint32_t i = 0; i < 200'000; ++i) rows.push_back({"one", i % 1000});
  EXPECT_EQ(kept({.rows = 1000, .groups = 1000, .key = kKey}, rows, 1000), std::vector<std::int64_t>(1000, 200));
}

TEST(PersonRows, AnotherKeyKeepsOtherRows) {
  std::vector<OfferedRow> rows;
  for (std::uint32_t i = 0; i < 100; ++i) rows.push_back({"one", i});
  EXPECT_NE(kept({.rows = 5, .key = kKey}, rows, 100), kept({.rows = 5}, rows, 100));
  EXPECT_EQ(kept({.rows = 5, .key = kKey}, rows, 100), kept({.rows = 5, .key = kKey}, rows, 100));
}

// Any number of rows are asked for at once, with names that are new, known, repeated and nobody's.
TEST(PersonRows, NumbersOfManyRowsAreThoseOfEachAlone) {
  std::mt19937_64 random(11);
  PersonRows together({.rows = 1, .key = kKey}, 0), alone({.rows = 1, .key = kKey}, 0);
  std::vector<std::string> names{""};
  for (const std::size_t rows : {1U, 127U, 128U, 129U, 5000U, 2048U, 0U, 100'000U}) {
    std::vector<std::uint32_t> found(rows + 1, 7), expected;
    for (std::size_t i = 0; i < rows; ++i) {
      if (random() % 3 == 0) names.push_back(fmt::format("P-{}", names.size()));
      const std::string& name = names[random() % names.size()];
      together.note(name);
      expected.push_back(number_of(alone, name));
    }
    together.numbers(found.data());
    expected.push_back(7);  // nothing is written beyond the rows
    ASSERT_EQ(found, expected) << rows;
  }
}

TEST(PersonRows, CountsPeopleAndAddsTheirIntegers) {
  PersonRows people({.rows = 2, .key = kKey}, 2);
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (std::int32_t i = 0; i < 100'000; ++i) {
      const std::int32_t negative = -repeat;
      const std::uint32_t person = number_of(people, std::to_string(i));
      people.see(&person, 1);
      people.offer(person, static_cast<std::uint32_t>(i % 2), {&i, &negative}, 0);
    }
  }
  EXPECT_EQ(people.people(), 100'000);
  MomentSums sums({.columns = 2, .products = false, .groups = 2, .units = 1});
  people.add_to(sums);
  EXPECT_EQ(sums.totals().rows, (std::vector<std::int64_t>{100'000, 100'000}));
  EXPECT_EQ(sums.totals().numbers[0] + sums.totals().numbers[2], Int128{2} * 99'999 * 50'000);
  EXPECT_EQ(sums.totals().numbers[1] + sums.totals().numbers[3], Int128{-100'000});
  EXPECT_EQ(sums.totals().units, std::vector<std::int64_t>{100'000});
}

}  // namespace
}  // namespace tacet::data
