#include "tacet/workflow/plan/plan_budget.h"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/conversion.h"
#include "tacet/accounting/short_decimal.h"
#include "tacet/data/counts.h"
#include "tacet/data/moments.h"
#include "tacet/exact/rounding.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/inference/level.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/numeric/noise_sum.h"
#include "tacet/workflow/privacy/convert.h"
#include "tacet/workflow/release/moment_design.h"

namespace tacet {
namespace {

using privacy::Currency;

constexpr int kBudgetDigits = 4;
constexpr long kLeastCoefficient = 1000;  // of four digits
constexpr long kMostReleases = 1'000'000;
constexpr double kMostPlannedCells = 1e7;
constexpr long kLeastPower = -300;
constexpr long kMostPower = 6;

bool is_pure(Currency currency) { return currency == Currency::PureDp; }

PrivacyAmount amount_of(Currency currency, const Decimal& value) {
  const Digits digits(value.to_string());
  if (currency == Currency::Zcdp) return Rho{digits};
  if (currency == Currency::Gdp) return Mu{digits};
  return Epsilon{digits};
}

Decimal power_of_ten(long power) { return *Decimal::parse(fmt::format("1e{}", power)); }
Decimal with_digits(long coefficient, long power) { return *Decimal::parse(fmt::format("{}e{}", coefficient, power - 3)); }

/// Two neighbouring decimals of four digits between which a statement about amounts becomes true.
struct Border {
  Decimal still_false, already_true;
};
using Statement = std::function<Result<bool>(const Decimal& amount)>;

/// The statement is false for small amounts and true for large ones. It counts as false where a
/// small amount is refused; a refusal of a large amount is the answer.
Result<Border> border_of(const Statement& statement) {
  const auto holds = [&](const Decimal& amount) {
    const Result<bool> found = statement(amount);
    return found.ok() && *found;
  };
  long power = 0;
  if (holds(power_of_ten(0))) {
    while (power > kLeastPower && holds(power_of_ten(power - 1))) --power;
    if (power == kLeastPower) return Error::of(Code::Unsupported, "less than 1e-300 of any currency is enough for this wish");
    --power;
  } else {
    for (;; ++power) {
      if (power == kMostPower) {
        return Error::of(Code::Unsupported, "no budget up to 1e6 is enough for this wish", "wish for less, or for more people");
      }
      TACET_TRY(const bool enough, statement(power_of_ten(power + 1)));
      if (enough) break;
    }
  }
  long low = kLeastCoefficient;
  long high = 10 * kLeastCoefficient;
  while (high - low > 1) {
    const long middle = (low + high) / 2;
    (holds(with_digits(middle, power)) ? high : low) = middle;
  }
  return Border{with_digits(low, power), with_digits(high, power)};
}

/// What one release with an amount gets.
struct Accuracy {
  double noise_sd, margin;
};
using AccuracyOf = std::function<Result<Accuracy>(Currency currency, const Decimal& amount)>;

const char* const kPerson = "the person";

/// The schema of such a dataset, as far as sensitivities depend on it.
data::Schema planned_schema(const BudgetPlanRequest& request) {
  data::Schema schema;
  schema.relation = request.relation;
  if (!request.contributions) return schema;
  const auto& [rows, groups, count] = *request.contributions;
  schema.contributions = data::Contributions{kPerson, static_cast<std::int64_t>(rows), std::nullopt};
  if (groups) schema.contributions->groups = static_cast<std::int64_t>(*groups);
  schema.columns.push_back({.name = kPerson});
  return schema;
}

Result<kernel::NoisePlan> count_noise(Currency currency, const Decimal& amount, const BudgetPlanRequest& request) {
  TACET_TRY(const privacy::Loss loss, loss_of(amount_of(currency, amount)));
  const CountUnit unit = request.contributions ? request.contributions->count : CountUnit::People;
  return mechanisms::plan_counts(is_pure(currency) ? mechanisms::CountMechanism::Laplace : mechanisms::CountMechanism::Gaussian,
                                 data::count_sensitivity(request.relation, data::person_limit(planned_schema(request), unit)), loss);
}

double sd_of(const kernel::NoisePlan& plan) {
  return plan.family == kernel::NoiseFamily::Laplace ? std::sqrt(2.0) * plan.scale : plan.scale;
}

Result<Accuracy> count_accuracy(const CountWish& wish, const BudgetPlanRequest& request, Currency currency, const Decimal& amount) {
  TACET_TRY(const kernel::NoisePlan plan, count_noise(currency, amount, request));
  const double margin = inference::count_margin({plan.family, plan.scale}, std::ldexp(1.0, -plan.grid_log2), wish.cells,
                                                1 - request.confidence, inference::IntervalKind::Simultaneous);
  return Accuracy{sd_of(plan), margin};
}

/// The column of the mean, without data.
struct MeanColumn {
  data::MomentDesign design;
  double half_range, off_middle;  // off_middle: how far the mean may be from the centre
};

Result<Decimal> bound_of(const char* name, const Digits& digits) {
  auto value = Decimal::parse(digits.text());
  if (!value.ok())
    return Error::invalid(name, digits.text().substr(0, 40), "must be two finite decimal numbers", "for example: bounds = 0,120");
  return *std::move(value);
}

Result<MeanColumn> mean_column(const MeanWish& wish, const BudgetPlanRequest& request) {
  data::Bounds bounds;
  TACET_TRY(bounds.lower, bound_of("bounds", wish.lower));
  TACET_TRY(bounds.upper, bound_of("bounds", wish.upper));
  if (bounds.lower >= bounds.upper) {
    return Error::invalid("bounds", fmt::format("{},{}", wish.lower.text().substr(0, 40), wish.upper.text().substr(0, 40)),
                          "must be a lower bound and a greater upper bound", "for example: bounds = 0,120");
  }
  // A value for missing numbers keeps n public, as if nothing were missing.
  bounds.resolution = (bounds.upper - bounds.lower) * *Decimal::parse("0.001");
  bounds.missing = (bounds.upper + bounds.lower) * *Decimal::parse("0.5");
  const double lower = bounds.lower.approximate(), upper = bounds.upper.approximate();
  data::Schema schema = planned_schema(request);
  schema.columns.push_back({"the column", std::nullopt, std::move(bounds), {}});
  TACET_TRY(data::MomentDesign design, data::design_moments(schema, {.columns = {"the column"}, .products = false, .counts = true}));
  const double half = (upper - lower) / 2;
  if (wish.expected && !(*wish.expected >= lower && *wish.expected <= upper)) {
    return Error::invalid("expected", fmt::format("{}", *wish.expected), "must lie between the bounds", "leave it out if nothing is known");
  }
  const double off_middle = wish.expected ? std::abs(*wish.expected - (lower + upper) / 2) : half;
  return MeanColumn{std::move(design), half, off_middle};
}

/// The probability that the error of the mean exceeds `within`.
class MeanMiss {
 public:
  MeanMiss(const mechanisms::GroupMoments& noise, bool laplace, double off_middle, double n)
      : laplace_(laplace), sum_(noise.sums[0].scale), people_(noise.people.scale), off_middle_(off_middle), n_(n) {}

