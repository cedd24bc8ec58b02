// What noise does rho = 0.125 buy for a table of counts, and what does it cost a budget kept in mu?
#include <cstdio>
#include <string>

#include "tacet/kernel/release.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"
#include "tacet/version.h"

namespace {

tacet::Result<std::string> answer() {
  using namespace tacet;
  TACET_TRY(const privacy::Rho rho, privacy::Rho::parse("0.125"));
  const privacy::Loss loss = privacy::gaussian_loss_from_rho(rho);
  TACET_TRY(const privacy::Amount cost, privacy::amount_in(privacy::Currency::Gdp, loss));
  const kernel::Sensitivity one_person_moves{.relation = kernel::Relation::ReplaceOne, .l1 = 2, .l2_squared = 2};
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_noise(kernel::NoiseFamily::Gaussian, one_person_moves, loss));
  char text[200];
  std::snprintf(text, sizeof text, "%s noise of scale %.6f costs %s", std::string(name(plan.family)).c_str(), plan.scale,
                privacy::describe(privacy::Currency::Gdp, cost).c_str());
  return std::string(text);
}

}  // namespace

int main() {
  const std::string version =
      std::to_string(TACET_VERSION_MAJOR) + "." + std::to_string(TACET_VERSION_MINOR) + "." + std::to_string(TACET_VERSION_PATCH);
  if (version != tacet::kVersion || TACET_VERSION <= 0) return 2;
  const auto text = answer();
  std::puts(text.ok() ? text->c_str() : text.error().message().c_str());
  return text.ok() ? 0 : 1;
}
