#include "tacet/exact/k_norm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/exact/uniform.h"

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::k_norm_test {
namespace {

using Vector = std::vector<Int128>;
using Draw = std::function<Vector(RandomBits&)>;

constexpr double kFalseAlarm = 1e-10;

int size_of(Int128 value) { return static_cast<int>(value < 0 ? -value : value); }
int radius_of(const Vector& z) {
  int radius = 0;
  for (const Int128 value : z) radius = std::max(radius, size_of(value));
  return radius;
}

/// Sums over the law, from its definition alone. The number of points within radius R is (2R+1)^d,
/// and summing by parts leaves sum over R of (2R+1)^d exp(-R/s) as the weight of everything, up to
/// a factor that cancels.
class Law {
 public:
  Law(std::size_t d, double s) : d_(static_cast<double>(d)), s_(s) {
    last_ = static_cast<int>(s * (60 + 2 * d_)) + 40;  // beyond it lies less than exp(-50) of the weight
    for (int r = 0; r <= last_; ++r) total_ += within(r) * decay(r);
  }
  /// P[z] for a point of radius r.
  double point(int r) const { return static_cast<double>(decay(r) / total_) * unit(); }
  double radius(int r) const {
    const long double shell = within(r) - (r == 0 ? 0 : within(r - 1));
    return static_cast<double>(shell * decay(r) / total_) * unit();
  }
  double radius_at_least(int r) const {
    double sum = 0;
    for (int k = r; k <= last_; ++k) sum += radius(k);
    return sum;
  }
  /// P[z_j = k], the same for every j.
  double coordinate(int k) const {
    long double sum = 0;
    for (int r = std::abs(k); r <= last_; ++r)
      sum += (std::pow(2.0L * r + 1, d_ - 1) - (r == std::abs(k) ? 0 : std::pow(2.0L * r - 1, d_ - 1))) * decay(r);
    return static_cast<double>(sum / total_) * unit();
  }
  /// E[z_j^2] and E[z_j^4]: sums of powers over -R, ..., R times (2R+1)^(d-1), summed by parts.
  double second_moment() const {
    long double sum = 0;
    for (int r = 1; r <= last_; ++r) sum += within(r) * decay(r) * r * (r + 1.0L) / 3;
    return static_cast<double>(sum / total_);
  }
  double fourth_moment() const {
    long double sum = 0;
    for (int r = 1; r <= last_; ++r) sum += within(r) * decay(r) * r * (r + 1.0L) * (3.0L * r * r + 3.0L * r - 1) / 15;
    return static_cast<double>(sum / total_);
  }
  int last() const { return last_; }

 private:
  long double within(int r) const { return std::pow(2.0L * r + 1, static_cast<long double>(d_)); }
  long double decay(int r) const { return std::exp(-static_cast<long double>(r) / s_); }
  /// The total of the weights N(r) exp(-r/s) is total_ (1 - exp(-1/s)).
  double unit() const { return 1 / -std::expm1(-1 / s_); }
  double d_, s_;
  int last_;
  long double total_ = 0;
};

std::string name_of(const Vector& z) {
  std::string name;
  for (const Int128 value : z) name += (name.empty() ? "" : ",") + to_string(value);
  return name;
}

/// Every point of the box of half-width `box` in turn, as an index into a table.
std::size_t index_of(const Vector& z, int box) {
  std::size_t index = 0;
  for (const Int128 value : z)
    index = index * static_cast<std::size_t>(2 * box + 1) + static_cast<std::size_t>(static_cast<int>(value) + box);
  return index;
}
Vector point_at(std::size_t index, std::size_t d, int box) {
  Vector z(d);
  for (std::size_t j = d; j-- > 0;) {
    z[j] = static_cast<int>(index % static_cast<std::size_t>(2 * box + 1)) - box;
    index /= static_cast<std::size_t>(2 * box + 1);
  }
  return z;
}

/// All points of a box one by one, the radii, and what lies beyond it.
test::Verdict judge_points(std::size_t d, double s, int box, const Draw& draw, std::uint64_t n, std::uint64_t stream) {
  const Law law(d, s);
  std::size_t points = 1;
  for (std::size_t j = 0; j < d; ++j) points *= static_cast<std::size_t>(2 * box + 1);
  std::vector<std::uint64_t> at(points);
  std::vector<std::uint64_t> radii(static_cast<std::size_t>(box) + 2);
  test::InsecureSeededBits bits(stream);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Vector z = draw(bits);
    const int radius = radius_of(z);
    ++radii[static_cast<std::size_t>(std::min(radius, box + 1))];
    if (radius <= box) ++at[index_of(z, box)];
  }
  std::vector<test::Event> events;
  for (std::size_t i = 0; i < points; ++i) {
    const Vector z = point_at(i, d, box);
    events.push_back({name_of(z), law.point(radius_of(z)), at[i]});
  }
  for (int r = 0; r <= box; ++r) events.push_back({fmt::format("radius {}", r), law.radius(r), radii[static_cast<std::size_t>(r)]});
  events.push_back({"beyond", law.radius_at_least(box + 1), radii.back()});
  return test::judge(events, n, kFalseAlarm);
}

struct Case {
  std::size_t d;
  std::uint64_t numerator, denominator;
  int box;
};

Draw sampler(const Case& c) {
  return [noise = *KNormNoise::of(c.d, c.numerator, c.denominator)](RandomBits& bits) { return noise.draw(bits); };
}
double scale(const Case& c) { return static_cast<double>(c.numerator) / static_cast<double>(c.denominator); }

std::uint64_t draws(std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<double>(n) / (test::coarseness() * test::coarseness()));
}

