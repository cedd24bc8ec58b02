#include "tacet/workflow/release/release_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/noisy_values.h"
#include "tacet/planning/query_map.h"
#include "tacet/schemas/row_condition.h"
#include "tacet/workflow/release/asked_groups.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/session/bounded_query.h"

namespace tacet {
namespace {

constexpr std::int32_t kSteps = 1 << 20;  // in the radius: much finer than any noise

/// Bounds of the columns asked for, in their order.
Result<std::vector<data::Bounds>> bounds_of(const data::Schema& schema, const std::vector<std::string>& columns) {
  std::vector<data::Bounds> bounds;
  for (const std::string& name : columns) {
    const data::Column* column = schema.find(name);
    if (column == nullptr || !column->bounds) {
      return Error::invalid("columns", fmt::format("\"{}\"", name.substr(0, 60)), "must be columns with bounds in the schema",
                            "declare lower, upper and resolution for it");
    }
    bounds.push_back(*column->bounds);
  }
  return bounds;
}

Status check_one_for_each(const std::string& name, std::size_t numbers, std::size_t columns) {
  if (numbers == columns) return {};
  return Error::invalid(name, fmt::format("{} numbers", numbers), fmt::format("must be one for each of the {} columns", columns));
}

Result<std::vector<double>> centre_of(const QueryRequest& request, const std::vector<data::Bounds>& bounds) {
  if (request.centre) {
    TACET_CHECK(check_one_for_each("centre", request.centre->size(), bounds.size()));
    return *request.centre;
  }
  std::vector<double> centre;
  for (const data::Bounds& bound : bounds) centre.push_back((bound.lower.approximate() + bound.upper.approximate()) / 2);
  return centre;
}

/// One combination of the columns: the radius is its largest value, so that nothing is clipped.
Result<data::ClipRequest> along(const std::vector<double>& direction, const std::vector<data::Bounds>& bounds, std::vector<double> centre) {
  TACET_CHECK(check_one_for_each("direction", direction.size(), bounds.size()));
  double radius = 0;
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    radius += std::abs(direction[j]) *
              std::max(std::abs(bounds[j].lower.approximate() - centre[j]), std::abs(bounds[j].upper.approximate() - centre[j]));
  }
  if (!(radius > 0)) return Error::invalid("direction", "all zeros", "must have a number other than 0");
  return data::ClipRequest{std::move(centre), {direction}, radius * (1 + 1e-9), kSteps};
}

/// A query as the kernel carries it out, and its name in the statement.
struct ClippedQuery {
  data::ClipRequest clip;
  mechanisms::QueryBy by;
};

data::ClipRequest clip_request(const planning::QueryMap& query, std::vector<double> centre) {
  std::vector<std::vector<double>> map;
  for (std::size_t i = 0; i < query.map.rows; ++i) {
    const auto line = query.map.values.begin() + static_cast<std::ptrdiff_t>(i * query.map.columns);
    map.emplace_back(line, line + static_cast<std::ptrdiff_t>(query.map.columns));
  }
  return {std::move(centre), std::move(map), query.radius, kSteps};
}

/// A fraction and a mean of an expression need nothing else.
Status check_alone(const QueryRequest& request) {
  const char* const kind = request.fraction ? "fraction" : "mean-of";
  const std::pair<const char*, bool> others[] = {{"columns", !request.columns.empty()},
                                                 {"direction", request.direction.has_value()},
                                                 {"sd", request.sd.has_value()},
                                                 {"covariance", request.covariance.has_value()},
                                                 {"weights", request.weights.has_value()},
                                                 {"goal", request.goal.has_value()},
                                                 {"null", request.null.has_value()},
                                                 {"centre", request.centre.has_value()},
                                                 {"n", request.n.has_value()},
                                                 {"gamma", request.gamma.has_value()},
                                                 {"radius", request.radius.has_value()},
                                                 {"where", request.where.has_value()},
                                                 {"group-by", request.group_by.has_value()},
                                                 {"membership", request.membership.has_value()}};
  for (const auto& [field, given] : others) {
    if (given) {
      return Error::invalid(field, "given", fmt::format("must be left out with {}", kind),
                            "a condition in brackets is 1 or 0: mean-of = \"age * [smoking = current]\"");
    }
  }
  return {};
}

bool is_test(const QueryRequest& request) { return request.goal == QueryGoal::Test || request.goal == QueryGoal::NormalTest; }

/// Exactly what the query needs, and nothing that it would ignore.
Status check_given(const QueryRequest& request) {
  const auto need = [&](bool holds, const char* rule, const char* remedy) {
    return holds ? Status() : Status(Error::invalid("goal", std::string(name(*request.goal)), rule, remedy));
  };
  const bool lengths = request.sd.has_value() != request.covariance.has_value();
  if (request.null && !is_test(request)) return Error::invalid("null", "given", "goes with goal = test or normal-test");
  if (is_test(request)) {
    return need(request.direction && request.covariance && !request.sd && !request.weights,
                "must have a direction, from the mean that is tested to the alternative, and a covariance",
                "for example: direction = 10,5 covariance = sigma.json null = 130,50");
  }
  if (request.weights && request.goal) return Error::invalid("weights", "given with a goal", "must be left out, or the goal");
  if (request.goal == QueryGoal::LeastSquares)
    return need(lengths && !request.direction, "must have one of sd and covariance", "for example: sd = 15,10");
  const bool weighted = request.weights || request.goal == QueryGoal::Isotropic;
  if (weighted && !request.direction && (lengths || (request.radius && !request.sd && !request.covariance))) return {};
  if (weighted) {
    return Error::invalid(request.weights ? "weights" : "goal", "without a length",
                          "must have one of sd, covariance and radius, for the clipping, and no direction", "for example: sd = 15,10");
  }
  const int given = int{request.direction.has_value()} + int{request.sd.has_value()} + int{request.covariance.has_value()};
  if (given != 1) {
    return Error::invalid("query", given == 0 ? "missing" : "given twice", "must be one of direction, sd and covariance",
                          "for example: direction = 1,-1, or goal = test with a direction and a covariance");
  }
  if (request.direction && (request.gamma || request.radius))
    return Error::invalid(request.gamma ? "gamma" : "radius", "given", "goes with rows that are clipped: a direction alone is not");
  return {};
}

Status check_covariance_shape(const Matrix& covariance, std::size_t columns) {
  if (covariance.rows == columns && covariance.columns == columns) return {};
  return Error::invalid("covariance", "another shape", fmt::format("must be a matrix of {} by {} numbers", columns, columns));
}

/// The middle between the two means that a test is about, or a centre of one's own.
Result<std::vector<double>> test_centre(const QueryRequest& request, std::size_t columns) {
  if (request.centre) return *request.centre;
  if (!request.null) {
    return Error::invalid("null", "missing", "must be given: rows are clipped around the middle between it and the alternative",
                          "for example: null = 130,50");
  }
  TACET_CHECK(check_one_for_each("null", request.null->size(), columns));
  std::vector<double> centre = *request.null;
  for (std::size_t j = 0; j < columns; ++j) centre[j] += (*request.direction)[j] / 2;
  return centre;
}

Result<ClippedQuery> query_of(const QueryRequest& request, const std::vector<data::Bounds>& bounds, double mu) {
  using mechanisms::QueryBy;
  const std::size_t columns = bounds.size();
  TACET_CHECK(check_given(request));
  TACET_TRY(std::vector<double> centre, centre_of(request, bounds));
  if (request.sd) TACET_CHECK(check_one_for_each("sd", request.sd->size(), columns));
  if (request.direction) TACET_CHECK(check_one_for_each("direction", request.direction->size(), columns));
  if (request.weights) TACET_CHECK(check_one_for_each("weights", request.weights->size(), columns));
  if (request.covariance) TACET_CHECK(check_covariance_shape(*request.covariance, columns));
  planning::ClipChoice clip{.gamma = request.gamma, .radius = request.radius};
  if (request.n) clip.n = static_cast<std::int64_t>(*request.n);
  if (is_test(request)) {
    TACET_TRY(centre, test_centre(request, columns));
    const auto for_power = request.goal == QueryGoal::NormalTest ? std::optional(mu) : std::nullopt;
    TACET_TRY(const auto query, planning::test_map(*request.covariance, *request.direction, clip, for_power));
    return ClippedQuery{clip_request(query, std::move(centre)), QueryBy::Test};
  }
  if (request.weights || request.goal == QueryGoal::Isotropic) {
    std::optional<Matrix> covariance = request.covariance;
    if (request.sd) {
      std::vector<double> variances;
      for (const double one : *request.sd) variances.push_back(one * one);
      covariance = planning::diagonal(variances);
    }
    const std::vector<double> weights = request.weights.value_or(std::vector<double>(columns, 1.0));
    TACET_TRY(const auto query, planning::weighted_map(weights, covariance, clip));
    return ClippedQuery{clip_request(query, std::move(centre)), QueryBy::Weights};
  }
  if (request.direction) {
    TACET_TRY(data::ClipRequest all, along(*request.direction, bounds, std::move(centre)));
    return ClippedQuery{std::move(all), QueryBy::Direction};
  }
  if (request.sd) {
    TACET_TRY(const auto query, planning::scaled_map(*request.sd, clip));
    return ClippedQuery{clip_request(query, std::move(centre)), QueryBy::Sd};
  }
  if (request.goal == QueryGoal::LeastSquares) {
    TACET_TRY(const auto query, planning::least_squares_map(*request.covariance, clip));
    return ClippedQuery{clip_request(query, std::move(centre)), QueryBy::LeastSquares};
  }
  TACET_TRY(const auto query, planning::whitened_map(*request.covariance, clip));
  return ClippedQuery{clip_request(query, std::move(centre)), QueryBy::Covariance};
}

/// A release file holds numbers of at most 1e100, and noise of at least 1e-100.
Status check_releasable(const data::ClipRequest& clip) {
  constexpr double kLeastRadius = 1e-60;
  constexpr double kLargestRadius = 1e60;  // 2^45 people, or noise of 2^40 radii
  constexpr double kLargestFactor = 1e100;
  const auto fits = [](double number) { return std::abs(number) <= kLargestFactor; };
  bool all = std::all_of(clip.centre.begin(), clip.centre.end(), fits);
  for (const std::vector<double>& line : clip.map) all = all && std::all_of(line.begin(), line.end(), fits);
  if (all && clip.radius >= kLeastRadius && clip.radius <= kLargestRadius) return {};
  return Error::invalid("the query", all ? fmt::format("a radius of {}", clip.radius) : "with factors beyond 1e100",
                        fmt::format("must have factors and a centre within {}, and keep rows within a radius from {} to {}, so that a "
                                    "release file can hold it",
                                    kLargestFactor, kLeastRadius, kLargestRadius),
                        "measure in other units");
}

/// The linear map for the release file.
Matrix map_of(const data::ClipRequest& clip, std::size_t columns) {
  Matrix map = Matrix::zeros(clip.map.size(), columns);
  for (std::size_t i = 0; i < map.rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) map.at(i, j) = clip.map[i][j];
  }
  return map;
}

