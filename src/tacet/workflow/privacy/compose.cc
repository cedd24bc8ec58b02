#include "tacet/workflow/privacy/compose.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/accountant.h"
#include "tacet/accounting/conversion.h"
#include "tacet/accounting/losses.h"
#include "tacet/accounting/odometer.h"
#include "tacet/accounting/zcdp_odometer.h"
#include "tacet/exact/rounding.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/privacy/convert.h"

namespace tacet {
namespace {

using accounting::Bounds;
using privacy::Filter;
using privacy::Step;

enum class Kind : std::uint8_t { Promise, Laplace, Gaussian, Zcdp };

/// A loss whose parameters have been checked.
struct Mechanism {
  Kind kind;
  Decimal first, delta;  // epsilon, epsilon, mu or rho; a delta beside a promise alone
  std::uint64_t times;
  Decimal xi{};  // beside a rho alone
};

struct Question {
  std::vector<Mechanism> mechanisms;
  std::optional<privacy::Delta> delta;
  std::optional<privacy::Epsilon> at_epsilon, budget;
  std::optional<std::uint64_t> n;
};

bool has_epsilon(const Mechanism& one) { return one.kind == Kind::Promise || one.kind == Kind::Laplace; }
bool has_rho(const Mechanism& one) { return one.kind != Kind::Promise || one.delta.is_zero(); }
bool has_mu(const Mechanism& one) { return one.kind == Kind::Gaussian; }
bool has_distribution(const Mechanism& one) { return one.kind != Kind::Zcdp; }

template <class Property>
bool all(const std::vector<Mechanism>& mechanisms, Property property) {
  return std::all_of(mechanisms.begin(), mechanisms.end(), property);
}

/// A parameter, checked by the type of its currency.
template <class Parameter>
Result<Decimal> checked(const Digits& digits) {
  TACET_TRY(const Parameter parsed, Parameter::parse(digits.text()));
  return parsed.value();
}

Result<Mechanism> mechanism_of(const RepeatedLoss& repeated) {
  if (repeated.times < 1 || repeated.times > accounting::LossList::kMostTimes) {
    return Error::invalid("times", fmt::format("{}", repeated.times),
                          fmt::format("must be a whole number between 1 and {}", accounting::LossList::kMostTimes));
  }
  Mechanism one{Kind::Promise, {}, {}, repeated.times};
  if (const auto* noise = std::get_if<LaplaceNoise>(&repeated.loss)) {
    one.kind = Kind::Laplace;
    TACET_TRY(one.first, checked<privacy::Epsilon>(noise->epsilon));
  } else if (const auto* mu = std::get_if<Mu>(&repeated.loss)) {
    one.kind = Kind::Gaussian;
    TACET_TRY(one.first, checked<privacy::Mu>(mu->value));
  } else if (const auto* rho = std::get_if<Rho>(&repeated.loss)) {
    one.kind = Kind::Zcdp;
    TACET_TRY(one.first, checked<privacy::Rho>(rho->value));
  } else if (const auto* shifted = std::get_if<ShiftedRho>(&repeated.loss)) {
    one.kind = Kind::Zcdp;
    TACET_TRY(one.first, checked<privacy::Rho>(shifted->rho));
    TACET_TRY(one.xi, checked_xi(shifted->xi));
  } else if (const auto* pure = std::get_if<Epsilon>(&repeated.loss)) {
    TACET_TRY(one.first, checked<privacy::Epsilon>(pure->value));
  } else {
    const auto& both = std::get<EpsilonDelta>(repeated.loss);
    TACET_TRY(one.first, checked<privacy::Epsilon>(both.epsilon));
    TACET_TRY(one.delta, checked<privacy::Delta>(both.delta));
  }
  return one;
}

Result<Question> question_of(const CompositionRequest& request) {
  const std::size_t size = request.losses.size();
  if (size == 0 || size > accounting::LossList::kMostTerms)
    return Error::invalid("losses", fmt::format("a list of {}", size), "must be at least one loss and at most a million");
  Question question;
  question.mechanisms.reserve(size);
  for (const RepeatedLoss& repeated : request.losses) {
    TACET_TRY(Mechanism one, mechanism_of(repeated));
    question.mechanisms.push_back(std::move(one));
  }
  if (request.delta) {
    TACET_TRY(question.delta, privacy::Delta::parse(request.delta->text()));
    if (question.delta->value().is_zero()) {
      return Error::invalid("delta", request.delta->text(), "must be greater than 0: with delta 0 only the sum of the epsilons holds",
                            "for example: delta = 1e-6");
    }
  }
  if (request.at_epsilon) {
    TACET_TRY(question.at_epsilon, privacy::Epsilon::parse(request.at_epsilon->text()));
  }
  if (request.epsilon_budget) {
    TACET_TRY(question.budget, privacy::Epsilon::parse(request.epsilon_budget->text()));
  }
  question.n = request.n;
  if (!question.delta && !question.at_epsilon) {
    return Error::invalid("target", "missing", "must be delta (for an epsilon) or at-epsilon (for a delta)", "for example: delta = 1e-6");
  }
  if (!question.delta && (question.budget || question.n))
    return Error::invalid("delta", "missing", "must be given for a filter or an odometer", "for example: delta = 1e-6");
  return question;
}

Result<Step> step_of(const Mechanism& one) {
  switch (one.kind) {
    case Kind::Gaussian: return Step::of(privacy::GaussianLoss{one.first * one.first});
    case Kind::Zcdp: {
      TACET_TRY(const privacy::Rho rho, privacy::Rho::of(one.first));
      // has_mu() says that only Gaussian noise counts in mu.
      return Step::of(privacy::gaussian_loss_from_rho(rho));
    }
    case Kind::Promise:
    case Kind::Laplace: break;
  }
  return Step::of(one.delta.is_zero() ? privacy::Loss(privacy::PureLoss{one.first})
                                      : privacy::Loss(privacy::ApproximateLoss{one.first, one.delta}));
}

struct RepeatedStep {
  Step step;
  std::uint64_t times = 1;
};

Result<std::vector<RepeatedStep>> steps_of(const std::vector<Mechanism>& mechanisms) {
  std::vector<RepeatedStep> steps;
  for (const Mechanism& one : mechanisms) {
    TACET_TRY(const Step step, step_of(one));
    steps.push_back({step, one.times});
  }
  return steps;
}

/// A total beyond the budget stays beyond it, so the last verdict is that of the whole list.
std::optional<FilterAnswer> ask(Filter filter, const std::vector<RepeatedStep>& steps) {
  bool go = true;
  for (const auto& [step, times] : steps) {
    const auto verdict = filter.ask(step, times);
    const auto after = filter.forced(step, times);
    if (!verdict || !after) return std::nullopt;
    go = *verdict == privacy::Verdict::Go;
    filter = *after;
  }
  return FilterAnswer{filter.rule(), filter.spent(), go};
}

/// The rules for losses of which an epsilon is known.
Status epsilon_rules(const Question& question, Composition& answer) {
  std::vector<accounting::LossTerm> terms;
  for (const Mechanism& one : question.mechanisms) {
    TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(one.first));
    TACET_TRY(const privacy::Delta delta, privacy::Delta::of(one.delta));
    TACET_TRY(accounting::LossTerm term, accounting::LossTerm::of(epsilon, delta, one.times));
    terms.push_back(std::move(term));
  }
  TACET_TRY(const accounting::LossList losses, accounting::LossList::of(std::move(terms)));
  answer.basic = accounting::basic_composition(losses);
  EnclosedDp optimal;
  if (question.delta) {
    TACET_TRY(answer.advanced, accounting::advanced_epsilon(losses, *question.delta));
    TACET_TRY(optimal.epsilon, accounting::optimal_epsilon(losses, *question.delta));
  }
  if (question.at_epsilon) {
    TACET_TRY(optimal.delta, accounting::optimal_delta(losses, *question.at_epsilon));
  }
  answer.optimal = optimal;
  return {};
}

/// The rules for losses that are chosen as results come in.
Status adaptive_rules(const Question& question, Composition& answer) {
  TACET_TRY(const std::vector<RepeatedStep> steps, steps_of(question.mechanisms));
  if (question.budget && question.delta) {
    TACET_TRY(const Filter rogers, rogers_filter(*question.budget, *question.delta));
    TACET_TRY(const Filter basic, basic_filter(*question.budget, *question.delta));
    const bool pure = all(question.mechanisms, [](const Mechanism& one) { return one.delta.is_zero(); });
    TACET_TRY(const privacy::Delta slack,
              privacy::Delta::of(pure ? question.delta->value() : question.delta->value() * *Decimal::parse("0.5")));
    TACET_TRY(const Filter whitehouse, whitehouse_filter(*question.budget, *question.delta, slack));
    answer.filters = FilterAnswers{ask(basic, steps), ask(rogers, steps), ask(whitehouse, steps)};
  }
  if (question.n && question.delta) {
    TACET_TRY(accounting::Odometer odometer, accounting::Odometer::of(*question.delta, *question.n));
    for (const auto& [step, times] : steps) TACET_CHECK(odometer.spend(step, times));
    const auto finite = [](double bound) { return std::isfinite(bound) ? std::optional(bound) : std::nullopt; };
    answer.odometer = OdometerAnswer{finite(odometer.advanced()), finite(odometer.bound())};
  }
  return {};
}

/// Uses the whole distribution of each loss, not only its epsilon.
Status accountant_rule(const Question& question, Composition& answer) {
  accounting::Accountant accountant;
  for (const Mechanism& one : question.mechanisms) {
    if (one.kind == Kind::Gaussian) {
      TACET_TRY(const privacy::Mu mu, privacy::Mu::of(one.first));
      TACET_CHECK(accountant.add_gaussian(mu, one.times));
      continue;
    }
    TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(one.first));
    if (one.kind == Kind::Laplace) {
      TACET_CHECK(accountant.add_laplace(epsilon, one.times));
    } else {
      TACET_TRY(const privacy::Delta delta, privacy::Delta::of(one.delta));
      TACET_CHECK(accountant.add_response(epsilon, delta, one.times));
    }
  }
  EnclosedDp numerical;
  if (question.delta) {
    TACET_TRY(numerical.epsilon, accountant.epsilon(*question.delta));
  }
  if (question.at_epsilon) {
    TACET_TRY(numerical.delta, accountant.delta(*question.at_epsilon));
  }
  answer.numerical = numerical;
  return {};
}

