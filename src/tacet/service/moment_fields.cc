#include "tacet/service/moment_fields.h"

#include <optional>

#include "tacet/service/privacy_fields.h"
#include "tacet/service/request.h"

namespace tacet::service {

bool has_products(const std::string& kind) { return kind == "second-moment" || kind == "covariance"; }

Result<PrivacyAmount> amount_field(const Json& request) {
  TACET_TRY(const std::optional<PrivacyAmount> amount, privacy_table("").read(request));
  return required_privacy(amount);
}

Result<MomentMechanism> mechanism_field(const Json& request, const std::string& kind, const privacy::Loss& asked, MomentGoal goal) {
  std::optional<MomentMechanism> mechanism;
  if (const auto text = text_field(request, "mechanism")) {
    TACET_TRY(mechanism, named<MomentMechanism>("mechanism", *text, "for example: mechanism = gaussian rho = 0.125"));
  }
  return choose_mechanism(mechanism, has_products(kind), asked, goal);
}

Result<data::Membership> membership_field(const Json& request, data::Membership usual) {
  const auto text = text_field(request, "membership");
  return text ? named<data::Membership>("membership", *text) : usual;
}

}  // namespace tacet::service
