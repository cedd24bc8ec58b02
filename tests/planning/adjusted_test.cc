// The gains of adjusted queries, against independent values for the blood tests of Adjusted,
// section 4.
#include "tacet/planning/adjusted.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"

namespace tacet::planning::adjusted_test {
namespace {

const std::vector<double> kBlood = {1600, -160, -400, 840,  800, -40, -160, 400,  160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0,
                                    840,  -175, 280,  1225, 700, -35, 800,  -200, 600, 700,  2500, -50, -40,  0,   0,    -35, -50, 100};

AdjustedQuestion question(std::vector<double> eta) {
  return {.covariance = {6, 6, kBlood}, .eta = std::move(eta), .n = 50, .epsilon = 1, .delta = 0.02, .gamma = 1e-4, .alpha = 0.05};
}

TEST(PlanAdjusted, AgreesWithIndependentValues) {
  struct Row {
    std::vector<double> eta;
    double n, epsilon, delta, gamma;
    std::array<double, 9> expected;
  };
  const std::vector<Row> rows = {
      {{10, 5, 10, 8.75, 12.5, 2.5},
       50,
       0.5,
       0.02,
       0.0001,
       {2.820903088031014, 23.78157017984197, 18.371242345825944, 0.1277111614253681, 0.21686937855944255, 0.287009770456355,
        0.3884501323064794, 0.034573983805209374, 0.007957301135033765}},
      {{10, 5, 10, 8.75, 12.5, 2.5},
       50,
       2.946597595973204,
       0.02,
       0.0001,
       {0.8079597791409728, 6.811489650834616, 5.2618698498569705, 0.4963958527252498, 0.6998693645961122, 0.7912560761218275,
        0.9363334812905553, 0.0952394886749606, 0.033374374978400775}},
      {{10, 5, 10, 8.75, 12.5, 2.5},
       50,
       0.5,
       0.0004,
       1e-06,
       {6.35957132138369, 53.61424585442326, 43.67896830323372, 0.0763596333712131, 0.10616983179984663, 0.12319151035051801,
        0.15579472033591024, 0.022409213984331215, 0.006636595193125101}},
      {{10, 5, 10, 8.75, 12.5, 2.5},
       50,
       2.0,
       0.0004,
       1e-06,
       {1.935267780096088, 16.31523845126724, 13.291855025016796, 0.17151039047013816, 0.3269170009118971, 0.40660986866792304,
        0.5892966729838416, 0.030328964496858013, 0.009957475959715197}},
      {{0, 0, 20, 0, 25, 5},
       50,
       0.5,
       0.0004,
       1e-06,
       {6.35957132138369, 53.61424585442326, 43.67896830323372, 0.08946813767663797, 0.1477874136728864, 0.1805981251683937,
        0.24244375267077323, 0.022409213984331215, 0.006636595193125101}},
      {{0, 0, 20, 0, 25, 5},
       50,
       2.0,
       0.0004,
       1e-06,
       {1.935267780096088, 16.31523845126724, 13.291855025016796, 0.2520900276052854, 0.568187228409698, 0.6916075051778179,
        0.8753422317863715, 0.030328964496858013, 0.009957475959715197}},
      {{0, 0, 20, 0, 25, 5},
       100,
       0.5,
       0.0001,
       1e-06,
       {5.15552067974536, 30.733349494193135, 25.03814008787957, 0.13126869819787157, 0.27259279015738935, 0.3530311222497816,
        0.4983359609862694, 0.0228128937726796, 0.006800051767240667}},
      {{0, 0, 20, 0, 25, 5},
       100,
       3.2547345728367807,
       0.0001,
       1e-06,
       {0.9982075057956249, 5.950564850582467, 4.847863275008369, 0.8272767128352307, 0.9942793936865058, 0.9988218299614022,
        0.9999957699770216, 0.05718634284247189, 0.02263620657131377}},
  };
  for (const Row& row : rows) {
    AdjustedQuestion asked = question(row.eta);
    asked.n = row.n;
    asked.epsilon = row.epsilon;
    asked.delta = row.delta;
    asked.gamma = row.gamma;
    const auto plan = plan_adjusted(asked);
    ASSERT_TRUE(plan.ok());
    const std::array<double, 9> found = {plan->sigma_g,
                                         plan->sigma_fg,
                                         plan->sigma_f,
                                         plan->naive_Hf,
                                         plan->opt_Hg,
                                         plan->opt_Hf,
                                         plan->adjusted,
                                         plan->vol_ratio_g_over_f,
                                         plan->vol_ratio_g_over_fg};
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], row.expected[i], 1e-9 * row.expected[i]) << i;
  }
}

TEST(PlanAdjusted, OrdersTheAnalysesAsThePaperProves) {
  const AdjustedPlan plan = *plan_adjusted(question({10, 5, 10, 8.75, 12.5, 2.5}));
  EXPECT_GE(plan.adjusted, plan.opt_Hg);  // Theorem 3.4
  EXPECT_GE(plan.opt_Hf, plan.opt_Hg);    // section 3.3
  EXPECT_GE(plan.opt_Hf, plan.naive_Hf);
  EXPECT_LE(plan.vol_ratio_g_over_fg, 1);     // Theorem 3.3
  EXPECT_GT(plan.super_naive_Hf_level, 0.3);  // forgets the noise: not offered as a test
}

