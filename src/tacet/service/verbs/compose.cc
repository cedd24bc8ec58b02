#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tacet/accounting/accountant.h"
#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/composition_optimal.h"
#include "tacet/accounting/conversion.h"
#include "tacet/accounting/odometer.h"
#include "tacet/exact/rounding.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/privacy/filter.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/losses_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using accounting::Bounds;
using privacy::Filter;
using privacy::Step;

/// What the question is: the losses, and which of (epsilon, delta) is fixed.
struct Question {
  std::vector<Mechanism> mechanisms;
  std::optional<privacy::Delta> delta;
  std::optional<privacy::Epsilon> at_epsilon, budget;
  std::optional<std::uint64_t> n;
};

bool has_epsilon(const Mechanism& one) { return one.kind == MechanismKind::Known || one.kind == MechanismKind::Laplace; }
bool has_rho(const Mechanism& one) { return one.kind != MechanismKind::Known || one.delta.is_zero(); }
bool has_mu(const Mechanism& one) { return one.kind == MechanismKind::Gaussian; }
bool has_distribution(const Mechanism& one) { return one.kind != MechanismKind::Zcdp; }

template <class Property>
bool all(const std::vector<Mechanism>& mechanisms, Property property) {
  for (const Mechanism& one : mechanisms) {
    if (!property(one)) return false;
  }
  return true;
}

Result<Step> step_of(const Mechanism& one) {
  switch (one.kind) {
    case MechanismKind::Gaussian: return Step::of(privacy::GaussianLoss{one.first * one.first});
    case MechanismKind::Zcdp: {
      TACET_TRY(const privacy::Rho rho, privacy::Rho::of(one.first));
      return Step::of(privacy::gaussian_loss_from_rho(rho));  // what is no Gaussian is not counted in mu: has_mu()
    }
    case MechanismKind::Known:
    case MechanismKind::Laplace: break;
  }
  return Step::of(one.delta.is_zero() ? privacy::Loss(privacy::PureLoss{one.first})
                                      : privacy::Loss(privacy::ApproximateLoss{one.first, one.delta}));
}

struct Repeated {
  Step step;
  std::uint64_t times = 1;
};

Result<std::vector<Repeated>> steps_of(const std::vector<Mechanism>& mechanisms) {
  std::vector<Repeated> steps;
  for (const Mechanism& one : mechanisms) {
    TACET_TRY(const Step step, step_of(one));
    steps.push_back({step, one.times});
  }
  return steps;
}

/// What the whole list amounts to, and whether a filter would let it all pass: whoever has no room left has none for what comes last.
Json filter_json(Filter filter, const std::vector<Repeated>& steps) {
  bool go = true;
  for (const auto& [step, times] : steps) {
    const auto verdict = filter.ask(step, times);
    const auto after = filter.forced(step, times);
    if (!verdict || !after) return nullptr;
    go = *verdict == privacy::Verdict::Go;
    filter = *after;
  }
  return {{"rule", name(filter.rule())}, {"spent", filter.spent()}, {"go", go}};
}

/// The rules for losses of which an epsilon is known.
Status epsilon_rules(const Question& question, Json& result) {
  std::vector<accounting::LossTerm> terms;
  for (const Mechanism& one : question.mechanisms) {
    TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(one.first));
    TACET_TRY(const privacy::Delta delta, privacy::Delta::of(one.delta));
    TACET_TRY(accounting::LossTerm term, accounting::LossTerm::of(epsilon, delta, one.times));
    terms.push_back(std::move(term));
  }
  TACET_TRY(const accounting::LossList losses, accounting::LossList::of(std::move(terms)));
  const accounting::ExactGuarantee basic = accounting::basic_composition(losses);
  result["basic"] = basic.epsilon.approximate();
  result["basic_exact"] = {{"epsilon", basic.epsilon.to_string()}, {"delta", basic.delta.to_string()}};
  if (question.delta) {
    TACET_TRY(const double advanced, accounting::advanced_epsilon(losses, *question.delta));
    TACET_TRY(const Bounds optimal, accounting::optimal_epsilon(losses, *question.delta));
    result["advanced"] = advanced;
    result["optimal"]["epsilon"] = optimal.upper;
    result["optimal"]["epsilon_lower"] = optimal.lower;
  }
  if (question.at_epsilon) {
    TACET_TRY(const Bounds optimal, accounting::optimal_delta(losses, *question.at_epsilon));
    result["optimal"]["delta"] = optimal.upper;
    result["optimal"]["delta_lower"] = optimal.lower;
  }
  return {};
}