/// A target as a double that is not above it.
double delta_down(const privacy::Delta& delta) { return exact::greatest_double_at_most(delta.value().to_rational()); }

/// What an odometer reads; nothing outside of its domain.
std::optional<double> reading_of(double rho, const privacy::Delta& delta) {
  const auto reading = accounting::zcdp_odometer(rho, delta_down(delta));
  return reading ? std::optional(*reading) : std::nullopt;
}

Status rho_rule(const Question& question, Composition& answer) {
  static const Decimal half = *Decimal::parse("0.5");
  Decimal sum, xi;
  for (const Mechanism& one : question.mechanisms) {
    const Decimal each = one.kind == Kind::Zcdp ? one.first : one.first * one.first * half;
    const Decimal times(static_cast<long>(one.times));
    sum = sum + each * times;
    xi = xi + one.xi * times;
  }
  RhoTotal total{sum, xi, exact::least_double_at_least(sum.to_rational()), std::nullopt, std::nullopt};
  if (question.delta) {
    TACET_TRY(const accounting::ZcdpToDp converted, accounting::epsilon_of_zcdp({xi_up(xi), total.rho}, delta_down(*question.delta)));
    total.epsilon = converted.best.epsilon;
    if (xi.is_zero()) total.odometer = reading_of(total.rho, *question.delta);
  }
  answer.rho = std::move(total);
  return {};
}