TEST(PlanAdjusted, RefusesWhatIsNoQuestion) {
  const std::vector<double> eta = {10, 5, 10, 8.75, 12.5, 2.5};
  const auto refused = [&](auto change) {
    AdjustedQuestion asked = question(eta);
    change(asked);
    return plan_adjusted(asked).error();
  };
  EXPECT_EQ(refused([](auto& q) { q.covariance.values[1] = 7; }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.values[0] = -1600; }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.values.assign(36, 1.0); }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.values.pop_back(); }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.covariance.values[0] = std::nan(""); }).name(), "covariance");
  EXPECT_EQ(refused([](auto& q) { q.eta.pop_back(); }).name(), "eta");
  EXPECT_EQ(refused([](auto& q) { q.eta.assign(6, 0); }).name(), "eta");
  EXPECT_EQ(refused([](auto& q) { q.n = 0; }).message(),
            "n is 0, but must be a finite number, at least 1 and at most 1e15; for example: n = 50");
  EXPECT_EQ(refused([](auto& q) { q.gamma = 0; }).message(),
            "gamma is 0, but must be a finite number, at least 1e-12 and at most 0.5; for example: gamma = 0.0001");
  EXPECT_EQ(refused([](auto& q) { q.alpha = 0.9; }).message(),
            "alpha is 0.9, but must be at least 1e-9 and at most 0.5; for example: alpha = 0.05");
  EXPECT_EQ(refused([](auto& q) { q.epsilon = 0; }).name(), "epsilon");
}

TEST(PlanAdjusted, TrimmingNeedsMoreNoiseAndGivesDifferentialPrivacy) {
  const AdjustedPlan plan = *plan_adjusted(question({10, 5, 10, 8.75, 12.5, 2.5}));
  // Independent values: trimmed .456, at 4 epsilon .912, random differential privacy .650.
  EXPECT_NEAR(plan.trimmed, 0.45577319804905025, 1e-9);
  EXPECT_NEAR(plan.trimmed_4_epsilon, 0.912, 5e-4);
  EXPECT_NEAR(plan.adjusted, 0.650, 5e-4);
  // One row in 10,000 is longer, so trimming hardly moves the mean; removal moves it more.
  EXPECT_NEAR(plan.clipped, plan.trimmed, 1e-3);
  EXPECT_NEAR(plan.removed, plan.trimmed, 5e-3);
  AdjustedQuestion often = question({10, 5, 10, 8.75, 12.5, 2.5});
  often.gamma = 0.2;
  EXPECT_LT(plan_adjusted(often)->removed, plan_adjusted(often)->clipped - 0.01);
}

TEST(PlanAdjusted, ClippedAndRemovedRowsAreAsSimulated) {
  AdjustedQuestion two{.covariance = {2, 2, {1, 0, 0, 1}}, .eta = {0.8, 0}, .n = 50, .epsilon = 2, .delta = 0.02, .gamma = 0.2};
  const AdjustedPlan plan = *plan_adjusted(two);
  const double length = std::sqrt(-2 * std::log(0.2));  // chi-square with 2 degrees of freedom
  EXPECT_NEAR(plan.D_g, length * std::sqrt(2 / 50.0), 1e-9);
  const double noise = plan.sigma_g / plan.D_g * 2 * length / 50;
  numeric::InsecureStream stream(13, 0);
  constexpr int kRows = 400'000;
  struct Sums {
    double one = 0, square = 0;
  } sums[2][2];  // null and alternative, clipped and removed
  for (int i = 0; i < kRows; ++i) {
    const double x = numeric::normal_upper_quantile(stream.uniform());
    const double y = numeric::normal_upper_quantile(stream.uniform());
    for (const int truth : {0, 1}) {
      const double long_by = std::hypot(x + 0.8 * truth, y) / length;
      const double clipped = (x + 0.8 * truth) / std::max(1.0, long_by);
      const double removed = long_by > 1 ? 0 : x + 0.8 * truth;
      sums[truth][0].one += clipped, sums[truth][0].square += clipped * clipped;
      sums[truth][1].one += removed, sums[truth][1].square += removed * removed;
    }
  }
  const auto power = [&](int how) {
    const auto mean = [&](int truth) { return sums[truth][how].one / kRows; };
    const auto sd = [&](int truth) {
      return std::sqrt((sums[truth][how].square / kRows - mean(truth) * mean(truth)) / 50 + noise * noise);
    };
    return numeric::normal_lower((mean(1) - mean(0) - 1.6448536269514722 * sd(0)) / sd(1));
  };
  // With a fixed seed; the means have standard errors of 0.002.
  EXPECT_NEAR(plan.clipped, power(0), 0.01);
  EXPECT_NEAR(plan.removed, power(1), 0.01);
}

TEST(PlanAdjusted, CurvesAreItsValues) {
  const AdjustedQuestion asked = question({0, 0, 20, 0, 25, 5});
  const auto curve = *adjusted_curve(asked, {0.5, 1, 2});
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[1].adjusted, plan_adjusted(asked)->adjusted);
  EXPECT_LT(curve[0].adjusted, curve[2].adjusted);
}

}  // namespace
}  // namespace tacet::planning::adjusted_test