/// The rules for losses that are chosen as results come in.
Status adaptive_rules(const Question& question, Json& result) {
  TACET_TRY(const std::vector<Repeated> steps, steps_of(question.mechanisms));
  if (question.budget && question.delta) {
    TACET_TRY(const Filter rogers, Filter::rogers(*question.budget, *question.delta));
    result["filter"] = filter_json(rogers, steps);
    TACET_TRY(const Filter basic, Filter::basic(*question.budget, *question.delta));
    const bool pure = all(question.mechanisms, [](const Mechanism& one) { return one.delta.is_zero(); });
    TACET_TRY(const privacy::Delta slack,
              privacy::Delta::of(pure ? question.delta->value() : question.delta->value() * *Decimal::parse("0.5")));
    TACET_TRY(const Filter whitehouse, Filter::whitehouse(*question.budget, *question.delta, slack));
    result["filters"] = {
        {"basic", filter_json(basic, steps)}, {"rogers", result["filter"]}, {"whitehouse", filter_json(whitehouse, steps)}};
  }
  if (question.n && question.delta) {
    TACET_TRY(accounting::Odometer odometer, accounting::Odometer::of(*question.delta, *question.n));
    for (const auto& [step, times] : steps) TACET_CHECK(odometer.spend(step, times));
    const auto finite = [](double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); };
    result["odometer"] = finite(odometer.advanced());
    result["odometer_bound"] = finite(odometer.bound());
  }
  return {};
}

/// What is known of each is its whole law, not only its epsilon.
Status accountant_rule(const Question& question, Json& result) {
  accounting::Accountant accountant;
  for (const Mechanism& one : question.mechanisms) {
    if (one.kind == MechanismKind::Gaussian) {
      TACET_TRY(const privacy::Mu mu, privacy::Mu::of(one.first));
      TACET_CHECK(accountant.add_gaussian(mu, one.times));
      continue;
    }
    TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(one.first));
    if (one.kind == MechanismKind::Laplace) {
      TACET_CHECK(accountant.add_laplace(epsilon, one.times));
    } else {
      TACET_TRY(const privacy::Delta delta, privacy::Delta::of(one.delta));
      TACET_CHECK(accountant.add_response(epsilon, delta, one.times));
    }
  }
  if (question.delta) {
    TACET_TRY(const Bounds epsilon, accountant.epsilon(*question.delta));
    result["numerical"]["epsilon"] = epsilon.upper;
    result["numerical"]["epsilon_lower"] = epsilon.lower;
  }
  if (question.at_epsilon) {
    TACET_TRY(const Bounds delta, accountant.delta(*question.at_epsilon));
    result["numerical"]["delta"] = delta.upper;
    result["numerical"]["delta_lower"] = delta.lower;
  }
  return {};
}

Status zcdp_rule(const Question& question, Json& result) {
  Decimal rho;
  for (const Mechanism& one : question.mechanisms) {
    static const Decimal half = *Decimal::parse("0.5");
    const Decimal each = one.kind == MechanismKind::Zcdp ? one.first : one.first * one.first * half;
    rho = rho + each * Decimal(static_cast<long>(one.times));
  }
  const double total = exact::least_double_at_least(rho.to_rational());
  result["zcdp"] = {{"rho", total}, {"rho_exact", rho.to_string()}};
  if (!question.delta || question.delta->value().is_zero()) return {};
  TACET_TRY(const accounting::ZcdpToDp converted,
            accounting::epsilon_of_zcdp({0, total}, exact::greatest_double_at_most(question.delta->value().to_rational())));
  result["zcdp"]["epsilon"] = converted.best.epsilon;
  return {};
}

