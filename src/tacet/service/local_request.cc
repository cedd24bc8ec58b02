#include "tacet/service/local_request.h"

#include "tacet/mechanisms/privacy_json.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/request.h"
#include "tacet/workflow/privacy/local_terms.h"

namespace tacet::service {

Result<LocalTerms> local_terms(mechanisms::LocalKind kind, const Json& request) {
  TACET_TRY(const auto given, privacy_table("what each report gave away").read(request));
  TACET_TRY(const PrivacyAmount amount, required_privacy(given));
  TACET_TRY(const tacet::LocalTerms terms, tacet::local_terms(kind, amount));
  return LocalTerms{terms.law, terms.loss, mechanisms::local_privacy_json(terms.loss), local_promise_words(amount)};
}

Result<std::vector<std::string>> categories_field(const Json& request) {
  TACET_TRY(std::vector<std::string> categories, list_field(request, "categories"));
  TACET_CHECK(check_categories(categories));
  return categories;
}

}  // namespace tacet::service
