#include "tacet/workflow/infer/critical_value.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet {
namespace {

Status check_rho(double rho) {
  if (rho >= 1e-12 && rho <= 1e12) return {};
  return Error::invalid("rho", fmt::format("{}", rho), "must be at least 1e-12 and at most 1e12", "for example: rho = 0.125");
}

/// Lemma 3.2: P[Q >= mean + t sqrt(8 sum w^2)] < exp(-t^2) for 0 <= t <= sqrt(2 sum w^2)/(6 max w).
std::optional<double> bernstein_bound(const std::vector<numeric::ChiTerm>& terms, double mean, double at) {
  double squares = 0;
  double largest = 0;
  for (const numeric::ChiTerm& term : terms) {
    if (term.noncentrality != 0) return std::nullopt;
    squares += term.df * term.weight * term.weight;
    largest = std::max(largest, term.weight);
  }
  const double t = (at - mean) / std::sqrt(8 * squares);
  if (!(t >= 0 && t <= std::sqrt(2 * squares) / (6 * largest))) return std::nullopt;
  return std::exp(-t * t);
}

Result<std::vector<numeric::ChiTerm>> tail_terms(const TailWeightedChi2Request& request) {
  const auto check = [&](const char* name, const std::vector<double>& values) {
    if (values.empty() || values.size() == request.weights.size()) return Status();
    return Status(Error::invalid(name, fmt::format("{} numbers", values.size()), "must be one for each weight, or left out"));
  };
  TACET_CHECK(check("df", request.df));
  TACET_CHECK(check("noncentrality", request.noncentrality));
  std::vector<numeric::ChiTerm> terms;
  for (std::size_t i = 0; i < request.weights.size(); ++i) {
    terms.push_back({.weight = request.weights[i],
                     .df = request.df.empty() ? 1 : request.df[i],
                     .noncentrality = request.noncentrality.empty() ? 0 : request.noncentrality[i]});
  }
  return terms;
}

}  // namespace

Result<TailWeightedChi2> tail_weighted_chi2(const TailWeightedChi2Request& request) {
  if (!(request.at > 0 && request.at <= 1e200))
    return Error::invalid("at", fmt::format("{}", request.at), "must be greater than 0 and at most 1e200", "for example: at = 14.2");
  TACET_TRY(const std::vector<numeric::ChiTerm> terms, tail_terms(request));
  TACET_TRY(const auto sum, numeric::WeightedChi2::of(terms));
  TailWeightedChi2 tail{sum.upper(request.at), sum.lower(request.at), sum.density(request.at), sum.mean(), sum.variance(), {}, {}};
  tail.bernstein = bernstein_bound(terms, tail.mean, request.at);
  const double beyond = request.at - tail.mean;
  if (beyond > 0) tail.chebyshev = std::min(1.0, tail.variance / (beyond * beyond));
  return tail;
}

Result<double> critical_weighted_chi2(const CriticalWeightedChi2Request& request) {
  TACET_CHECK(inference::check_alpha(request.alpha, inference::AlphaOf::Quantile));
  TACET_TRY(const auto sum, numeric::WeightedChi2::of_weights(request.weights));
  return sum.upper_quantile(request.alpha);
}

Result<CriticalGof> critical_gof(const CriticalGofRequest& request, const Context& context) {
  TACET_CHECK(inference::check_alpha(request.alpha, inference::AlphaOf::Quantile));
  TACET_CHECK(check_rho(request.rho));
  context.tell("computing the distribution under the null hypothesis");
  TACET_TRY(const auto design, inference::GofDesign::of(request.null, static_cast<double>(request.n), {.variance = 1 / request.rho}));
  TACET_TRY(const double critical, inference::gof_critical(design, request.statistic, request.alpha));
  return CriticalGof{critical, design.df(request.statistic), request.statistic, design.cells()};
}

}  // namespace tacet
