#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/laplace_gdp.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

/// "(epsilon 1, delta 1e-6)-DP", "rho 0.5 (zCDP)", "mu 1 (GDP)": the promise in the digits of the request.
std::string promise_words(const Json& request) {
  if (const auto epsilon = number_field(request, "epsilon"))
    return fmt::format("(epsilon {}, delta {})-DP", *epsilon, number_field(request, "delta").value_or("0"));
  if (const auto rho = number_field(request, "rho")) return fmt::format("rho-zCDP with rho {}", *rho);
  return fmt::format("mu-GDP with mu {}", *number_field(request, "mu"));
}

Result<accounting::GaussianScale> isotropic(const Json& request, double l2) {
  if (const auto rho = number_field(request, "rho")) {
    TACET_TRY(const privacy::Rho parsed, privacy::Rho::parse(*rho));
    return accounting::calibrate_gaussian(parsed, {l2});
  }
  if (const auto mu = number_field(request, "mu")) {
    TACET_TRY(const privacy::Mu parsed, privacy::Mu::parse(*mu));
    return accounting::calibrate_gaussian(parsed, {l2});
  }
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(*number_field(request, "epsilon")));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(number_field(request, "delta").value_or("0")));
  return accounting::calibrate_gaussian(epsilon, delta, {l2});
}

Result<std::vector<double>> sizes_field(const Json& request, const std::string& name) {
  TACET_TRY(const std::vector<std::string> items, digits_field(request, name));
  std::vector<double> sizes;
  for (const std::string& item : items) {
    TACET_TRY(const double size, size_up(name, item));
    sizes.push_back(size);
  }
  return sizes;
}

Result<Json> run_box(const Json& request) {
  TACET_TRY(const std::vector<double> box, sizes_field(request, "box"));
  TACET_TRY(std::vector<double> weights, sizes_field(request, "weights"));
  const bool given = !weights.empty();
  if (!given) {
    weights.resize(box.size());
    TACET_CHECK(accounting::least_error_weights(box, weights));
  }
  TACET_TRY(const privacy::Loss loss, loss_field(request));
  TACET_TRY(const accounting::ForMu target, accounting::mu_for(loss));
  std::vector<double> sigma(box.size());
  TACET_CHECK(accounting::calibrate_box(target, box, weights, sigma));
  double variance = 0;
  for (const double s : sigma) variance += s * s;
  return Json{{"sigma", sigma},
              {"mu", target.mu},
              {"rho", target.mu * target.mu / 2},
              {"box", box},
              {"weights", weights},
              {"total_variance", variance},
              {"promise", promise_words(request)},
              {"rule", given ? "elliptical, weights as given" : "elliptical, least total variance"},
              {"theorem", "Aggregation, Algorithm 2 and Theorem 5; Dong, Roth & Su (2022), Theorem 1"}};
}

Result<Json> run_gaussian(const Json& request, const Context& /*context*/) {
  TACET_CHECK(loss_field(request));  // refuses two promises at once, and none
  const auto l2 = number_field(request, "l2");
  if (request.contains("box") == l2.has_value()) {
    return Error::invalid("sensitivity", l2 ? "given twice" : "missing",
                          "must be given as one of --l2 (one bound for all) and --box (one each)", "for example: --l2 1");
  }
  if (request.contains("weights") && l2) return Error::invalid("weights", "given with --l2", "go with --box only");
  if (!l2) return run_box(request);
  TACET_TRY(const double size, size_up("l2", *l2));
  TACET_TRY(const accounting::GaussianScale scale, isotropic(request, size));
  const bool exact = !request.contains("epsilon");
  return Json{
      {"sigma", scale.sigma},
      {"mu", scale.mu},
      {"rho", scale.rho},
      {"l2", size},
      {"promise", promise_words(request)},
      {"rule", exact ? "least double, decided in rational arithmetic" : "exact privacy curve, certified, at most 1e-12 above the optimum"},
      {"theorem", exact ? "Dong, Roth & Su (2022), Theorem 1; Bun & Steinke (2016), Proposition 1.6" : "Balle & Wang (2018), Theorem 8"}};
}

std::string gaussian_words(const Json& result) {
  const Json& sigma = result.at("sigma");
  std::string shown;
  for (const Json& one : sigma.is_array() ? sigma : Json::array({sigma}))
    shown += fmt::format("{}{}", shown.empty() ? "" : ", ", one.get<double>());
  return fmt::format(
      "Add Gaussian noise with standard deviation{} {} to {}coordinate.\n"
      "That keeps {}; it is mu-GDP with mu {:.6g} and rho-zCDP with rho {:.6g}.\n",
      sigma.is_array() ? "s" : "", shown, sigma.is_array() ? "each its " : "every ", result.at("promise").get<std::string>(),
      result.at("mu").get<double>(), result.at("rho").get<double>());
}

/// Which proven rule for Laplace noise under mu, or the conjecture.
enum class WantedRule : std::uint8_t { Universal, OneDimensional, Table, Conjecture };
constexpr auto names_of(WantedRule) {
  using enum WantedRule;
  return std::to_array<Named<WantedRule>>(
      {{Universal, "universal"}, {OneDimensional, "one-dimensional"}, {Table, "table"}, {Conjecture, "conjecture-12"}});
}

