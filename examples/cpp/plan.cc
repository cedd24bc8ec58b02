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

#include "tacet/workflow/plan/independence_plan.h"

namespace {

using namespace tacet;

constexpr double kAlpha = 0.05;
constexpr double kPower = 0.8;
constexpr double kSurvey = 500;  // people who would be easy to ask

Status tell(const char* rho) {
  const Matrix joint{2, 2, {0.08, 0.22, 0.12, 0.58}};
  TACET_TRY(const CountTestPlan survey, plan_independence(joint, {.loss = Rho(rho), .n = kSurvey, .alpha = kAlpha}));
  TACET_TRY(const CountTestPlan wanted, plan_independence(joint, {.loss = Rho(rho), .power = kPower, .alpha = kAlpha}));
  std::printf("  %-7s %14.1f %21.2f %18.0f\n", rho, survey.noise->scale, survey.power, wanted.n);
  return {};
}

Status tell_all() {
  std::printf("A test of independence at level %g, and the people with whom it finds the dependence with probability %g:\n\n", kAlpha,
              kPower);
  std::printf("  rho     noise per cell  power with %.0f people  people for power %g\n", kSurvey, kPower);
  for (const char* rho : {"0.001", "0.01", "0.1", "1"}) TACET_CHECK(tell(rho));
  return {};
}

}  // namespace

int main() {
  const Status status = tell_all();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
