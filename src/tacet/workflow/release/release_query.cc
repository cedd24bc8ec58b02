#include "tacet/workflow/release/release_query.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/noisy_values.h"
#include "tacet/planning/clip.h"
#include "tacet/schemas/row_condition.h"
#include "tacet/workflow/release/charged_release.h"

namespace tacet {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

/// The map that only scales: coordinate i is column i times scales[i].
std::vector<std::vector<double>> diagonal(const std::vector<double>& scales) {
  std::vector<std::vector<double>> map(scales.size(), std::vector<double>(scales.size(), 0));
  for (std::size_t i = 0; i < scales.size(); ++i) map[i][i] = scales[i];
  return map;
}

/// Rows divided so that each column has its part of the noise (Aggregation, section 3).
Result<data::ClipRequest> scaled(const std::vector<double>& sd, std::int64_t n, std::size_t columns, std::vector<double> centre) {
  TACET_CHECK(check_one_for_each("sd", sd.size(), columns));
  TACET_TRY(const planning::ClipPlan plan, planning::plan_clip(sd, n));
  return data::ClipRequest{std::move(centre), diagonal(plan.factors), plan.clip, kSteps};
}

/// Rows whitened by a public covariance (Adjusted, section 3; clipped, so that privacy is
/// differential and not random).
Result<data::ClipRequest> whitened(const Matrix& covariance, std::int64_t n, std::size_t columns, std::vector<double> centre) {
  if (covariance.rows != columns || covariance.columns != columns)
    return Error::invalid("covariance", "another shape", fmt::format("must be a matrix of {} by {} numbers", columns, columns));
  const auto d = static_cast<Eigen::Index>(columns);
  const Eigen::Map<const RowMajor> sigma(covariance.values.data(), d, d);
  TACET_CHECK(inference::check_covariance(covariance.values, columns));
  // Correlations are whitened, so that the units of the columns do not matter.
  const Eigen::VectorXd units = sigma.diagonal().cwiseSqrt().cwiseInverse();
  const RowMajor correlation = units.asDiagonal() * sigma * units.asDiagonal();
  const RowMajor root = Eigen::SelfAdjointEigenSolver<RowMajor>(correlation).operatorInverseSqrt() * units.asDiagonal();
  TACET_TRY(const planning::ClipPlan plan, planning::plan_clip(std::vector<double>(columns, 1.0), n));
  std::vector<std::vector<double>> map;
  for (Eigen::Index i = 0; i < d; ++i) map.emplace_back(root.row(i).data(), root.row(i).data() + d);
  return data::ClipRequest{std::move(centre), std::move(map), plan.isotropic_clip, kSteps};
}

Result<data::ClipRequest> clip_of(const QueryRequest& request, const std::vector<data::Bounds>& bounds) {
  TACET_TRY(std::vector<double> centre, centre_of(request, bounds));
  const int given = int{request.direction.has_value()} + int{request.sd.has_value()} + int{request.covariance.has_value()};
  if (given != 1) {
    return Error::invalid("query", given == 0 ? "missing" : "given twice", "must be one of direction, sd and covariance",
                          "for example: direction = 1,-1");
  }
  if (request.direction) return along(*request.direction, bounds, std::move(centre));
  if (!request.n) {
    return Error::invalid("n", "missing", "must be given: rows are clipped at the length that one row in n exceeds",
                          "for example: n = 20000");
  }
  const auto n = static_cast<std::int64_t>(*request.n);
  if (request.sd) return scaled(*request.sd, n, bounds.size(), std::move(centre));
  return whitened(*request.covariance, n, bounds.size(), std::move(centre));
}

/// The linear map for the release file.
Matrix map_of(const data::ClipRequest& clip, std::size_t columns) {
  Matrix map = Matrix::zeros(clip.map.size(), columns);
  for (std::size_t i = 0; i < map.rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) map.at(i, j) = clip.map[i][j];
  }
  return map;
}

/// `n` is the public number of people. Without it the last sum counts people in steps of
/// `count_steps`.
QueryRelease describe_query(const data::ClipRequest& clip, const std::vector<std::string>& columns, const std::optional<std::int64_t>& n,
                            double count_steps, const kernel::NoisyNumbers& noisy, const std::string& statement) {
  const double unit = clip.radius / clip.steps;
  QueryRelease release{};
  release.header = mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, statement);
  release.columns = columns;
  release.centre = clip.centre;
  release.map = map_of(clip, columns.size());
  release.radius = clip.radius;
  release.scale = noisy.plan.scale[0] * unit;
  for (std::size_t i = 0; i < clip.map.size(); ++i) release.sums.push_back(mechanisms::value_of(noisy, i) * unit);
  release.n_is_public = n.has_value();
  if (n) {
    release.n = static_cast<double>(*n);
  } else {
    release.n = std::max(1.0, mechanisms::value_of(noisy, clip.map.size()) / count_steps);
    release.people_scale = noisy.plan.scale.back() / count_steps;
  }
  return release;
}

}  // namespace

Result<Published<QueryRelease>> release_query(const Dataset& dataset, const QueryRequest& request) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(request.loss));
  TACET_TRY(const privacy::Loss asked, loss_of(amount));
  const auto price = [&](const data::Declared& /*declared*/, privacy::Currency budget) { return as_charged(asked, budget); };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price}));
  const data::Schema& schema = order.declared().schema();
  TACET_TRY(const std::vector<data::Bounds> bounds, bounds_of(schema, request.columns));
  TACET_TRY(const data::ClipRequest clip, clip_of(request, bounds));
  schemas::Condition where{};
  if (request.where) {
    TACET_TRY(where, schemas::parse_condition(schema, *request.where));
  }
  TACET_TRY(const data::ClipDesign design, data::design_clip(schema, request.columns, clip, {}, where.filter));
  const std::size_t coordinates = clip.map.size() + (design.count_steps ? 1 : 0);
  TACET_TRY(const kernel::NumbersPlan plan,
            mechanisms::plan_numbers(kernel::NoiseFamily::Gaussian, design.sensitivity, coordinates, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, design.sensitivity, order.loss()));
  const std::string by = request.direction ? "direction" : request.sd ? "sd" : "covariance";
  nlohmann::json statement = {{"release", "query"}, {"columns", request.columns}, {"by", by},
                              {"map", clip.map},    {"centre", clip.centre},      {"radius", clip.radius}};
  if (request.where) statement["where"] = where.text;
  return order.carry_out<QueryRelease>(
      {std::move(statement), 32768 + 512 * clip.map.size() * request.columns.size()},
      [&](const data::CountOptions& options) -> Result<data::ClippedSums> {
        TACET_TRY(data::ClippedSums sums,
                  data::clipped_sums(order.data(), order.declared(), request.columns, clip, {}, where.filter, options));
        if (sums.rows.n && sums.rows.n->value() < 1)
          return Error::of(Code::DataUnreadable, "the file has no rows, so it has no mean", "give a file with people in it");
        return sums;
      },
      [&](data::ClippedSums&& sums, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<QueryRelease> {
        const auto n = design.count_steps || !sums.rows.n ? std::optional<std::int64_t>() : std::optional(sums.rows.n->value());
        TACET_TRY(const auto released, kernel::release(std::move(sums.values), plan, std::move(grant), bits));
        QueryRelease release =
            describe_query(clip, request.columns, n, design.count_steps.value_or(1), released.value(), order.statement());
        release.header.contributions = released_contributions(design.scan.people, data::CountUnit::Rows);
        return release;
      });
}

}  // namespace tacet
