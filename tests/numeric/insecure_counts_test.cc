#include "tacet/numeric/insecure_counts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::numeric::insecure_counts_test {
namespace {

struct Law {
  double n, p;
};

// Both methods, the border between them (a mean of 10), mirrored laws, and counts that only
// differences can tell apart.
const std::vector<Law> kLaws = {{1, 0.5},      {5, 0.3},     {1000, 0.002}, {1000, 0.0099}, {1000, 0.01}, {40, 0.25},
                                {20, 0.5},     {23, 0.5},    {100, 0.47},   {300, 0.09},    {1000, 0.3},  {1000, 0.93},
                                {20000, 0.06}, {1e6, 0.013}, {1e9, 0.37},   {1e12, 0.5}};

/// The counts of each value within nine standard deviations, or of 60 windows where there are more,
/// and the tail at each.
class Census {
 public:
  explicit Census(Law law) : law_(law), exact_(law.n, law.p) {
    const double sd = std::sqrt(law.n * law.p * (1 - law.p));
    width_ = std::max(1.0, std::floor(sd / 8));
    first_ = std::max(0.0, std::floor(law.n * law.p - 5 * sd) - 2);
    bins_.resize(static_cast<std::size_t>(std::min(10 * sd + 4, law.n) / width_) + 2);
  }
  void count(double k) {
    ++size_;
    ++bins_[static_cast<std::size_t>(std::clamp(std::floor((k - first_) / width_) + 1, 0.0, static_cast<double>(bins_.size()) - 1))];
  }
  test::Verdict judge(double false_alarm) const {
    std::vector<test::Event> events;
    std::uint64_t above = 0;
    for (std::size_t i = bins_.size(); i-- > 1;) {
      const double from = first_ + (static_cast<double>(i) - 1) * width_;
      const double to = i + 1 == bins_.size() ? law_.n : from + width_ - 1;
      above += bins_[i];
      const double upper = from < 1 ? 1.0 : cdf(complement(exact_, std::min(from, law_.n + 1) - 1));
      const double beyond = to >= law_.n ? 0.0 : cdf(complement(exact_, to));
      events.push_back({"from " + std::to_string(from), std::clamp(upper, 0.0, 1.0), above});
      events.push_back(
          {"in " + std::to_string(from), width_ == 1 && to == from ? pdf(exact_, std::min(from, law_.n)) : upper - beyond, bins_[i]});
    }
    std::erase_if(events, [](const test::Event& e) { return e.probability <= 0 || e.probability >= 1; });
    return test::judge(events, size_, false_alarm);
  }

