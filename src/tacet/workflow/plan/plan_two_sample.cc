#include "tacet/workflow/plan/plan_two_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/planning/equal_means_power.h"
#include "tacet/planning/people_needed.h"
#include "tacet/workflow/people_or_power.h"
#include "tacet/workflow/plan/blank_release.h"

namespace tacet {
namespace {

using planning::MeansQuestion;

constexpr std::size_t kMostGroups = 1000;

/// One item for all columns, or one for each.
template <class T>
Result<std::vector<T>> for_each_column(const std::string& name, std::vector<T> items, std::size_t columns) {
  if (items.size() == 1) items.resize(columns, T(items.front()));
  if (items.size() == columns) return items;
  return Error::invalid(
      name, items.empty() ? "missing" : fmt::format("{} numbers", items.size()),
      columns == 1 ? "must be one number" : fmt::format("must be one number for all {} columns, or one for each", columns),
      fmt::format("for example: {} = 5", name));
}

/// Without a schema: the names, or one for each number of the longest list.
std::vector<std::string> column_names(const MeansPlanRequest& request) {
  if (!request.columns.empty()) return request.columns;
  const std::size_t count = std::max({request.lower.size(), request.upper.size(), request.sd.size(), request.difference.size(),
                                      request.mean.size(), request.covariance ? request.covariance->rows : 0});
  std::vector<std::string> names;
  for (std::size_t j = 0; j < count; ++j) names.push_back(fmt::format("column {}", j + 1));
  return names;
}

Result<Decimal> decimal_of(const std::string& name, const Digits& digits) {
  constexpr std::size_t kShown = 40;
  auto value = Decimal::parse(digits.text());
  if (!value) return Error::invalid(name, digits.text().substr(0, kShown), "must be a finite decimal number");
  return *std::move(value);
}

/// A schema with these bounds, and a thousand steps between them.
Result<data::Schema> supposed_schema(const MeansPlanRequest& request, const std::vector<std::string>& names) {
  static const Decimal part = *Decimal::parse("0.001");
  static const Decimal half = *Decimal::parse("0.5");
  TACET_TRY(const std::vector<Digits> lower, for_each_column("lower", request.lower, names.size()));
  TACET_TRY(const std::vector<Digits> upper, for_each_column("upper", request.upper, names.size()));
  data::Schema schema;
  for (std::size_t j = 0; j < names.size(); ++j) {
    data::Bounds bounds;
    TACET_TRY(bounds.lower, decimal_of("lower", lower[j]));
    TACET_TRY(bounds.upper, decimal_of("upper", upper[j]));
    if (bounds.lower >= bounds.upper) {
      return Error::invalid("lower", bounds.lower.to_string(), "must be less than upper, which is " + bounds.upper.to_string(),
                            "for example: lower = 0 upper = 100");
    }
    bounds.resolution = (bounds.upper - bounds.lower) * part;
    bounds.missing = (bounds.upper + bounds.lower) * half;
    schema.columns.push_back({names[j], std::nullopt, std::move(bounds), {}});
  }
  return schema;
}

/// The public facts about the columns: declared by a schema, or assumed.
struct Described {
  data::Schema schema;
  std::vector<std::string> columns;
};

Result<Described> described(const MeansPlanRequest& request) {
  for (const auto& [name, given] : {std::pair("lower", !request.lower.empty()), std::pair("upper", !request.upper.empty())}) {
    if (request.schema && given) {
      return Error::invalid(name, "given with a schema", "must be left out, as the schema declares it",
                            "leave schema out to suppose others");
    }
    if (!request.schema && !given) {
      return Error::invalid(name, "missing", "must be given where no schema declares the bounds",
                            "for example: lower = 0 upper = 100, or schema = patients.toml columns = ldl,hdl");
    }
  }
  if (request.schema) return Described{*request.schema, request.columns};
  std::vector<std::string> names = column_names(request);
  TACET_TRY(data::Schema schema, supposed_schema(request, names));
  return Described{std::move(schema), std::move(names)};
}

/// The covariance of a row, from the standard deviations and one correlation, or as given.
Result<Matrix> row_covariance(const MeansPlanRequest& request, std::size_t columns) {
  if (request.covariance) {
    const Matrix& given = *request.covariance;
    if (given.rows == given.columns) return given;
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", given.rows, given.columns), "must be a square matrix");
  }
  TACET_TRY(const std::vector<double> sd, for_each_column("sd", request.sd, columns));
  for (const double one : sd) {
    if (!(one > 0)) return Error::invalid("sd", fmt::format("{}", one), "must be greater than 0", "for example: sd = 15");
  }
  const double correlation = request.correlation.value_or(0);
  const double least = columns == 1 ? -1 : -1 / static_cast<double>(columns - 1);
  if (!(correlation > least && correlation < 1)) {
    return Error::invalid(
        "correlation", fmt::format("{}", correlation),
        fmt::format("must be greater than {:.4g} and less than 1 for {} columns that are all correlated alike", least, columns),
        "for example: correlation = 0.3");
  }
  Matrix covariance = Matrix::zeros(columns, columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k < columns; ++k) covariance.at(j, k) = sd[j] * sd[k] * (j == k ? 1 : correlation);
  }
  return covariance;
}

Status check_spread(const MeansPlanRequest& request) {
  if (request.sd.empty() == !request.covariance) {
    return Error::invalid("sd", request.sd.empty() ? "missing" : "given with a covariance",
                          "must say how the rows vary, or else a covariance must",
                          "for example: sd = 15,10, or covariance = covariance.json");
  }
  if (request.covariance && request.correlation)
    return Error::invalid("correlation", fmt::format("{}", *request.correlation), "goes with sd", "leave it out, or give sd");
  return {};
}

Result<MeansQuestion> question_of(std::size_t groups, const MeansPlanRequest& request, const Described& columns) {
  MeansQuestion question{};
  TACET_TRY(question.release, blank_release({.schema = columns.schema,
                                             .columns = columns.columns,
                                             .groups = groups,
                                             .membership = request.membership,
                                             .mechanism = request.mechanism,
                                             .loss = request.loss}));
  const std::size_t d = question.release.dimension();
  TACET_TRY(question.covariance, row_covariance(request, d));
  TACET_TRY(question.difference, for_each_column("difference", request.difference, d));
  if (request.mean.empty()) {
    for (const mechanisms::ReleasedColumn& column : question.release.columns) question.mean.push_back((column.lower + column.upper) / 2);
  } else {
    TACET_TRY(question.mean, for_each_column("mean", request.mean, d));
  }
  question.alpha = request.alpha;
  return question;
}

/// People in each group: one number for all, or one for each.
Result<std::vector<double>> people_of(const std::vector<std::uint64_t>& n, std::size_t groups) {
  if (n.size() != 1 && n.size() != groups) {
    return Error::invalid("n", fmt::format("{} numbers", n.size()),
                          groups == 2 ? "must be one number for both groups, or two"
                                      : fmt::format("must be one number for all groups, or one for each of the {}", groups),
                          groups == 2 ? "for example: n = 1000, or n = 500,1500" : "for example: n = 1000");
  }
  std::vector<double> people(n.begin(), n.end());
  people.resize(groups, people.front());
  return people;
}

using PowerOf = std::function<Result<double>(const MeansQuestion&)>;

/// The people in each of equal groups that reach the power. One person has no test.
Result<double> equal_groups(MeansQuestion question, double wanted, const PowerOf& power, std::optional<double> near = {}) {
  const auto with = [&](double people) -> Result<double> {
    if (people < 2) return 0.0;
    question.set_people(std::vector<double>(question.groups(), people));
    return power(question);
  };
  if (near) return planning::people_needed_near(*near, wanted, planning::kMostPeople, with);
  return planning::people_needed(wanted, question.alpha, planning::kMostPeople, with);
}

/// Starts from the distribution for large n, which is fast, and continues by simulation.
Result<double> people_for_power(const MeansQuestion& question, double wanted, const Simulation& simulation) {
  TACET_TRY(const double start, equal_groups(question, wanted, planning::means_power_limit));
  const auto simulated = [&simulation](const MeansQuestion& asked) -> Result<double> {
    TACET_TRY(const planning::MeansPower power, planning::means_power(asked, simulation));
    return power.power;
  };
  return equal_groups(question, wanted, simulated, start);
}

Result<ComparisonPower> power_of(const MeansQuestion& question, const Simulation& simulation) {
  TACET_TRY(const planning::MeansPower power, planning::means_power(question, simulation));
  TACET_TRY(const double without, planning::means_power_without_noise(question));
  return ComparisonPower{power.power, power.standard_error, power.limit, without, power.inconclusive};
}

std::vector<double> people_in(const MeansQuestion& question) {
  std::vector<double> people;
  for (const mechanisms::GroupMoments& part : question.release.parts) people.push_back(part.people.value);
  return people;
}

/// The power from few people to many, in the proportion of the planned groups.
Result<std::vector<MeansPowerPoint>> curve_of(MeansQuestion question, const Simulation& simulation, const Context& context) {
  const std::vector<double> planned = people_in(question);
  const double all = std::accumulate(planned.begin(), planned.end(), 0.0);
  const std::vector<double> sizes =
      planning::curve_sizes(all, 2 * static_cast<double>(planned.size()), std::max(2 * planning::kMostPeople, 20 * all));
  std::vector<MeansPowerPoint> points;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<double> people;
    for (const double one : planned) people.push_back(std::max(2.0, std::round(sizes[i] * one / all)));
    question.set_people(people);
    Simulation own = simulation;
    own.progress = [&](double fraction) {
      context.tell("simulating curves", (static_cast<double>(i) + fraction) / static_cast<double>(sizes.size()));
    };
    TACET_TRY(const ComparisonPower power, power_of(question, own));
    points.push_back({std::accumulate(people.begin(), people.end(), 0.0), power});
  }
  return points;
}

