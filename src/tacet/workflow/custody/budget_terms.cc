#include "tacet/workflow/custody/budget_terms.h"

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/custody/terms_check.h"

namespace tacet {
namespace {

/// `whose` follows the amount in the message.
Result<privacy::Amount> amount_in(const PrivacyAmount& part, privacy::Currency currency, const std::string& name,
                                  const std::string& whose) {
  TACET_TRY(const privacy::Budget budget, budget_of(part));
  if (budget.currency == currency) return budget.total;
  return Error::invalid(name, privacy::describe(budget.currency, budget.total) + whose,
                        fmt::format("must be in the currency of the budget, {}", tacet::name(currency)));
}

}  // namespace

Result<kernel::Share> share_in(const AnalystShare& share, privacy::Currency currency) {
  TACET_TRY(privacy::Amount most, amount_in(share.most, currency, "share", fmt::format(" for {}", in_quotes(share.analyst))));
  return kernel::Share{share.analyst, std::move(most)};
}

Status declare(kernel::Declaration& terms, const DeclaredTerms& declared) {
  if (declared.schema) {
    terms.schema = data::canonical(*declared.schema);
    terms.idealised = declared.schema->idealised;
  }
  TACET_TRY(terms.source, agreed_source(declared.source, declared.schema));
  if (declared.again) TACET_CHECK(check_reason("again", *declared.again));
  terms.again = declared.again.value_or("");
  terms.custodian = declared.custodian;
  if (declared.others) {
    TACET_TRY(terms.others, amount_in(*declared.others, terms.budget.currency, "others", ""));
  }
  return {};
}

Status check_reason(const std::string& name, const std::string& text) {
  constexpr std::size_t kShown = 40;
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return {};
  return Error::invalid(name, in_quotes(text.substr(0, kShown)), "must say why: everybody can read it in the ledger",
                        fmt::format("for example: {} = \"the file was renamed\"", name));
}

}  // namespace tacet