 private:
  Law law_;
  boost::math::binomial exact_;
  double width_, first_;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> bins_;
};

std::uint64_t draws() { return static_cast<std::uint64_t>(1e6 / (test::coarseness() * test::coarseness())) / 256 * 256; }

// A million draws see a probability of 0.05 that is wrong by three per cent.
TEST(DrawBinomial, FollowsTheExactLaw) {
  test::declare_false_alarm("binomials for simulation", 1e-10 * static_cast<double>(kLaws.size()));
  for (const Law& law : kLaws) {
    InsecureStream stream(test::suite_seed(), 11);
    Census census(law);
    for (std::uint64_t i = 0; i < draws(); ++i) {
      const double k = draw_binomial(stream, law.n, law.p);
      ASSERT_TRUE(k >= 0 && k <= law.n && k == std::floor(k));
      census.count(k);
    }
    const test::Verdict verdict = census.judge(1e-10);
    EXPECT_FALSE(verdict.red) << law.n << ", " << law.p << ": " << verdict.worst;
  }
}

TEST(DrawMultinomials, EachCellFollowsItsBinomialLaw) {
  test::declare_false_alarm("multinomials for simulation", 1e-10 * 4 * 3);
  const std::vector<double> p = {0.6, 0.003, 0.097, 0.3};
  for (const double n : {30.0, 1500.0, 1e6}) {
    InsecureStream stream(test::suite_seed(), 12);
    std::vector<Census> censuses;
    for (const double success : p) censuses.emplace_back(Law{n, success});
    std::vector<double> tables(4 * 256);
    for (std::uint64_t done = 0; done < draws(); done += 256) {
      draw_multinomials(stream, n, p, 256, tables);
      for (std::size_t cell = 0; cell < 4; ++cell) {
        for (std::size_t t = 0; t < 256; ++t) censuses[cell].count(tables[cell * 256 + t]);
      }
    }
    for (std::size_t cell = 0; cell < 4; ++cell) {
      const test::Verdict verdict = censuses[cell].judge(1e-10);
      EXPECT_FALSE(verdict.red) << n << ", cell " << cell << ": " << verdict.worst;
    }
  }
}

TEST(DrawMultinomials, NobodyIsInCellsOfProbabilityZero) {
  const std::vector<double> with_zeros = {0, 0.2, 0, 0.35, 0.45, 0, 0};
  const std::vector<double> without = {0.2, 0.35, 0.45};
  constexpr std::size_t kTables = 5;
  std::vector<double> tables(with_zeros.size() * kTables);
  std::vector<double> same(without.size() * kTables);
  InsecureStream stream(3, 1);
  draw_multinomials(stream, 500, with_zeros, kTables, tables);
  InsecureStream again(3, 1);
  draw_multinomials(again, 500, without, kTables, same);
  for (std::size_t t = 0; t < kTables; ++t) {
    for (const std::size_t zero : {0U, 2U, 5U, 6U}) EXPECT_EQ(tables[zero * kTables + t], 0);
    EXPECT_EQ(tables[1 * kTables + t], same[t]);
    EXPECT_EQ(tables[3 * kTables + t], same[kTables + t]);
    EXPECT_EQ(tables[4 * kTables + t], same[2 * kTables + t]);
  }
}

// The sum of two cells is binomial too, which independent cells would not give.
TEST(DrawMultinomials, TwoCellsTogetherAreBinomial) {
  test::declare_false_alarm("two cells of multinomials", 1e-10);
  const std::vector<double> p = {0.2, 0.35, 0.45};
  InsecureStream stream(test::suite_seed(), 13);
  Census census(Law{700, 0.55});
  std::vector<double> tables(3 * 100);
  for (std::uint64_t done = 0; done < draws(); done += 100) {
    draw_multinomials(stream, 700, p, 100, tables);
    for (std::size_t t = 0; t < 100; ++t) {
      census.count(tables[t] + tables[100 + t]);
      EXPECT_EQ(tables[t] + tables[100 + t] + tables[200 + t], 700);
    }
  }
  const test::Verdict verdict = census.judge(1e-10);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(DrawBinomial, CensusCatchesAProbabilityThatIsAHundredthOff) {
  test::declare_false_alarm("binomial one per cent off is caught", 1e-9);
  InsecureStream stream(test::suite_seed(), 14);
  Census census(Law{1000, 0.3});
  for (std::uint64_t i = 0; i < draws(); ++i) census.count(draw_binomial(stream, 1000, 0.3 * (1 + 0.01 * test::coarseness())));
  EXPECT_TRUE(census.judge(1e-10).red);
}

TEST(DrawMultinomials, OfNobodyAreEmptyAndOfOneCellAreFull) {
  InsecureStream stream(1, 0);
  std::vector<double> tables(3 * 5, -1.0);
  draw_multinomials(stream, 0, std::vector{0.2, 0.3, 0.5}, 5, tables);
  EXPECT_EQ(tables, std::vector<double>(15, 0.0));
  draw_multinomials(stream, 42, std::vector{1.0}, 15, tables);
  EXPECT_EQ(tables, std::vector<double>(15, 42.0));
}

}  // namespace
}  // namespace tacet::numeric::insecure_counts_test