/// All but the groups and their numbers of people.
QueryRelease describe_query(const data::ClipRequest& clip, const std::vector<std::string>& columns, const kernel::NoisyNumbers& noisy,
                            const std::string& statement) {
  const double unit = clip.radius / clip.steps;
  QueryRelease release{};
  release.header = mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, statement);
  release.columns = columns;
  release.centre = clip.centre;
  release.map = map_of(clip, columns.size());
  release.radius = clip.radius;
  release.scale = noisy.plan.scale[0] * unit;
  return release;
}

/// The sums of one group, or of everybody. If the number of people is noisy, it stands behind them,
/// in steps of count_steps.
mechanisms::QueryPart query_part(const data::ClipRequest& clip, const std::optional<std::int32_t>& count_steps,
                                 const data::PublicRows& rows, const kernel::NoisyNumbers& noisy, std::size_t group) {
  const std::size_t sums = clip.map.size();
  const std::size_t first = group * (sums + (count_steps ? 1 : 0));
  mechanisms::QueryPart part{};
  for (std::size_t i = 0; i < sums; ++i) part.sums.push_back(mechanisms::value_of(noisy, first + i) * clip.radius / clip.steps);
  if (count_steps) {
    part.n_is_public = false;
    part.n = std::max(1.0, mechanisms::value_of(noisy, first + sums) / *count_steps);
    part.people_scale = noisy.plan.scale.at(first + sums) / *count_steps;
  } else if (rows.groups && rows.groups->sizes) {
    part.n = static_cast<double>(rows.groups->sizes->value()[group]);
  } else if (rows.n) {
    part.n = static_cast<double>(rows.n->value());
  }
  return part;
}

}  // namespace