  double operator()(double within) const {
    const double sum = tail(sum_, (off_middle_ + within) * people_, within * n_);
    if (!(people_ > 0)) return 2 * sum;
    return sum + tail(sum_, (off_middle_ - within) * people_, within * n_) + tail(0, people_, n_);
  }

 private:
  double tail(double first, double second, double beyond) const {
    if (laplace_) return numeric::NoiseSum(0, {{.weight = first}, {.weight = second}}).upper(beyond);
    return numeric::NoiseSum(first * first + second * second).upper(beyond);
  }
  bool laplace_;
  double sum_, people_, off_middle_, n_;
};

Result<Accuracy> mean_accuracy(const MeanColumn& column, const MeanWish& wish, double alpha, Currency currency, const Decimal& amount) {
  const auto mechanism = is_pure(currency) ? MomentMechanism::Laplace : MomentMechanism::Gaussian;
  TACET_TRY(const std::vector<double> weights, noise_weights(column.design, mechanism, MomentGoal::Region));
  const PrivacyAmount asked = amount_of(currency, amount);
  TACET_TRY(const privacy::Loss loss, charged_loss(asked, mechanism, column.design.sensitivity, weights, currency));
  TACET_TRY(const MomentPlan plan, plan_moments(mechanism, column.design.sensitivity, weights, loss));
  const std::vector<double> scales = planned_scales(plan);
  const mechanisms::GroupMoments noise =
      group_moments(column.design.columns, column.design.layout, 0, std::vector<double>(scales.size()), scales);
  const auto n = static_cast<double>(wish.n);
  const MeanMiss miss(noise, is_pure(currency), column.off_middle, n);
  const double per_scale = is_pure(currency) ? std::sqrt(2.0) : 1;
  const double sd = per_scale * std::hypot(noise.sums[0].scale, column.off_middle * noise.people.scale) / n;
  // The least margin by bisection. No error within the bounds is larger than their distance.
  double low = 0;
  double high = 2 * column.half_range;
  if (miss(high) > alpha) return Accuracy{sd, HUGE_VAL};
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (miss(middle) > alpha ? low : high) = middle;
  }
  return Accuracy{sd, high};
}

double value_up(const Decimal& value) { return exact::least_double_at_least(value.to_rational()); }

/// What a total promises, and the best guess after it.
Status add_meaning(PlannedBudget& budget, const Digits& delta) {
  const double up = value_up(budget.total);
  if (is_pure(budget.currency)) {
    budget.epsilon = up;
    budget.delta = 0;
    budget.guessed_right = 1 / (1 + std::exp(-up));
    return {};
  }
  const bool rho = budget.currency == Currency::Zcdp;
  const Digits digits(budget.total.to_string());
  TACET_TRY(const DpConversion at, epsilon_at_delta(rho ? GaussianAmount(Rho{digits}) : GaussianAmount(Mu{digits}), delta));
  budget.epsilon = at.best.epsilon;
  TACET_TRY(const privacy::Delta told, privacy::Delta::parse(delta.text()));
  budget.delta = told.value().approximate();
  double apart = 0;  // the largest difference of probabilities: delta at epsilon 0
  if (rho) {
    TACET_TRY(const accounting::ZcdpToDp distance, accounting::delta_of_zcdp({0, up}, 0));
    apart = distance.best.delta;
  } else {
    TACET_TRY(const DpGuarantee distance, accounting::delta_of_gdp(up, 0));
    apart = distance.delta;
  }
  budget.guessed_right = (1 + apart) / 2;
  return {};
}

Decimal times(const Decimal& amount, std::uint64_t releases) { return amount * Decimal(static_cast<long>(releases)); }

/// The total that pays for all releases: amounts add up, or their squares.
Result<Decimal> total_of(Currency currency, const Decimal& each, std::uint64_t releases) {
  if (releases == 1) return each;
  if (currency != Currency::Gdp) return times(each, releases);
  const Decimal squares = times(each * each, releases);
  if (const auto root = squares.exact_root()) return *root;
  TACET_TRY(const Border border, border_of([&](const Decimal& mu) -> Result<bool> { return mu * mu >= squares; }));
  return border.already_true;
}

/// The share of one release.
Result<Decimal> share_of(Currency currency, const Decimal& total, std::uint64_t releases) {
  if (releases == 1) return total;
  if (currency != Currency::Gdp)
    return accounting::short_decimal_down(total.to_rational() / mpq_class(static_cast<unsigned long>(releases)), kBudgetDigits);
  TACET_TRY(const Border border, border_of([&](const Decimal& mu) -> Result<bool> { return times(mu * mu, releases) > total * total; }));
  return border.still_false;
}

PlannedBudget blank_budget(Currency currency) {
  return {.currency = currency,
          .mechanism = is_pure(currency) ? mechanisms::CountMechanism::Laplace : mechanisms::CountMechanism::Gaussian,
          .total = {},
          .each = {},
          .noise_sd = 0,
          .margin = {},
          .epsilon = 0,
          .delta = 0,
          .guessed_right = 0};
}

Result<PlannedBudget> for_accuracy(Currency currency, double within, const AccuracyOf& accuracy, const BudgetPlanRequest& request) {
  PlannedBudget budget = blank_budget(currency);
  TACET_TRY(const Border border, border_of([&](const Decimal& amount) -> Result<bool> {
              TACET_TRY(const Accuracy reached, accuracy(currency, amount));
              return reached.margin <= within;
            }));
  budget.each = border.already_true;
  TACET_TRY(const Accuracy reached, accuracy(currency, budget.each));
  budget.noise_sd = reached.noise_sd;
  budget.margin = reached.margin;
  TACET_TRY(budget.total, total_of(currency, budget.each, request.releases));
  TACET_CHECK(add_meaning(budget, request.delta));
  return budget;
}

Result<PlannedBudget> for_promise(Currency currency, const PromiseWish& wish, const BudgetPlanRequest& request) {
  PlannedBudget budget = blank_budget(currency);
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(wish.epsilon.text()));
  if (is_pure(currency)) {
    budget.total = epsilon.value();
  } else {
    const double target = exact::greatest_double_at_most(epsilon.value().to_rational());
    TACET_TRY(const Border border, border_of([&](const Decimal& amount) -> Result<bool> {
                const Digits digits(amount.to_string());
                TACET_TRY(
                    const DpConversion at,
                    epsilon_at_delta(currency == Currency::Zcdp ? GaussianAmount(Rho{digits}) : GaussianAmount(Mu{digits}), wish.delta));
                return at.best.epsilon > target;
              }));
    budget.total = border.still_false;
  }
  TACET_TRY(budget.each, share_of(currency, budget.total, request.releases));
  TACET_TRY(const kernel::NoisePlan noise, count_noise(currency, budget.each, request));
  budget.noise_sd = sd_of(noise);
  TACET_CHECK(add_meaning(budget, wish.delta));
  return budget;
}

