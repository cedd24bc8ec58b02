// people_bench: how many people a test of one alternative needs, by the whitened query of the paper
// and by the one combination that `release query --goal test` publishes; and what the best clipping
// saves.
//
//   people_bench    a CSV table; exits 1 if a combination needs more people than the whitened query
//                   anywhere, if simulated releases find less than was foretold, or if a clipping
//                   is not the best
//
// Power 0.8 at level 0.05, delta 0.02. Rows are normal with the blood tests of Adjusted, example 1,
// or with correlations of 0.5 and an alternative of 0.2 deviations in every column. At the people
// that the plan names, 20,000 releases of each combination are simulated from their definition.
// The errors of a noisy sum are those of clip.h, over the least.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/clip.h"
#include "tacet/planning/combination.h"
#include "tacet/planning/mean_query_plan.h"

#include "measure.h"

namespace {

using namespace tacet;
using planning::MeanQuery;

constexpr double kPower = 0.8;
constexpr double kAlpha = 0.05;
constexpr int kTrials = 20'000;

struct Setting {
  std::string name;
  mechanisms::Matrix covariance;
  std::vector<double> eta;
};

Setting blood() {
  return {"blood",
          {6, 6, {1600, -160, -400, 840,  800, -40, -160, 400,  160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0,
                  840,  -175, 280,  1225, 700, -35, 800,  -200, 600, 700,  2500, -50, -40,  0,   0,    -35, -50, 100}},
          {10, 5, 10, 8.75, 12.5, 2.5}};
}

Setting correlated(std::size_t d) {
  Setting setting{fmt::format("correlated {}", d), {d, d, std::vector<double>(d * d, 0.5)}, std::vector<double>(d, 0.2)};
  for (std::size_t j = 0; j < d; ++j) setting.covariance.values[j * d + j] = 1;
  return setting;
}

/// How often a released combination finds the alternative: rows of n people, clipped, with noise,
/// and the critical value of the clipped mean under the null hypothesis, which is half the distance
/// below the centre.
double found(double distance, double mu, double n, double radius) {
  numeric::InsecureStream stream(29, static_cast<std::uint64_t>(n));
  std::vector<double> row(static_cast<std::size_t>(n));
  std::vector<double> noise(1);
  const auto draw = [&](double mean) {
    stream.fill_normal(row);
    double sum = 0;
    for (const double z : row) sum += std::clamp(mean + z, -radius, radius);
    stream.fill_normal(noise);
    return (sum + 2 * radius / mu * noise[0]) / n;
  };
  std::vector<double> null(kTrials);
  for (double& one : null) one = draw(-distance / 2);
  std::sort(null.begin(), null.end());
  const double critical = null[static_cast<std::size_t>((1 - kAlpha) * kTrials)];
  int beyond = 0;
  for (int i = 0; i < kTrials; ++i) beyond += draw(distance / 2) > critical ? 1 : 0;
  return beyond / static_cast<double>(kTrials);
}

/// Returns what is wrong.
int tell_people(const Setting& setting, double epsilon) {
  const double mu =
      1 / accounting::calibrate_gaussian(accounting::ForEpsilonDelta{.epsilon = epsilon, .delta = 0.02}, accounting::L2{1})->sigma;
  const planning::MeanPlan plan{.covariance = setting.covariance, .mu = mu};
  const auto needed = [&](MeanQuery query) { return planning::people_for_mean_test(plan, query, setting.eta, kPower, kAlpha).value(); };
  const double whitened = needed(MeanQuery::Whitened);
  const double rare = needed(MeanQuery::Combination);
  const double best = needed(MeanQuery::NormalCombination);
  const double distance = planning::best_direction(setting.covariance, setting.eta).distance;
  const double rare_found = found(distance, mu, rare, planning::rare_radius(rare));
  const double best_found = found(distance, mu, best, planning::best_radius({distance, mu, best}));
  fmt::print("{},{:g},{:.0f},{:.0f},{:.0f},{:.3f},{:.3f}\n", setting.name, epsilon, whitened, rare, best, rare_found, best_found);
  // The quantile and the power are simulated: three standard errors of each are 0.02.
  return (rare > whitened ? 1 : 0) + (best > rare ? 1 : 0) + (rare_found < kPower - 0.02 ? 1 : 0) + (best_found < kPower - 0.02 ? 1 : 0);
}

int tell_clipping(const std::string& name, const std::vector<double>& sd, std::int64_t n) {
  const auto plan = planning::plan_clip({.sd = sd, .n = n}).value();
  fmt::print("{},{},{:.3f},{:.3f},{:.3f}\n", name, n, plan.error / plan.best_error, plan.isotropic_error / plan.best_error,
             plan.whitened_error / plan.best_error);
  return plan.best_error > std::min({plan.error, plan.isotropic_error, plan.whitened_error}) * (1 + 1e-9) ? 1 : 0;
}

}  // namespace

int main() {
  int wrong = 0;
  fmt::print("rows,epsilon,whitened,combination,normal-combination,found by combination,found by normal-combination\n");
  for (const double epsilon : {0.5, 1.0, 2.0, 4.0}) wrong += tell_people(blood(), epsilon);
  for (const std::size_t d : {2, 6, 20, 60}) wrong += tell_people(correlated(d), 1);
  fmt::print("\nstandard deviations,people,Lemma 3.1 over best,as they are over best,whitened over best\n");
  wrong += tell_clipping("0.5 2 10", {0.5, 2, 10}, 10'000);
  std::vector<double> ones_and_a_five(20, 1.0);
  ones_and_a_five.push_back(5);
  wrong += tell_clipping("twenty 1 and a 5", ones_and_a_five, 1'000'000);
  wrong += tell_clipping("1 2 3 4 5", {1, 2, 3, 4, 5}, 1'000'000);
  if (wrong > 0) fmt::print(stderr, "people_bench: {} things are not as claimed\n", wrong);
  return wrong > 0 ? 1 : 0;
}
