#include "tacet/mechanisms/privacy_json.h"

#include <nlohmann/json.hpp>

namespace tacet::mechanisms {

using nlohmann::json;

json privacy_json(const std::optional<ReleasedPrivacy>& privacy) {
  if (!privacy) return {{"currency", nullptr}};
  json out = {{"currency", name(privacy->currency)}};
  if (privacy->epsilon) out["epsilon"] = *privacy->epsilon;
  // Files have always had the integer 0 for a promise without delta.
  if (privacy->delta) out["delta"] = privacy->currency == LossForm::Epsilon && *privacy->delta == 0 ? json(0) : json(*privacy->delta);
  if (privacy->rho) out["rho"] = *privacy->rho;
  if (privacy->mu) out["mu"] = *privacy->mu;
  if (privacy->neighbours) out["neighbours"] = name(*privacy->neighbours);
  if (privacy->neighbours && *privacy->neighbours != Neighbours::Local) out["public_columns"] = privacy->public_columns;
  if (privacy->charged) out["charged"] = *privacy->charged;
  return out;
}

json receipt_json(const std::optional<kernel::Receipt>& receipt) {
  if (!receipt) return nullptr;
  return {{"ledger", receipt->ledger},
          {"dataset", receipt->dataset},
          {"entry", receipt->entry},
          {"entry_hash", receipt->entry_hash},
          {"statement_hash", receipt->statement_hash},
          {"charged", receipt->charged}};
}

}  // namespace tacet::mechanisms