Status gdp_rule(const Question& question, Json& result) {
  std::vector<accounting::GdpTerm> terms;
  for (const Mechanism& one : question.mechanisms) {
    TACET_TRY(privacy::Mu mu, privacy::Mu::of(one.first));
    terms.push_back({std::move(mu), one.times});
  }
  TACET_TRY(const accounting::GdpTotal total, accounting::gdp_composition(terms));
  result["gdp"] = {{"mu", total.mu}, {"mu_squared_exact", total.mu_squared.to_string()}};
  if (!question.delta || question.delta->value().is_zero()) return {};
  TACET_TRY(const accounting::DpGuarantee converted,
            accounting::epsilon_of_gdp(total.mu, exact::greatest_double_at_most(question.delta->value().to_rational())));
  result["gdp"]["epsilon"] = converted.epsilon;
  return {};
}

Result<Question> question_of(const Json& request) {
  Question question;
  if (request.contains("file") == request.contains("losses")) {
    return Error::invalid("losses", request.contains("file") ? "given twice" : "missing", "must be given as one of --file and --losses",
                          R"(for example: --losses '[{"epsilon": 0.1, "times": 30}]')");
  }
  if (const auto file = text_field(request, "file")) {
    TACET_TRY(question.mechanisms, read_losses(*file));
  } else {
    TACET_TRY(const Json list, mechanisms::parse_json(*text_field(request, "losses"), "losses", "a text that is none"));
    TACET_TRY(question.mechanisms, parse_losses(list));
  }
  if (const auto delta = number_field(request, "delta")) {
    TACET_TRY(question.delta, privacy::Delta::parse(*delta));
    if (question.delta->value().is_zero()) {
      return Error::invalid("delta", *delta, "must be greater than 0: with delta 0 only the sum of the epsilons holds",
                            "for example: --delta 1e-6");
    }
  }
  if (const auto epsilon = number_field(request, "at-epsilon")) {
    TACET_TRY(question.at_epsilon, privacy::Epsilon::parse(*epsilon));
  }
  if (const auto epsilon = number_field(request, "epsilon-budget")) {
    TACET_TRY(question.budget, privacy::Epsilon::parse(*epsilon));
  }
  if (const auto n = number_field(request, "n")) {
    TACET_TRY(question.n, whole_number("n", *n, 2, 1000000000000000000));
  }
  if (!question.delta && !question.at_epsilon) {
    return Error::invalid("target", "missing", "must be --delta (for an epsilon) or --at-epsilon (for a delta)",
                          "for example: --delta 1e-6");
  }
  if (!question.delta && (question.budget || question.n))
    return Error::invalid("delta", "missing", "must be given for a filter or an odometer", "for example: --delta 1e-6");
  return question;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const Question question, question_of(request));
  Json result = {{"basic", nullptr},  {"advanced", nullptr}, {"optimal", nullptr},
                 {"filter", nullptr}, {"odometer", nullptr}, {"numerical", nullptr}};
  if (question.delta) result["delta"] = question.delta->value().to_string();
  if (question.at_epsilon) result["at_epsilon"] = question.at_epsilon->value().to_string();
  const std::vector<Mechanism>& mechanisms = question.mechanisms;
  std::uint64_t times = 0;
  for (const Mechanism& one : mechanisms) times += one.times;
  result["mechanisms"] = times;
  context.tell("composing");
  if (all(mechanisms, has_epsilon)) {
    TACET_CHECK(epsilon_rules(question, result));
    TACET_CHECK(adaptive_rules(question, result));
  }
  const bool only_known = all(mechanisms, [](const Mechanism& one) { return one.kind == MechanismKind::Known; });
  if (all(mechanisms, has_distribution) && !only_known) TACET_CHECK(accountant_rule(question, result));  // else it is what "optimal" says
  if (all(mechanisms, has_rho)) TACET_CHECK(zcdp_rule(question, result));
  if (all(mechanisms, has_mu)) TACET_CHECK(gdp_rule(question, result));
  return result;
}

