#include <Eigen/Dense>
#include <cmath>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/planning/clip.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/charged_release.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int32_t kSteps = 1 << 20;  // in the radius: far finer than any noise

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

Result<std::vector<double>> centre_field(const Json& request, const std::vector<data::Bounds>& bounds) {
  TACET_TRY(std::vector<double> centre, numbers_field(request, "centre"));
  if (!centre.empty() && centre.size() != bounds.size()) {
    return Error::invalid("centre", fmt::format("{} numbers", centre.size()),
                          fmt::format("must be one for each of the {} columns", bounds.size()));
  }
  for (std::size_t j = centre.size(); j < bounds.size(); ++j)
    centre.push_back((bounds[j].lower.approximate() + bounds[j].upper.approximate()) / 2);
  return centre;
}

/// One combination of the columns: the radius is the largest it can be, so that nothing is clipped.
Result<data::ClipRequest> along(const std::vector<double>& direction, const std::vector<data::Bounds>& bounds, std::vector<double> centre) {
  if (direction.size() != bounds.size()) {
    return Error::invalid("direction", fmt::format("{} numbers", direction.size()),
                          fmt::format("must be one for each of the {} columns", bounds.size()));
  }
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
  if (sd.size() != columns)
    return Error::invalid("sd", fmt::format("{} numbers", sd.size()), fmt::format("must be one for each of the {} columns", columns));
  TACET_TRY(const planning::ClipPlan plan, planning::plan_clip(sd, n));
  return data::ClipRequest{std::move(centre), diagonal(plan.factors), plan.clip, kSteps};
}

/// Rows whitened by a public covariance (Adjusted, section 3; trimmed, and so differential privacy and not random).
Result<data::ClipRequest> whitened(const std::string& file, std::int64_t n, std::size_t columns, std::vector<double> centre) {
  TACET_TRY(const Json json, mechanisms::read_json_file(file, "covariance"));
  TACET_TRY(const mechanisms::Flattened covariance, mechanisms::flatten(json, "covariance"));
  if (covariance.shape != std::vector<std::size_t>{columns, columns})
    return Error::invalid("covariance", "another shape", fmt::format("must be a matrix of {} by {} numbers", columns, columns));
  const auto d = static_cast<Eigen::Index>(columns);
  const Eigen::Map<const Matrix> sigma(covariance.values.data(), d, d);
  TACET_CHECK(inference::check_covariance(covariance.values, columns));
  // Correlations are whitened, so that the units of the columns do not matter.
  const Eigen::VectorXd units = sigma.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix correlation = units.asDiagonal() * sigma * units.asDiagonal();
  const Matrix root = Eigen::SelfAdjointEigenSolver<Matrix>(correlation).operatorInverseSqrt() * units.asDiagonal();
  TACET_TRY(const planning::ClipPlan plan, planning::plan_clip(std::vector<double>(columns, 1.0), n));
  std::vector<std::vector<double>> map;
  for (Eigen::Index i = 0; i < d; ++i) map.emplace_back(root.row(i).data(), root.row(i).data() + d);
  return data::ClipRequest{std::move(centre), std::move(map), plan.isotropic_clip, kSteps};
}

Result<data::ClipRequest> clip_field(const Json& request, const std::vector<data::Bounds>& bounds) {
  TACET_TRY(std::vector<double> centre, centre_field(request, bounds));
  const int given = int{request.contains("direction")} + int{request.contains("sd")} + int{request.contains("covariance")};
  if (given != 1) {
    return Error::invalid("query", given == 0 ? "missing" : "given twice", "must be one of --direction, --sd and --covariance",
                          "for example: --direction 1,-1");
  }
  if (request.contains("direction")) {
    TACET_TRY(const std::vector<double> direction, numbers_field(request, "direction"));
    return along(direction, bounds, std::move(centre));
  }
  if (!request.contains("n")) {
    return Error::invalid("n", "missing", "must be given: rows are clipped where one in n would be beyond", "for example: --n 20000");
  }
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), 2, 1'000'000'000'000'000));
  if (request.contains("sd")) {
    TACET_TRY(const std::vector<double> sd, numbers_field(request, "sd"));
    return scaled(sd, static_cast<std::int64_t>(n), bounds.size(), std::move(centre));
  }
  return whitened(*text_field(request, "covariance"), static_cast<std::int64_t>(n), bounds.size(), std::move(centre));
}