Json laplace_json(double scale, std::string_view rule, bool proven, const Json& request, std::string_view theorem) {
  return {{"scale", scale}, {"rule", rule}, {"proven", proven}, {"promise", promise_words(request)}, {"theorem", theorem}};
}

Result<Json> laplace_for_mu(const Json& request, const Decimal& l1) {
  TACET_TRY(const privacy::Mu mu, privacy::Mu::parse(*number_field(request, "mu")));
  TACET_TRY(const WantedRule rule, named<WantedRule>("rule", text_field(request, "rule").value_or("universal"),
                                                     "universal holds for every statistic; table for counts under replace-one"));
  switch (rule) {
    case WantedRule::Universal: {
      TACET_TRY(const accounting::LaplaceScale scale, accounting::laplace_scale_universal(mu, l1));
      return laplace_json(scale.value(), name(scale.rule()), true, request, "Lee et al. (2022), (12): any statistic");
    }
    case WantedRule::OneDimensional: {
      TACET_TRY(const accounting::LaplaceScale scale, accounting::laplace_scale_one_or_two_dimensional(mu, l1, 1));
      return laplace_json(scale.value(), name(scale.rule()), true, request,
                          "Lee et al. (2022), Proposition 9 and Theorem 11: one or two numbers");
    }
    case WantedRule::Table: {
      TACET_TRY(const accounting::LaplaceScale scale, accounting::laplace_scale_table(mu, l1));
      return laplace_json(scale.value(), name(scale.rule()), true, request, "Lee et al. (2022), (17): a table of counts, replace-one");
    }
    case WantedRule::Conjecture: break;
  }
  TACET_TRY(const accounting::ConjecturedLaplaceScale scale, accounting::laplace_scale_by_conjecture_12(mu, l1));
  return laplace_json(scale.value(), name(rule), false, request, "none: Lee et al. (2022), Conjecture 12");
}

Result<Json> run_laplace(const Json& request, const Context& /*context*/) {
  TACET_TRY(const privacy::Loss loss, loss_field(request));
  TACET_TRY(const double size, size_up("l1", *number_field(request, "l1")));
  if (std::holds_alternative<privacy::GaussianLoss>(loss)) {
    TACET_TRY(const Decimal l1, Decimal::parse(*number_field(request, "l1")));
    return laplace_for_mu(request, l1);
  }
  if (request.contains("rule")) return Error::invalid("rule", *text_field(request, "rule"), "goes with --mu only", "leave --rule out");
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(*number_field(request, "epsilon")));
  TACET_TRY(const double scale, accounting::calibrate_laplace(epsilon, {size}));
  return laplace_json(scale, "pure", true, request, "Dwork, McSherry, Nissim & Smith (2006), Proposition 1");
}

std::string laplace_words(const Json& result) {
  if (!result.at("proven").get<bool>()) {
    return fmt::format("Scale {} is conjectured, not proven, to keep {}. It is shown to be looked at; no release uses it.\n",
                       result.at("scale").get<double>(), result.at("promise").get<std::string>());
  }
  return fmt::format("Add Laplace noise of scale {} to every coordinate.\nThat keeps {} ({}).\n", result.at("scale").get<double>(),
                     result.at("promise").get<std::string>(), result.at("theorem").get<std::string>());
}

}  // namespace

Verb calibrate_gaussian_verb() {
  return {
      "calibrate gaussian",
      "The least Gaussian noise that keeps a promise, never too little",
      "tacet calibrate gaussian --l2 1 --epsilon 1 --delta 1e-6",
      {{"l2", "S", "the L2 sensitivity: how far one person moves the statistic", FieldKind::Number},
       {"epsilon", "E", "the epsilon of (epsilon, delta)", FieldKind::Number},
       {"delta", "D", "the delta of (epsilon, delta)", FieldKind::Number},
       {"mu", "M", "or mu (Gaussian privacy)", FieldKind::Number},
       {"rho", "R", "or rho (zero-concentrated privacy)", FieldKind::Number},
       {"box", "s,t", "instead of --l2: how far one person moves each coordinate", FieldKind::Numbers},
       {"weights", "w,v", "with --box: parts of the budget, squared; by default those of the least total variance", FieldKind::Numbers}},
      run_gaussian,
      gaussian_words};
}

Verb calibrate_laplace_verb() {
  return {"calibrate laplace",
          "The least Laplace noise that keeps a promise, never too little",
          "tacet calibrate laplace --l1 2 --mu 1 --rule table",
          {{"l1", "S", "the L1 sensitivity: how far one person moves the statistic", FieldKind::Number, true},
           {"epsilon", "E", "pure epsilon", FieldKind::Number},
           {"mu", "M", "or mu (Gaussian privacy)", FieldKind::Number},
           {"rule", "RULE",
            "with --mu: universal (the default), one-dimensional (one or two numbers), table (counts), conjecture-12 (to look at)"}},
          run_laplace,
          laplace_words};
}

}  // namespace tacet::service
