#include "tacet/kernel/release_steps.h"

#include <variant>

#include <fmt/format.h>

#include "tacet/exact/rounding.h"
#include "tacet/exact/uniform_wide.h"
#include "tacet/privacy/calibration.h"
#include "tacet/privacy/conversion.h"

namespace tacet::kernel {

mpz_class to_big(Int128 value) {
  if (value >= 0) return exact::to_big(static_cast<UInt128>(value));
  return -exact::to_big(-static_cast<UInt128>(value));
}

Int128 from_big(const mpz_class& value) {
  const mpz_class high = value >> 64;
  const mpz_class low = value - (high << 64);
  return (static_cast<Int128>(high.get_ui()) << 64) | static_cast<Int128>(low.get_ui());
}

Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) return exact::greatest_double_at_most(pure->epsilon.to_rational());
  if (std::holds_alternative<privacy::GaussianLoss>(loss)) {
    TACET_TRY(const privacy::ForMu mu, privacy::mu_for(loss));
    return privacy::pure_epsilon_for_gdp(mu.mu);
  }
  return Error::of(Code::Unsupported, fmt::format("{} noise needs no delta, and none is taken for it", noise),
                   "give epsilon alone, or mu or rho");
}

}  // namespace tacet::kernel
