// How many people does a survey need? Smoking and a disease depend on each other like this:
//
//                 ill   healthy
//   smokers      0.08      0.22
//   others       0.12      0.58
//
// The table will be published with Gaussian noise, and tested for independence. This program reads
// no data and spends no privacy: it says what each choice of rho will be able to see.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "tacet/mechanisms/noise_plan.h"
#include "tacet/planning/independence_plan.h"
#include "tacet/privacy/currency.h"

namespace {

constexpr double kAlpha = 0.05;
constexpr double kPower = 0.8;
constexpr double kSurvey = 500;  // people who would be easy to ask

// Where one person replaces another, two cells of a table of counts change by one.
const tacet::kernel::Sensitivity kTableOfCounts{.relation = tacet::kernel::Relation::ReplaceOne, .l1 = 2, .l2_squared = 2};

tacet::Status tell(const char* rho_text) {
  using namespace tacet;
  TACET_TRY(const privacy::Rho rho, privacy::Rho::parse(rho_text));
  TACET_TRY(const kernel::NoisePlan noise,
            mechanisms::plan_noise(kernel::NoiseFamily::Gaussian, kTableOfCounts, privacy::gaussian_loss_from_rho(rho)));
  const planning::IndependencePlan plan{
      .shape = {2, 2}, .alternative = {0.08, 0.22, 0.12, 0.58}, .noise = {.family = noise.family, .scale = noise.scale}, .alpha = kAlpha};
  constexpr auto kStatistic = inference::GofStatistic::Projected;
  TACET_TRY(const planning::PlannedPower power, planning::independence_plan_power(plan, kStatistic, kSurvey));
  TACET_TRY(const double people, planning::people_for_power(planning::independence_power_plan(plan), kStatistic, kPower));
  std::printf("  %-7s %14.1f %21.2f %18.0f\n", rho_text, noise.scale, power.power, people);
  return {};
}

tacet::Status tell_all() {
  std::printf("A test of independence at level %g, and the people with whom it finds the dependence with probability %g:\n\n", kAlpha,
              kPower);
  std::printf("  rho     noise per cell  power with %.0f people  people for power %g\n", kSurvey, kPower);
  for (const char* rho : {"0.001", "0.01", "0.1", "1"}) TACET_CHECK(tell(rho));
  return {};
}

}  // namespace

int main() {
  const tacet::Status status = tell_all();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
