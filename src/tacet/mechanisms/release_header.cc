#include "tacet/mechanisms/release_header.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacet::mechanisms {
namespace {

constexpr double kMostPeople = 0x1p53;

std::optional<std::string> where_in(const std::string& statement) {
  const auto asked = nlohmann::json::parse(statement, nullptr, /*allow_exceptions=*/false);
  if (!asked.is_object() || !asked.contains("where") || !asked["where"].is_string()) return std::nullopt;
  return asked["where"].get<std::string>();
}

}  // namespace

ReleasedPrivacy stated(const privacy::Loss& loss) {
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) {
    const double mu_squared = gaussian->mu_squared.approximate();
    return {.currency = LossForm::Gaussian, .rho = mu_squared / 2, .mu = std::sqrt(mu_squared)};
  }
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss))
    return {.currency = LossForm::EpsilonDelta, .epsilon = approximate->epsilon.approximate(), .delta = approximate->delta.approximate()};
  ReleasedPrivacy out{.currency = LossForm::Epsilon, .epsilon = privacy::pure_epsilon(loss)->approximate(), .delta = 0};
  if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    out.rho = laplace->rho.approximate();
    if (laplace->mu_squared) out.mu = std::sqrt(laplace->mu_squared->approximate());
  }
  return out;
}

ReleaseHeader charged_header(const privacy::Loss& loss, const kernel::Relation& relation, const kernel::Receipt& receipt,
                             std::string statement, Guarantee guarantee) {
  ReleasedPrivacy privacy = stated(loss);
  privacy.neighbours = relation.people_are_public() ? Neighbours::ReplaceOne : Neighbours::AddOrRemoveOne;
  privacy.public_columns = relation.public_columns();
  privacy.charged = receipt.charged;
  std::optional<std::string> where = where_in(statement);
  return {std::move(statement), std::move(where), std::move(privacy), guarantee, receipt, receipt.time, {}};
}

Status check_people(double n) {
  if (n >= 0 && n <= kMostPeople && n == std::floor(n)) return {};
  return Error::invalid("n", fmt::format("{}", n), "must be a whole number of people, at least 0 and at most 2^53");
}

}  // namespace tacet::mechanisms
