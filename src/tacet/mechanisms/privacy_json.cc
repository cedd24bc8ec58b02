#include "tacet/mechanisms/privacy_json.h"

#include <cmath>

namespace tacet::mechanisms {

using nlohmann::json;

json loss_json(const privacy::Loss& loss) {
  json out;
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) {
    const double mu_squared = gaussian->mu_squared.approximate();
    out["currency"] = "gaussian";
    out["mu"] = std::sqrt(mu_squared);
    out["rho"] = mu_squared / 2;
  } else if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) {
    out["currency"] = "epsilon";
    out["epsilon"] = pure->epsilon.approximate();
    out["delta"] = 0;
  } else if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss)) {
    out["currency"] = "epsilon-delta";
    out["epsilon"] = approximate->epsilon.approximate();
    out["delta"] = approximate->delta.approximate();
  } else if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    out["currency"] = "epsilon";
    out["epsilon"] = laplace->epsilon.approximate();
    out["delta"] = 0;
    out["rho"] = laplace->rho.approximate();
    if (laplace->mu_squared) out["mu"] = std::sqrt(laplace->mu_squared->approximate());
  }
  return out;
}

json local_privacy_json(const privacy::Loss& loss) {
  json out = loss_json(loss);
  out["neighbours"] = "local";
  return out;
}

json privacy_json(const privacy::Loss& loss, const kernel::Relation& relation, const kernel::Receipt& receipt) {
  json out = loss_json(loss);
  out["neighbours"] = name(relation.kind());
  out["public_columns"] = relation.public_columns();
  out["charged"] = receipt.charged;
  return out;
}

json receipt_json(const kernel::Receipt& receipt) {
  return {{"ledger", receipt.ledger},
          {"dataset", receipt.dataset},
          {"entry", receipt.entry},
          {"entry_hash", receipt.entry_hash},
          {"statement_hash", receipt.statement_hash},
          {"charged", receipt.charged}};
}

}  // namespace tacet::mechanisms
