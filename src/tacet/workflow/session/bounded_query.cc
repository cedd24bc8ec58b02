#include "tacet/workflow/session/bounded_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/release.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/session/bounded_rows.h"
#include "tacet/workflow/session/session_json.h"

namespace tacet {
namespace {

constexpr double kUsualBeta = 0.05, kFileConfidence = 0.95;

Status check_bounded(const BoundedQueryRequest& request) {
  TACET_CHECK(check_one_question({request.fraction, request.mean_of}));
  if (request.beta && !request.queries)
    return Error::invalid("beta", fmt::format("{}", *request.beta), "goes with queries", "for example: queries = 100");
  if (!request.queries) return {};
  return planning::check_queries({1, static_cast<double>(*request.queries), request.beta.value_or(kUsualBeta)});
}

/// What the statement says of a fraction or a mean of an expression.
struct BoundedStatement {
  double lowest, highest;
  std::optional<std::uint64_t> queries;
  double beta;
};
std::optional<BoundedStatement> bounded_statement(const QueryRelease& release) {
  const nlohmann::json statement = nlohmann::json::parse(release.header.statement, nullptr, /*allow_exceptions=*/false);
  if (!statement.is_object()) return std::nullopt;
  const nlohmann::json range = statement.value("range", nlohmann::json());
  if (!range.is_array() || range.size() != 2 || !range[0].is_number() || !range[1].is_number()) return std::nullopt;
  BoundedStatement out{range[0].get<double>(), range[1].get<double>(), std::nullopt, kUsualBeta};
  const nlohmann::json queries = statement.value("queries", nlohmann::json()), beta = statement.value("beta", nlohmann::json());
  if (queries.is_number_unsigned() && beta.is_number()) {
    out.queries = queries.get<std::uint64_t>();
    out.beta = beta.get<double>();
  }
  return out.lowest < out.highest ? std::optional(out) : std::nullopt;
}

nlohmann::json statement_of(const BoundedQueryRequest& request, const schemas::CellNumbers& query) {
  nlohmann::json statement = {{"release", "query"},
                              {"by", request.fraction ? "fraction" : "expression"},
                              {"of", query.text},
                              {"columns", query.columns},
                              {"range", {query.lowest, query.highest}}};
  for (const auto& [column, step] : query.steps) statement["steps"][column] = step.to_string();
  if (request.queries) {
    statement["queries"] = *request.queries;
    statement["beta"] = request.beta.value_or(kUsualBeta);
  }
  if (request.session) statement["session"] = statement_json(*request.session);
  return statement;
}

}  // namespace

Result<Published<QueryRelease>> release_bounded_query(const Dataset& dataset, const BoundedQueryRequest& request) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(request.loss));
  TACET_TRY(const privacy::Loss asked, loss_of(amount));
  TACET_CHECK(check_bounded(request));
  const auto price = [&](const data::Declared& /*declared*/, privacy::Currency budget) { return as_charged(asked, budget); };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price}));
  const data::Schema& schema = order.declared().schema();
  TACET_TRY(const BoundedRows rows, bounded_rows(schema, {request.fraction, request.mean_of}));
  const schemas::CellNumbers& query = rows.query;
  const kernel::Sensitivity sensitivity{schema.relation, rows.change, rows.change * rows.change};
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_noise(kernel::NoiseFamily::Gaussian, sensitivity, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, sensitivity, order.loss()));
  constexpr std::size_t kMostBytes = 32768;
  return order.carry_out<QueryRelease>(
      {statement_of(request, query), kMostBytes},
      [&](const data::CountOptions& options) -> Result<data::CountTable> {
        TACET_TRY(data::CountTable table, data::count(order.data(), order.declared(), rows.request, options));
        if (table.n && table.n->value() < 1)
          return Error::of(Code::DataUnreadable, "the file has no rows, so it has no mean", "give a file with people in it");
        return table;
      },
      [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<QueryRelease> {
        if (request.admit) TACET_CHECK(request.admit(grant.receipt(), order.ledger()));
        TACET_TRY(const auto released, kernel::release(std::move(table.counts), plan, std::move(grant), bits));
        const kernel::NoisyVector& noisy = released.value();
        QueryRelease release{};
        release.header = mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, order.statement());
        release.columns = {query.text};
        release.centre = {rows.middle()};
        release.map = {1, 1, {1}};
        release.clipped = false;
        release.radius = rows.range() / 2;
        const double unit = rows.step();
        release.parts[0].sums = {std::ldexp(static_cast<double>(noisy.ticks.at(0)), -noisy.plan.grid_log2) * unit};
        release.scale = noisy.plan.scale * unit;
        if (table.n) release.parts[0].n = static_cast<double>(table.n->value());
        return release;
      });
}

bool is_bounded(const QueryRelease& release) { return bounded_statement(release).has_value(); }

double answer_range(const QueryRelease& release) {
  const auto statement = bounded_statement(release);
  return statement ? statement->highest - statement->lowest : std::numeric_limits<double>::infinity();
}

Result<AnswerIntervals> answer_intervals(const QueryRelease& release) {
  const auto statement = bounded_statement(release);
  if (!statement)
    return Error::of(Code::Unsupported, "the release is not a fraction or a mean of an expression", "for other means: infer region");
  const double answer = release.mean().front(), sd = release.mean_sd().front();
  const double half = numeric::normal_upper_quantile((1 - kFileConfidence) / 2) * sd;
  const auto inside = [&](double value) { return std::clamp(value, statement->lowest, statement->highest); };
  AnswerIntervals out{kFileConfidence, half, inside(answer - half), inside(answer + half), std::nullopt};
  if (!statement->queries) return out;
  const double range = statement->highest - statement->lowest;
  TACET_TRY(double width,
            planning::cvar_width_at({release.parts[0].n, static_cast<double>(*statement->queries), statement->beta}, sd / range));
  width = std::min(width + kAnswerRounding, 1.0) * range;
  out.population = PopulationInterval{*statement->queries, statement->beta, width, inside(answer - width), inside(answer + width)};
  return out;
}

}  // namespace tacet
