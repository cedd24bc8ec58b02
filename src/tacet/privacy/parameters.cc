#include "tacet/privacy/parameters.h"

#include <string>

#include <fmt/format.h>

namespace tacet::privacy {

template <class Tag>
Result<Positive<Tag>> Positive<Tag>::of(const Decimal& value) {
  TACET_CHECK(check_positive(Tag::kName, value));
  return Positive(value);
}

template <class Tag>
Result<Positive<Tag>> Positive<Tag>::parse(std::string_view text) {
  auto value = Decimal::parse(text);
  if (!value) {
    return Error::invalid(Tag::kName, std::string(text.substr(0, 40)), "must be a finite decimal number greater than 0",
                          fmt::format("for example: {} = 0.5", Tag::kName));
  }
  return of(*value);
}

template class Positive<EpsilonTag>;
template class Positive<RhoTag>;
template class Positive<MuTag>;

Result<Delta> Delta::of(const Decimal& value) {
  TACET_CHECK(check_delta(value));
  return Delta(value);
}

Result<Delta> Delta::parse(std::string_view text) {
  auto value = Decimal::parse(text);
  if (!value) {
    return Error::invalid("delta", std::string(text.substr(0, 40)), "must be a decimal number, at least 0 and less than 1",
                          "for example: delta = 1e-6");
  }
  return of(*value);
}

Loss pure_loss(const Epsilon& epsilon) { return PureLoss{epsilon.value()}; }
Loss approximate_loss(const Epsilon& epsilon, const Delta& delta) { return ApproximateLoss{epsilon.value(), delta.value()}; }
Loss gaussian_loss_from_rho(const Rho& rho) { return GaussianLoss{rho.value() + rho.value()}; }
Loss gaussian_loss_from_mu(const Mu& mu) { return GaussianLoss{mu.value() * mu.value()}; }

bool fits(const Amount& charge, const Amount& room) { return charge.first <= room.first && charge.second <= room.second; }

Budget budget_of(const Epsilon& epsilon) { return {Currency::PureDp, {epsilon.value(), {}}}; }
Budget budget_of(const Epsilon& epsilon, const Delta& delta) { return {Currency::ApproximateDp, {epsilon.value(), delta.value()}}; }
Budget budget_of(const Rho& rho) { return {Currency::Zcdp, {rho.value(), {}}}; }
Budget budget_of(const Mu& mu) { return {Currency::Gdp, {mu.value() * mu.value(), {}}}; }

Result<Filter> basic_filter(const Epsilon& epsilon, const Delta& delta) { return Filter::of(budget_of(epsilon, delta), FilterRule::Basic); }
Result<Filter> rogers_filter(const Epsilon& epsilon, const Delta& delta) {
  return Filter::of(budget_of(epsilon, delta), FilterRule::Rogers);
}
Result<Filter> whitehouse_filter(const Epsilon& epsilon, const Delta& delta, const Delta& slack) {
  return Filter::of(budget_of(epsilon, delta), FilterRule::Whitehouse, slack.value());
}
Filter zcdp_filter(const Rho& rho) { return *Filter::of(budget_of(rho), FilterRule::Zcdp); }
Filter gdp_filter(const Mu& mu) { return *Filter::of(budget_of(mu), FilterRule::Gdp); }

}  // namespace tacet::privacy