mechanisms::QueryRelease describe(const data::ClipRequest& clip, const std::vector<std::string>& columns, std::int64_t n,
                                  const kernel::NoisyNumbers& noisy, const Json& statement) {
  const double unit = clip.radius / clip.steps;
  mechanisms::QueryRelease release{.header = mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, dump(statement)),
                                   .columns = columns,
                                   .centre = clip.centre,
                                   .map = {clip.map.size(), columns.size(), {}},
                                   .radius = clip.radius,
                                   .n = static_cast<double>(n),
                                   .scale = noisy.plan.scale[0] * unit};
  for (const std::vector<double>& row : clip.map) release.map.values.insert(release.map.values.end(), row.begin(), row.end());
  for (std::size_t i = 0; i < noisy.ticks.size(); ++i) release.sums.push_back(noisy.value(i) * unit);
  return release;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const privacy::Loss asked, loss_field(request));
  TACET_TRY(const std::vector<std::string> columns, list_field(request, "columns"));
  TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, asked));
  const data::Schema& schema = order.declared().schema();
  if (!schema.relation.people_are_public()) {
    return Error::of(Code::Unsupported, "a query divides by the number of people, which is private under add-or-remove-one",
                     "use release mean, which publishes a noisy number of people too");
  }
  TACET_TRY(const std::vector<data::Bounds> bounds, bounds_of(schema, columns));
  TACET_TRY(const data::ClipRequest clip, clip_field(request, bounds));
  const kernel::NormSensitivity norm = data::clip_sensitivity(schema.relation, clip.steps);
  TACET_TRY(const kernel::NumbersPlan plan, mechanisms::plan_numbers(kernel::NoiseFamily::Gaussian, norm, clip.map.size(), order.loss()));
  TACET_CHECK(kernel::check_scales(plan, norm, order.loss()));
  const std::string what = request.contains("direction") ? "direction" : request.contains("sd") ? "sd" : "covariance";
  Json statement = {{"release", "query"}, {"columns", columns},    {"by", what},
                    {"map", clip.map},    {"centre", clip.centre}, {"radius", clip.radius}};
  return order.carry_out(
      {std::move(statement), 32768 + 512 * clip.map.size() * columns.size()},
      [&](const data::CountOptions& options) -> Result<data::ClippedSums> {
        TACET_TRY(data::ClippedSums sums, data::clipped_sums(order.data(), order.declared(), columns, clip, {}, options));
        if (!sums.rows.n || sums.rows.n->value() < 1)
          return Error::of(Code::DataUnreadable, "the file has no rows, so it has no mean", "give a file with people in it");
        return sums;
      },
      [&](data::ClippedSums&& sums, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<Json> {
        const std::int64_t n = sums.rows.n->value();
        TACET_TRY(const auto released, kernel::release(std::move(sums.values), plan, std::move(grant), bits));
        return mechanisms::to_json(describe(clip, columns, n, released.value(), order.statement()));
      });
}

std::string words(const Json& result) {
  const auto release = mechanisms::query_release_from_json(result);
  if (!release) return {};
  const std::vector<double> mean = release->mean();
  const std::vector<double> sd = release->mean_sd();
  report::TextTable table({release->is_direction() ? "combination" : "column", "mean", "noise (sd)"});
  for (std::size_t j = 0; j < mean.size(); ++j) {
    std::string name = release->is_direction() ? "" : report::printable(release->columns[j]);
    for (std::size_t k = 0; release->is_direction() && k < release->columns.size(); ++k)
      name += fmt::format("{}{:g} {}", k == 0 ? "" : " + ", release->map.at(0, k), report::printable(release->columns[k]));
    table.add({name, fmt::format("{:.6g}", mean[j]), fmt::format("{:.3g}", sd[j])});
  }
  std::string out = fmt::format("Noisy mean of {} people:\n", report::readable(release->n)) + table.render();
  if (!release->is_direction())
    out += fmt::format("Rows were clipped to length {:.4g} after scaling; a clipped row counts less.\n", release->radius);
  return out + ChargedRelease::words(result, "");
}

}  // namespace

Verb release_query_verb() {
  const std::vector<Field> own = {
      {"columns", "a,b", "the numeric columns, with bounds declared in the schema", FieldKind::List, true},
      {"direction", "e,f", "publish the mean of one combination: the best query for a test in that direction", FieldKind::Numbers},
      {"sd", "s,t", "publish all means, scaled by public standard deviations and clipped", FieldKind::Numbers},
      {"covariance", "FILE", "publish all means, whitened by a public covariance (a JSON matrix) and clipped"},
      {"centre", "c,d", "public centres; the middle of the bounds if not given", FieldKind::Numbers},
      {"n", "N", "with --sd or --covariance: about how many people, for the clipping", FieldKind::Number}};
  return {"release query",
          "Publish the mean of a combination of columns, or of scaled and clipped rows",
          "tacet release query --data patients.csv --schema patients.toml --columns ldl,hdl --direction 1,-1 --rho 0.01 --out query.json",
          ChargedRelease::fields(own),
          run,
          words};
}

}  // namespace tacet::service