class Rows {
 public:
  explicit Rows(const Json& result) : result_(result) {}
  /// A row if the value is there: "basic", or "optimal" and "epsilon".
  void add(report::TextTable& table, const std::string& words, const char* field, const char* part, const std::string& holds) const {
    const Json value = result_.value(field, Json());
    const Json inner = part == nullptr ? value : value.is_object() ? value.value(part, Json()) : Json();
    if (inner.is_number()) table.add({words, fmt::format("{:.9g}", inner.get<double>()), holds});
  }

 private:
  const Json& result_;
};

std::string words(const Json& result) {
  const Rows rows(result);
  std::string out;
  if (result.contains("delta")) {
    out += fmt::format("{} releases together; the least proven epsilon for delta {}:\n", result.at("mechanisms").get<std::uint64_t>(),
                       result.at("delta").get<std::string>());
    report::TextTable table({"rule", "epsilon", "holds for"});
    rows.add(table, "basic (sum)", "basic", nullptr, "any losses");
    rows.add(table, "advanced", "advanced", nullptr, "losses fixed in advance");
    rows.add(table, "optimal", "optimal", "epsilon", "losses fixed in advance");
    rows.add(table, "numerical, from the laws of the noise", "numerical", "epsilon", "losses fixed in advance");
    rows.add(table, "rho adds up", "zcdp", "epsilon", "any losses");
    rows.add(table, "mu^2 adds up", "gdp", "epsilon", "any losses");
    rows.add(table, "odometer", "odometer_bound", nullptr, "losses chosen as results come in");
    out += table.render();
  }
  if (result.contains("at_epsilon")) {
    out += fmt::format("The least proven delta for epsilon {}:\n", result.at("at_epsilon").get<std::string>());
    report::TextTable table({"rule", "delta", "holds for"});
    rows.add(table, "optimal", "optimal", "delta", "losses fixed in advance");
    rows.add(table, "numerical, from the laws of the noise", "numerical", "delta", "losses fixed in advance");
    out += table.render();
  }
  if (result.contains("filters")) {
    report::TextTable table({"filter", "spent", "may all of it be released?"});
    for (const auto& [name, filter] : result.at("filters").items()) {
      if (filter.is_object())
        table.add({name, fmt::format("{:.9g}", filter.at("spent").get<double>()), filter.at("go").get<bool>() ? "yes" : "no"});
    }
    out += "Filters for that budget, for losses chosen as results come in:\n" + table.render();
  }
  return out;
}

}  // namespace

Verb compose_verb() {
  return {
      "compose",
      "What many releases give away together, by every rule that holds for them",
      "tacet compose --losses '[{\"epsilon\": 0.1, \"times\": 30}]' --delta 1e-6 --epsilon-budget 3 --n 10000",
      {{"file", "F", "a JSON list of losses: [{\"epsilon\": e, \"delta\": d, \"times\": k}, {\"laplace\": e}, {\"mu\": m}, {\"rho\": r}]"},
       {"losses", "JSON", "the same list, as text, instead of --file"},
       {"delta", "D", "the delta for which epsilons are wanted", FieldKind::Number},
       {"at-epsilon", "E", "the epsilon for which deltas are wanted", FieldKind::Number},
       {"epsilon-budget", "E", "would filters with this budget (and --delta) let it all pass?", FieldKind::Number},
       {"n", "N", "the number of people, for the odometer", FieldKind::Number}},
      run,
      words};
}

}  // namespace tacet::service
