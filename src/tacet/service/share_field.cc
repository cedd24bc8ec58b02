#include "tacet/service/share_field.h"

#include <fmt/format.h>

#include "tacet/service/request.h"

namespace tacet::service {

Result<kernel::Share> parse_share(const std::string& text, privacy::Currency currency) {
  const auto wrong = [&text](const std::string& rule) {
    return Error::invalid("share", fmt::format("\"{}\"", text.substr(0, 60)), rule, "for example: --share ada=0.5,bob=0.25");
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return wrong("must be NAME=AMOUNT");
  std::string amount = text.substr(equals + 1);
  Json parts = Json::object();
  if (const std::size_t slash = amount.find('/'); slash != std::string::npos) {
    parts["delta"] = amount.substr(slash + 1);
    amount.resize(slash);
  }
  if (parts.contains("delta") != (currency == privacy::Currency::ApproximateDp))
    return wrong("must be NAME=EPSILON/DELTA in an (epsilon, delta) budget, and only there");
  const bool epsilon = currency == privacy::Currency::PureDp || currency == privacy::Currency::ApproximateDp;
  parts[epsilon ? "epsilon" : std::string(privacy::name(currency))] = amount;
  TACET_TRY(const privacy::Budget budget, budget_field(parts));
  return kernel::Share{text.substr(0, equals), budget.total};
}

}  // namespace tacet::service