TEST(KNormNoise, OfZeroRadiusIsTheOriginInAReplayedScript) {
  // d = 1, s = 1. The geometric variable: u = 0 (one word), the coin exp(-0) (one word), the coin
  // exp(-1) falls tails at k = 2 (four words, the last one decides). Then the radius 0 is accepted
  // with probability 1/2: the low bit of a word.
  const auto noise = *KNormNoise::of(1, 1, 1);
  const std::uint64_t half = std::uint64_t{1} << 63U;
  test::ScriptedBits accepted({0, 0, 0, 0, 0, half, 0});
  EXPECT_EQ(noise.draw(accepted), Vector{0});
  EXPECT_EQ(accepted.unused(), 0U);
  test::ScriptedBits refused_once({0, 0, 0, 0, 0, half, 1, 0, 0, 0, 0, 0, half, 0});
  EXPECT_EQ(noise.draw(refused_once), Vector{0});
  EXPECT_EQ(refused_once.unused(), 0U);
}

TEST(KNormNoise, HasTheSignOfTheLastWordInAReplayedScript) {
  // The coin exp(-1) falls heads (stops at k = 3, as uniform_below(3) = 2: six words, and one for
  // what is left of 1/1), then tails: radius 1, where both of the bound's two numbers are accepted.
  const auto noise = *KNormNoise::of(1, 1, 1);
  const std::uint64_t ones = ~std::uint64_t{0};
  for (const bool negative : {false, true}) {
    test::ScriptedBits bits({0, 0, 0, 0, 0, 0, 0, ones, 0, 0, 0, 0, ones, 0, negative ? ones : 0});
    EXPECT_EQ(noise.draw(bits), Vector{negative ? -1 : 1});
    EXPECT_EQ(bits.unused(), 0U);
  }
}

