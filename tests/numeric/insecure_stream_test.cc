#include "tacet/numeric/insecure_stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/numeric/normal.h"
#include "tacet/numeric/vector_math.h"

#include "support/promise.h"

namespace tacet::numeric::insecure_stream_test {
namespace {

using Four = std::array<std::uint32_t, 4>;

TEST(Philox, GivesTheKnownAnswersOfItsAuthors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(InsecureStream, HasTheSameWordsWhateverTheProcessorHas) {
  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    InsecureStream fast(0xFEDCBA9876543210, index);
    InsecureStream plain(0xFEDCBA9876543210, index, StreamCode::Portable);
    InsecureStream avx2(0xFEDCBA9876543210, index, StreamCode::Avx2);
    std::vector<std::uint64_t> a(1003);
    std::vector<std::uint64_t> b(1003);
    fast.fill_words(a);
    plain.fill_words(b);
    EXPECT_EQ(a, b);
    avx2.fill_words(a);
    EXPECT_EQ(a, b);
    EXPECT_EQ(fast.word(), plain.word());
    std::vector<double> x(517);
    std::vector<double> y(517);
    fast.fill_normal(x);
    plain.fill_normal(y);
    EXPECT_EQ(x, y);
  }
}

TEST(InsecureStream, IsTheBijectionOfItsCounter) {
  InsecureStream stream(5, 9);
  std::vector<std::uint64_t> words(16);
  stream.fill_words(words);
  for (std::uint32_t block = 0; block < 8; ++block) {
    const Four four = philox({block, 0, 9, 0}, {5, 0});
    EXPECT_EQ(words[block], four[0] | (std::uint64_t{four[1]} << 32));
    EXPECT_EQ(words[8 + block], four[2] | (std::uint64_t{four[3]} << 32));
  }
}

TEST(InsecureStream, StreamsAndSeedsDifferAndRepeat) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t index = 0; index < 10; ++index) {
      InsecureStream stream(seed, index);
      InsecureStream again(seed, index);
      for (int i = 0; i < 100; ++i) {
        const std::uint64_t word = stream.word();
        EXPECT_EQ(word, again.word());
        EXPECT_TRUE(seen.insert(word).second);
      }
    }
  }
}

TEST(VectorMath, ExponentialAndLogarithmNearOneAgreeWithTheLibrary) {
  for (double x = -699; x < 699; x += 0.1037) EXPECT_NEAR(branchless_exp(x) / std::exp(x), 1, 1e-15) << x;
  for (double t = 1e-18; t < 0.99; t *= 1.37) {
    EXPECT_NEAR(branchless_log1p(-t) / std::log1p(-t), 1, 1e-15) << t;
    EXPECT_NEAR(branchless_log1p(t) / std::log1p(t), 1, 1e-15) << t;
  }
}

TEST(PortableLog, AgreesWithTheLibraryToTwoUlp) {
  InsecureStream stream(3, 0);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::ldexp(1 + stream.uniform(), static_cast<int>(stream.word() % 2000) - 1000);
    EXPECT_NEAR(portable_log(x), std::log(x), 2 * 0x1p-52 * std::abs(std::log(x)));
  }
  for (double u = 0x1p-53; u < 1; u = std::nextafter(u * 1.37, 1))
    EXPECT_NEAR(portable_log(u), std::log(u), 2 * 0x1p-52 * std::abs(std::log(u)));
}

using Fill = std::function<void(InsecureStream&, std::span<double>)>;

/// The upper tail at 81 points.
std::vector<test::Event> census(const Fill& fill, const std::function<double(double)>& upper, double farthest, std::uint64_t draws) {
  std::vector<test::Event> events;
  for (int i = -40; i <= 40; ++i) events.push_back({"above " + std::to_string(farthest * i / 40), upper(farthest * i / 40)});
  InsecureStream stream(test::suite_seed(), 77);
  std::vector<double> values(256);
  std::vector<std::uint64_t> bins(events.size() + 1);
  for (std::uint64_t done = 0; done < draws; done += values.size()) {
    fill(stream, values);
    for (const double x : values) ++bins[static_cast<std::size_t>(std::clamp(std::floor(x * 40 / farthest) + 41, 0.0, 81.0))];
  }
  std::uint64_t above = 0;
  for (std::size_t i = events.size(); i-- > 0;) events[i].count = above += bins[i + 1];
  return events;
}

std::uint64_t draws() { return static_cast<std::uint64_t>(4e6 / (test::coarseness() * test::coarseness())) / 256 * 256; }

double gaussian_upper(double x) { return normal_upper(x); }
double laplace_upper(double x) { return x < 0 ? 1 - 0.5 * std::exp(x) : 0.5 * std::exp(-x); }

// 2 million draws see a tail of 1/2 that is wrong by 0.2 per cent, and one of 1e-4 that is wrong by
// half.
TEST(InsecureStream, NormalsFollowTheNormalLawIntoTheTails) {
  test::declare_false_alarm("normals for simulation", 1e-10);
  const auto events = census([](InsecureStream& s, std::span<double> v) { s.fill_normal(v); }, gaussian_upper, 5, draws());
  const test::Verdict verdict = test::judge(events, draws(), 1e-10);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(InsecureStream, LaplaceValuesFollowTheirLawIntoTheTails) {
  test::declare_false_alarm("Laplace values for simulation", 1e-10);
  const auto events = census([](InsecureStream& s, std::span<double> v) { s.fill_laplace(v); }, laplace_upper, 14, draws());
  const test::Verdict verdict = test::judge(events, draws(), 1e-10);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(InsecureStream, CensusCatchesNormalsThatAreOnePerCentTooWide) {
  test::declare_false_alarm("normals one per cent too wide are caught", 1e-9);
  const auto wide = [](InsecureStream& s, std::span<double> v) {
    s.fill_normal(v);
    for (double& x : v) x *= 1 + 0.01 * test::coarseness();
  };
  EXPECT_TRUE(test::judge(census(wide, gaussian_upper, 5, draws()), draws(), 1e-10).red);
}

// Box and Muller give two normals for a pair of words, 128 apart: together they must be uniform
// over the four quadrants and, seen by their order, over the eight octants. Would catch a sign or a
// swap that is wrong once in 500.
TEST(InsecureStream, NormalsOfAPairAreIndependent) {
  test::declare_false_alarm("pairs of normals", 1e-10);
  InsecureStream stream(test::suite_seed(), 78);
  std::vector<double> values(256);
  std::vector<test::Event> octants(8);
  for (std::size_t i = 0; i < 8; ++i) octants[i] = {"octant " + std::to_string(i), 0.125};
  const std::uint64_t pairs = draws() / 2;
  for (std::uint64_t done = 0; done < pairs; done += 128) {
    stream.fill_normal(values);
    for (std::size_t i = 0; i < 128; ++i) {
      const double x = values[i];
      const double y = values[128 + i];
      ++octants[(x > 0 ? 1U : 0U) + (y > 0 ? 2U : 0U) + (std::abs(x) > std::abs(y) ? 4U : 0U)].count;
    }
  }
  const test::Verdict verdict = test::judge(octants, pairs, 1e-10);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(InsecureStream, UniformsLieStrictlyBetweenZeroAndOne) {
  InsecureStream stream(1, 1);
  std::vector<double> values(10'001);
  stream.fill_uniform(values);
  for (const double u : values) EXPECT_TRUE(u > 0 && u < 1);
}

}  // namespace
}  // namespace tacet::numeric::insecure_stream_test