Result<Published<QueryRelease>> release_query(const Dataset& dataset, const QueryRequest& request) {
  if (request.fraction || request.mean_of) {
    TACET_CHECK(check_alone(request));
    return release_bounded_query(dataset, {.fraction = request.fraction,
                                           .mean_of = request.mean_of,
                                           .queries = request.queries,
                                           .beta = request.beta,
                                           .loss = request.loss,
                                           .out = request.out});
  }
  if (request.queries || request.beta)
    return Error::invalid(request.queries ? "queries" : "beta", "given", "goes with fraction and mean-of only", "leave it out");
  if (request.columns.empty()) {
    return Error::invalid("columns", "missing", "must be given, or fraction or mean-of in their place",
                          "for example: fraction = \"age >= 40\"");
  }
  TACET_TRY(const PrivacyAmount amount, required_privacy(request.loss));
  TACET_TRY(const privacy::Loss asked, loss_of(amount));
  const auto price = [&](const data::Declared& /*declared*/, privacy::Currency budget) { return as_charged(asked, budget); };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price}));
  const data::Schema& schema = order.declared().schema();
  TACET_TRY(const std::vector<data::Bounds> bounds, bounds_of(schema, request.columns));
  TACET_TRY(const accounting::ForMu budget, accounting::mu_for(asked));
  TACET_TRY(const ClippedQuery query, query_of(request, bounds, budget.mu));
  const data::ClipRequest& clip = query.clip;
  TACET_CHECK(check_releasable(clip));
  schemas::Condition where{};
  if (request.where) {
    TACET_TRY(where, schemas::parse_condition(schema, *request.where));
  }
  TACET_TRY(const auto groups, asked_groups(schema, request.group_by, request.membership));
  TACET_TRY(const data::ClipDesign design, data::design_clip(schema, request.columns, clip, groups, where.filter));
  const std::size_t parts = groups ? schema.find(groups->column)->categories->labels.size() : 1;
  const std::size_t coordinates = parts * (clip.map.size() + (design.count_steps ? 1 : 0));
  TACET_TRY(const kernel::NumbersPlan plan,
            mechanisms::plan_numbers(kernel::NoiseFamily::Gaussian, design.sensitivity, coordinates, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, design.sensitivity, order.loss()));
  nlohmann::json statement = {{"release", "query"},
                              {"columns", request.columns},
                              {"by", name(query.by)},
                              {"map", clip.map},
                              {"centre", clip.centre},
                              {"radius", clip.radius},
                              {"missing_numbers", missing_numbers(schema, request.columns)}};
  if (request.goal) statement["goal"] = name(*request.goal);
  if (request.where) statement["where"] = where.text;
  if (groups) statement.update({{"group_by", groups->column}, {"membership", name(groups->membership)}});
  constexpr std::size_t kPerValue = 400;
  return order.carry_out<QueryRelease>(
      {std::move(statement), 32768 + 512 * clip.map.size() * request.columns.size() + kPerValue * coordinates},
      [&](const data::CountOptions& options) -> Result<data::ClippedSums> {
        TACET_TRY(data::ClippedSums sums,
                  data::clipped_sums(order.data(), order.declared(), request.columns, clip, groups, where.filter, options));
        if (sums.rows.n && sums.rows.n->value() < 1)
          return Error::of(Code::DataUnreadable, "the file has no rows, so it has no mean", "give a file with people in it");
        return sums;
      },
      [&](data::ClippedSums&& sums, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<QueryRelease> {
        TACET_TRY(const auto released, kernel::release(std::move(sums.values), plan, std::move(grant), bits));
        QueryRelease release = describe_query(clip, request.columns, released.value(), order.statement());
        if (groups && sums.rows.groups) release.groups = {groups->column, sums.rows.groups->labels.value(), groups->membership};
        release.parts.clear();
        for (std::size_t group = 0; group < parts; ++group)
          release.parts.push_back(query_part(clip, design.count_steps, sums.rows, released.value(), group));
        release.header.contributions = released_contributions(design.scan.people, data::CountUnit::Rows);
        return release;
      });
}

}  // namespace tacet