/// Gaussian noise alone: rho = mu^2/2, with four digits.
Result<Decimal> rho_of_gaussian(const Decimal& mu) { return accounting::short_decimal_down((mu * mu).to_rational() / 2, kBudgetDigits); }

template <class Make>
Result<BudgetPlan> in_every_currency(const Make& make) {
  TACET_TRY(PlannedBudget rho, make(Currency::Zcdp));
  TACET_TRY(PlannedBudget mu, make(Currency::Gdp));
  TACET_TRY(PlannedBudget epsilon, make(Currency::PureDp));
  return BudgetPlan{std::move(rho), std::move(mu), std::move(epsilon), std::nullopt};
}

Status check_within(const char* name, double within) {
  if (within > 0 && std::isfinite(within)) return {};
  return Error::invalid(name, fmt::format("{}", within), "must be a finite number greater than 0",
                        fmt::format("for example: {} = 20", name));
}

Status check_contribution(const char* name, std::uint64_t limit) {
  if (limit >= 1 && limit <= static_cast<std::uint64_t>(data::kMostContributions)) return {};
  return Error::invalid(name, fmt::format("{}", limit), fmt::format("must be a whole number from 1 to {}", data::kMostContributions),
                        fmt::format("for example: {} = 3", name));
}

Result<BudgetPlan> plan_for_counts(const CountWish& wish, const BudgetPlanRequest& request) {
  TACET_CHECK(check_within("count-within", wish.within));
  if (wish.cells < 1 || static_cast<double>(wish.cells) > kMostPlannedCells) {
    return Error::invalid("cells", fmt::format("{}", wish.cells), "must be a whole number from 1 to 10^7", "for example: cells = 12");
  }
  const AccuracyOf accuracy = [&](Currency currency, const Decimal& amount) { return count_accuracy(wish, request, currency, amount); };
  return in_every_currency([&](Currency currency) { return for_accuracy(currency, wish.within, accuracy, request); });
}