TEST(KNormNoise, GivesEveryPointItsProbability) {
  std::uint64_t stream = 510;
  for (const Case& c : {Case{1, 1, 2, 4}, Case{1, 7, 3, 12}, Case{2, 1, 1, 6}, Case{2, 5, 2, 8}, Case{3, 3, 2, 5}, Case{4, 1, 1, 3}}) {
    test::declare_false_alarm(fmt::format("KNormNoise.GivesEveryPointItsProbability/{}/{:.3g}", c.d, scale(c)), kFalseAlarm);
    const test::Verdict verdict = judge_points(c.d, scale(c), c.box, sampler(c), draws(400'000), stream++);
    EXPECT_FALSE(verdict.red) << c.d << " " << scale(c) << ": " << verdict.worst;
  }
}

/// What the test above sees: the scale wrong by 5 %, radii that are never refused, a face chosen
/// without regard to those before it.
TEST(KNormNoise, TheSameJudgeSeesPlantedFaults) {
  test::declare_false_alarm("KNormNoise.TheSameJudgeSeesPlantedFaults", 3e-10);
  const std::uint64_t n = draws(400'000);
  const double s = 2.5;
  // The radii alone: how often each fault is overlooked, by the one that tells most.
  const Law law(2, s);
  const Law small(2, 0.95 * s);
  const std::uint64_t events = 17 * 17 + 10;
  const double scale_missed = test::chance_to_miss(law.radius_at_least(9), small.radius_at_least(9), n, events, kFalseAlarm);
  EXPECT_LT(scale_missed, test::coarseness() == 1 ? 1e-10 : 1);
  EXPECT_LT(test::chance_to_miss(law.radius(0), std::pow(1 - std::exp(-1 / s), 2), n, events, kFalseAlarm), 1e-10);

  if (test::coarseness() == 1) {
    EXPECT_TRUE(judge_points(2, s, 8, sampler({2, 95, 40, 8}), n, 520).red);
  }
  const Draw never_refused = [&](RandomBits& bits) {
    Int128 r = 0;
    const auto geometric = *KNormNoise::of(1, 5, 2);
    for (int j = 0; j < 2; ++j) r += size_of(geometric.draw(bits).front());  // close to geometric: enough to be wrong
    const Int128 other = static_cast<Int128>(uniform_below(static_cast<std::uint64_t>(2 * r + 1), bits)) - r;
    const bool sign = uniform_below(std::uint64_t{2}, bits) == 0;
    return uniform_below(std::uint64_t{2}, bits) == 0 ? Vector{sign ? r : -r, other} : Vector{other, sign ? r : -r};
  };
  EXPECT_TRUE(judge_points(2, s, 8, never_refused, n, 521).red);
  // The right radius, but both faces drawn alike: corners come twice as often as they should.
  const Draw careless_face = [noise = sampler({2, 5, 2, 8})](RandomBits& bits) {
    const Int128 r = radius_of(noise(bits));
    const Int128 other = static_cast<Int128>(uniform_below(static_cast<std::uint64_t>(2 * r + 1), bits)) - r;
    const bool sign = uniform_below(std::uint64_t{2}, bits) == 0;
    return uniform_below(std::uint64_t{2}, bits) == 0 ? Vector{sign ? r : -r, other} : Vector{other, sign ? r : -r};
  };
  EXPECT_TRUE(judge_points(2, s, 8, careless_face, n, 522).red);
}

TEST(KNormNoise, HasTheSameMarginInEveryCoordinateAndTheRadiusOfItsLaw) {
  std::uint64_t stream = 530;
  for (const Case& c : {Case{5, 3, 1, 20}, Case{8, 4, 1, 30}, Case{16, 8, 1, 40}, Case{64, 32, 1, 60}}) {
    test::declare_false_alarm(fmt::format("KNormNoise.HasTheSameMarginInEveryCoordinate/{}", c.d), kFalseAlarm);
    const Law law(c.d, scale(c));
    const std::uint64_t n = draws(c.d > 20 ? 20'000 : 60'000);
    const auto cells = static_cast<std::size_t>(2 * c.box + 1);
    std::vector<std::vector<std::uint64_t>> margins(c.d, std::vector<std::uint64_t>(cells + 1));
    std::vector<std::uint64_t> radii(static_cast<std::size_t>(law.last()) + 1);
    test::InsecureSeededBits bits(stream++);
    const Draw draw = sampler(c);
    for (std::uint64_t i = 0; i < n; ++i) {
      const Vector z = draw(bits);
      ++radii[static_cast<std::size_t>(std::min(radius_of(z), law.last()))];
      for (std::size_t j = 0; j < c.d; ++j)
        ++margins[j][size_of(z[j]) > c.box ? cells : static_cast<std::size_t>(static_cast<int>(z[j]) + c.box)];
    }
    std::vector<double> margin;
    for (int k = -c.box; k <= c.box; ++k) margin.push_back(law.coordinate(k));
    margin.push_back(1 - std::accumulate(margin.begin(), margin.end(), 0.0));
    std::vector<test::Event> events;
    for (std::size_t j = 0; j < c.d; ++j) {
      for (std::size_t k = 0; k <= cells; ++k)
        events.push_back({fmt::format("z_{} in cell {}", j, static_cast<int>(k) - c.box), margin[k], margins[j][k]});
    }
    for (int r = 0; r <= law.last(); ++r) {
      if (law.radius(r) > 1e-5) events.push_back({fmt::format("radius {}", r), law.radius(r), radii[static_cast<std::size_t>(r)]});
    }
    const test::Verdict verdict = test::judge(events, n, kFalseAlarm);
    EXPECT_FALSE(verdict.red) << c.d << ": " << verdict.worst;
  }
}

/// Bernstein's inequality: the mean of n independent variables in [0, most] of variance v at most
/// is off by this with probability `alarm` at most: 2 exp(-n t^2/(2 (v + most t/3))).
double bernstein(double v, double most, double n, double alarm) {
  const double level = std::log(2 / alarm);
  const double linear = level * most / (3 * n);
  return linear + std::sqrt(linear * linear + 2 * level * v / n);
}

/// Sees a variance wrong by 5 to 15 %, as a scale or a dimension that is off would make it.
TEST(KNormNoise, HasTheVarianceOfItsLawInLargeDimensions) {
  std::uint64_t stream = 540;
  for (const Case& c : {Case{1, 1024, 1, 0}, Case{10, 1024, 1, 0}, Case{30, 1500, 1, 0}, Case{64, 1024, 1, 0}}) {
    test::declare_false_alarm(fmt::format("KNormNoise.HasTheVarianceOfItsLaw/{}", c.d), 1e-10);
    const Law law(c.d, scale(c));
    const auto d = static_cast<double>(c.d);
    const double variance = law.second_moment();
    EXPECT_NEAR(variance / ((d + 1) * (d + 2) / 3 * scale(c) * scale(c)), 1, 1e-5);
    // Bernstein's bound has a part that falls with 1/n, so that a build with sanitizers spares less
    // here.
    const auto n = static_cast<std::uint64_t>((c.d > 20 ? 20'000 : 100'000) / test::coarseness());
    const double largest = std::pow(scale(c) * (30 + 2 * d), 2);  // beyond it: 1e-11 or less, so that cutting changes nothing
    test::InsecureSeededBits bits(stream++);
    const Draw draw = sampler(c);
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      double squares = 0;
      for (const Int128 value : draw(bits)) squares += static_cast<double>(value) * static_cast<double>(value);
      sum += std::min(squares / d, largest);
    }
    const double margin = bernstein(law.fourth_moment() - variance * variance, largest, static_cast<double>(n), 9e-11);
    EXPECT_LT(margin / variance, 0.15 * test::coarseness());
    EXPECT_NEAR(sum / static_cast<double>(n) / variance, 1, margin / variance) << c.d;
  }
}

TEST(KNormNoise, ServesScalesFarBeyondSixtyFourBits) {
  // The radius of d = 2 over s is close to a gamma variable of shape 2: 1 - (1 + x) exp(-x) of it
  // lies below x.
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  std::uint64_t stream = 550;
  for (const int log2 : {30, 60, 64, 100}) {
    test::declare_false_alarm(fmt::format("KNormNoise.ServesScalesFarBeyondSixtyFourBits/{}", log2), promise.false_alarm);
    const auto noise = *KNormNoise::of(2, UInt128{1} << static_cast<unsigned>(log2), 1);
    test::InsecureSeededBits bits(stream++);
    std::uint64_t below = 0;
    for (std::uint64_t i = 0; i < plan.n; ++i) {
      const Vector z = noise.draw(bits);
      const double radius = std::ldexp(std::max(std::fabs(static_cast<double>(z[0])), std::fabs(static_cast<double>(z[1]))), -log2);
      below += radius < 2 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(plan.n), 1 - 3 * std::exp(-2.0), plan.threshold) << log2;
  }
}

TEST(KNormNoise, AFractionAndItsMultipleHaveTheSameLaw) {
  test::declare_false_alarm("KNormNoise.AFractionAndItsMultipleHaveTheSameLaw", kFalseAlarm);
  const test::Verdict verdict = judge_points(2, 1.5, 6, sampler({2, 3'000'000'000'000, 2'000'000'000'000, 6}), draws(400'000), 560);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(KNormNoise, RefusesWhatIsOutsideItsDomain) {
  EXPECT_EQ(KNormNoise::of(0, 1, 1).error().name(), "coordinates");
  EXPECT_EQ(KNormNoise::of(1025, 1 << 20, 1).error().name(), "coordinates");
  EXPECT_EQ(KNormNoise::of(1, 0, 1).error().name(), "noise scale");
  EXPECT_EQ(KNormNoise::of(1, 1, 0).error().name(), "noise scale");
  EXPECT_EQ(KNormNoise::of(1, 1, 3).error().name(), "noise scale");
  EXPECT_EQ(KNormNoise::of(64, 1, 1).error().name(), "noise scale");
  EXPECT_EQ(KNormNoise::of(2, (UInt128{1} << 100U) + 1, 1).error().name(), "noise scale");
  EXPECT_TRUE(KNormNoise::of(1024, UInt128{1} << 100U, 1).ok());
  EXPECT_EQ(KNormNoise::of(1, UInt128{1} << 113U, std::uint64_t{1} << 60U).error().name(), "noise scale");
  EXPECT_EQ(KNormNoise::of(1, 1, 3).error().message(),
            "noise scale is 1/3, but must lie between 1/2 and 2^100, with a numerator of at most 2^112, and be at least a part in 32 of "
            "the number "
            "of coordinates; measure in smaller or larger units");
}

TEST(KNormNoise, PassesAFailureOfItsBitsOn) {
  const auto noise = *KNormNoise::of(3, 1024, 1);
  test::FailingBits bits(5);
  EXPECT_THROW((void)noise.draw(bits), EntropyFailure);
}

}  // namespace
}  // namespace tacet::exact::k_norm_test