/// The standard deviations of the difference of two means in column j, from sampling and from
/// noise.
PlannedColumn planned_column(const MeansQuestion& question, std::size_t j) {
  const mechanisms::MomentRelease& release = question.release;
  const mechanisms::ReleasedColumn& column = release.columns[j];
  const double variance = question.covariance.at(j, j);
  double sampling = 0;
  double noise = 0;
  for (const std::size_t group : {std::size_t{0}, question.groups() - 1}) {  // others are alike
    const mechanisms::GroupMoments& part = release.parts[group];
    // A mean is a sum about the centre divided by the number of people, which may be noisy too.
    const double away = question.mean[j] + question.offset(group) * question.difference[j] - column.centre;
    const double of_sum = release.sum_noise_sd(part.sums[j].scale) / part.people.value;
    const double of_people = part.people.scale > 0 ? release.sum_noise_sd(part.people.scale) / part.people.value * away : 0;
    sampling += variance / part.people.value;
    noise += of_sum * of_sum + of_people * of_people;
  }
  return {.name = column.name,
          .lower = column.lower,
          .upper = column.upper,
          .mean = question.mean[j],
          .sd = std::sqrt(variance),
          .difference = question.difference[j],
          .sampling_sd = std::sqrt(sampling),
          .noise_sd = std::sqrt(noise)};
}