Result<BudgetPlan> plan_for_mean(const MeanWish& wish, const BudgetPlanRequest& request) {
  TACET_CHECK(check_within("mean-within", wish.within));
  TACET_CHECK(mechanisms::check_people(static_cast<double>(wish.n)));
  if (wish.n < 1) return Error::invalid("n", "0", "must be at least 1: nobody has no mean");
  TACET_TRY(const MeanColumn column, mean_column(wish, request));
  if (wish.within >= 2 * column.half_range) {
    return Error::invalid("mean-within", fmt::format("{}", wish.within),
                          "must be less than the distance of the bounds, within which every mean is", "for example a hundredth of it");
  }
  const AccuracyOf accuracy = [&](Currency currency, const Decimal& amount) {
    return mean_accuracy(column, wish, 1 - request.confidence, currency, amount);
  };
  return in_every_currency([&](Currency currency) { return for_accuracy(currency, wish.within, accuracy, request); });
}

Result<BudgetPlan> plan_for_promise(const PromiseWish& wish, const BudgetPlanRequest& request) {
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(wish.delta.text()));
  if (delta.value().is_zero()) {
    return Error::invalid("delta", wish.delta.text().substr(0, 40), "must be greater than 0: no rho and no mu keep a pure epsilon",
                          "`budget create` takes the epsilon itself, or give delta = 1e-6");
  }
  TACET_TRY(BudgetPlan plan, in_every_currency([&](Currency currency) { return for_promise(currency, wish, request); }));
  TACET_TRY(plan.rho_if_gaussian, rho_of_gaussian(plan.mu.total));
  return plan;
}

}  // namespace

Result<BudgetPlan> plan_budget(const BudgetPlanRequest& request) {
  TACET_CHECK(inference::check_confidence(request.confidence));
  if (request.releases < 1 || request.releases > static_cast<std::uint64_t>(kMostReleases)) {
    return Error::invalid("releases", fmt::format("{}", request.releases), "must be a whole number from 1 to 10^6",
                          "for example: releases = 4");
  }
  if (request.contributions) {
    TACET_CHECK(check_contribution("rows", request.contributions->rows));
    TACET_CHECK(check_contribution("groups", request.contributions->groups.value_or(1)));
  }
  if (const auto* counts = std::get_if<CountWish>(&request.wish)) return plan_for_counts(*counts, request);
  if (const auto* mean = std::get_if<MeanWish>(&request.wish)) return plan_for_mean(*mean, request);
  return plan_for_promise(std::get<PromiseWish>(request.wish), request);
}

}  // namespace tacet