Status mu_rule(const Question& question, Composition& answer) {
  std::vector<accounting::GdpTerm> terms;
  for (const Mechanism& one : question.mechanisms) {
    TACET_TRY(privacy::Mu mu, privacy::Mu::of(one.first));
    terms.push_back({std::move(mu), one.times});
  }
  TACET_TRY(const accounting::GdpTotal sum, accounting::gdp_composition(terms));
  MuTotal total{sum.mu_squared, sum.mu, std::nullopt, std::nullopt};
  if (question.delta) {
    TACET_TRY(const accounting::DpGuarantee converted, accounting::epsilon_of_gdp(sum.mu, delta_down(*question.delta)));
    total.epsilon = converted.epsilon;
    static const Decimal half = *Decimal::parse("0.5");
    total.odometer = reading_of(exact::least_double_at_least((sum.mu_squared * half).to_rational()), *question.delta);
  }
  answer.mu = std::move(total);
  return {};
}

}  // namespace

Result<Composition> compose_losses(const CompositionRequest& request, const Context& context) {
  TACET_TRY(const Question question, question_of(request));
  const std::vector<Mechanism>& mechanisms = question.mechanisms;
  Composition answer;
  if (question.delta) answer.delta = question.delta->value();
  if (question.at_epsilon) answer.at_epsilon = question.at_epsilon->value();
  for (const Mechanism& one : mechanisms) answer.mechanisms += one.times;
  context.tell("composing");
  if (all(mechanisms, has_epsilon)) {
    TACET_CHECK(epsilon_rules(question, answer));
    TACET_CHECK(adaptive_rules(question, answer));
  }
  // If only promises are known, the distributions give the result of `optimal`.
  const bool only_promises = all(mechanisms, [](const Mechanism& one) { return one.kind == Kind::Promise; });
  if (all(mechanisms, has_distribution) && !only_promises) TACET_CHECK(accountant_rule(question, answer));
  if (all(mechanisms, has_rho)) TACET_CHECK(rho_rule(question, answer));
  if (all(mechanisms, has_mu)) TACET_CHECK(mu_rule(question, answer));
  return answer;
}

}  // namespace tacet