std::vector<double> scales_of(const std::vector<mechanisms::NoisyNumber>& values) {
  std::vector<double> scales;
  for (const mechanisms::NoisyNumber& value : values) scales.push_back(value.scale);
  return scales;
}

/// The reason of a power below the level, which an honest test has only if it is cautious or has no
/// outcome.
std::optional<std::string> why_no_power(const ComparisonPower& power, double alpha) {
  if (power.power >= alpha) return std::nullopt;
  if (power.inconclusive < alpha) return "noise hides the difference, or how the rows vary, and the test is then cautious";
  return fmt::format("{:.0f} of 100 simulated tests are inconclusive: the groups, or their noisy numbers of people, are too small",
                     100 * power.inconclusive);
}

}  // namespace

Result<TwoSamplePlan> plan_two_sample(const MeansPlanRequest& request, const Context& context) {
  return plan_k_sample(2, request, context);
}

Result<KSamplePlan> plan_k_sample(std::size_t groups, const MeansPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(!request.n.empty(), request.power.has_value()));
  if (groups < 2 || groups > kMostGroups)
    return Error::invalid("groups", fmt::format("{}", groups), fmt::format("must be 2 to {}", kMostGroups), "for example: groups = 3");
  TACET_CHECK(check_spread(request));
  TACET_TRY(const Described columns, described(request));
  TACET_TRY(MeansQuestion question, question_of(groups, request, columns));
  const Simulation simulation = told(request.simulation, context, "simulating releases");
  context.tell("computing power");
  std::optional<double> n_without_privacy;
  std::vector<double> people;
  if (request.power) {
    TACET_TRY(const double each, people_for_power(question, *request.power, simulation));
    TACET_TRY(n_without_privacy, equal_groups(question, *request.power, planning::means_power_without_noise));
    people.assign(groups, each);
  } else {
    TACET_TRY(people, people_of(request.n, groups));
  }
  question.set_people(people);
  TACET_TRY(const ComparisonPower power, power_of(question, simulation));
  const mechanisms::GroupMoments& part = question.release.parts.front();
  MeansPlan plan{.power = power,
                 .reason = why_no_power(power, request.alpha),
                 .n = std::move(people),
                 .n_without_privacy = n_without_privacy,
                 .alpha = request.alpha,
                 .draws = simulation.draws.value_or(inference::kUsualDraws),
                 .seed = simulation.seed,
                 .membership = request.membership,
                 .neighbours = columns.schema.relation.kind(),
                 .columns = {},
                 .noise = {question.release.mechanism, part.people.scale > 0 ? std::optional(part.people.scale) : std::nullopt,
                           scales_of(part.sums), scales_of(part.products)},
                 .curve = {}};
  for (std::size_t j = 0; j < question.release.dimension(); ++j) plan.columns.push_back(planned_column(question, j));
  if (request.curve) {
    TACET_TRY(plan.curve, curve_of(std::move(question), simulation, context));
  }
  return plan;
}

}  // namespace tacet
