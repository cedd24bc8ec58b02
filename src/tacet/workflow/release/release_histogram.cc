#include "tacet/workflow/release/release_histogram.h"

#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/counts.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/row_condition.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/release/count_checks.h"

namespace tacet {
namespace {

constexpr std::size_t kFewBinsGaussian = 16;
constexpr std::size_t kFewBinsLaplace = 127;

Status check_histogram(const HistogramRequest& request, CountMechanism mechanism) {
  if (mechanism == CountMechanism::RankDeficient) {
    return Error::invalid("mechanism", "rank-deficient", "is for tables: inference from a histogram uses a public total anyway",
                          "use mechanism = gaussian");
  }
  if (request.bins && !request.edges.empty())
    return Error::invalid("bins", fmt::format("{}", *request.bins), "cannot be given together with edges", "leave out one of the two");
  if (request.every && (request.bins || !request.edges.empty())) {
    return Error::invalid("every", std::string(name(*request.every)), "cannot be given together with bins or edges",
                          "leave out one of the two");
  }
  if (request.bins && (*request.bins < 2 || *request.bins > kMostBins))
    return Error::invalid("bins", fmt::format("{}", *request.bins), fmt::format("must be from 2 to {}", kMostBins));
  if (request.edges.size() > kMostBins + 1)
    return Error::invalid("edges", fmt::format("{} numbers", request.edges.size()), fmt::format("must be at most {}", kMostBins + 1));
  if (request.branching && (*request.branching < 1 || *request.branching > kMostBins))
    return Error::invalid("branching", fmt::format("{}", *request.branching), fmt::format("must be from 1 (bins alone) to {}", kMostBins));
  return {};
}

Result<std::vector<Decimal>> calendar_edges(CalendarBins every, const data::Column& column) {
  const std::string asked(name(every));
  if (!column.text.date)
    return Error::invalid("every", asked, fmt::format("goes with a column of dates, which {} is not", in_quotes(column.name)), "give bins");
  std::vector<Decimal> edges = calendar_bins(*column.bounds, every);
  if (edges.size() > 2 && edges.size() <= kMostBins + 1) return edges;
  return Error::invalid("every", asked,
                        fmt::format("must make 2 to {} bins of the dates between the bounds, not {}", kMostBins, edges.size() - 1),
                        "choose shorter or longer parts of a year, or give bins");
}

/// The edges of the request, or those that follow from the bounds.
Result<std::vector<Decimal>> edges_for(const HistogramRequest& request, const data::Column& column) {
  const data::Bounds& bounds = *column.bounds;
  if (request.every) return calendar_edges(*request.every, column);
  if (request.edges.empty()) return equal_bins(bounds, request.bins.value_or(kUsualBins));
  std::vector<Decimal> edges;
  for (const double number : request.edges) {
    TACET_TRY(Decimal edge, Decimal::from_shortest(number));
    if (edge < bounds.lower || edge > bounds.upper) {
      return Error::invalid(
          "edges", edge.to_string(),
          fmt::format("must lie between the declared bounds, {} and {}", bounds.lower.to_string(), bounds.upper.to_string()),
          "numbers beyond the first or last edge are in the nearest bin");
    }
    if (!edges.empty() && !(edges.back() < edge))
      return Error::invalid("edges", fmt::format("{} after {}", edge.to_string(), edges.back().to_string()), "must increase");
    edges.push_back(std::move(edge));
  }
  if (edges.size() > 2) return edges;
  return Error::invalid("edges", fmt::format("{} numbers", edges.size()), "must be at least 3: of two bins",
                        "for example: edges = 0,18,40,65,120");
}

}  // namespace

std::vector<Decimal> equal_bins(const data::Bounds& bounds, std::size_t bins) {
  const mpq_class ratio = (bounds.upper - bounds.lower).to_rational() / bounds.resolution.to_rational();
  const mpz_class steps = (ratio.get_num() + ratio.get_den() - 1) / ratio.get_den();
  const mpz_class most = static_cast<unsigned long>(bins);
  const Decimal width = bounds.resolution * Decimal((steps + most - 1) / most, 0);
  std::vector<Decimal> edges;
  for (Decimal edge = bounds.lower; edge < bounds.upper; edge = edge + width) edges.push_back(edge);
  edges.push_back(bounds.upper);
  return edges;
}

std::vector<Decimal> calendar_bins(const data::Bounds& bounds, CalendarBins every) {
  using std::chrono::days;
  const auto day_of = [](const Decimal& bound) { return std::chrono::sys_days(days(bound.to_rational().get_num().get_si())); };
  const auto last = day_of(bounds.upper);
  constexpr std::array<int, 3> kMonths{1, 3, 12};  // in the order of CalendarBins
  const std::chrono::months step(kMonths.at(static_cast<std::size_t>(every)));
  std::vector<Decimal> edges{bounds.lower};
  const std::chrono::year_month_day lower(day_of(bounds.lower));
  for (auto first = lower.year() / std::chrono::January / 1; std::chrono::sys_days(first) < last; first += step) {
    const Decimal edge(static_cast<long>(std::chrono::sys_days(first).time_since_epoch().count()));
    if (bounds.lower < edge) edges.push_back(edge);
  }
  edges.push_back(bounds.upper);
  return edges;
}

std::size_t usual_branching(CountMechanism mechanism, std::size_t bins) {
  if (mechanism != CountMechanism::Laplace) return bins > kFewBinsGaussian ? 4 : 1;
  return bins > kFewBinsLaplace ? static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(bins)))) : 1;
}

Result<Published<HistogramRelease>> release_histogram(const Dataset& dataset, const HistogramRequest& request) {
  TACET_TRY(const CountPayment payment, count_payment(request.loss, request.mechanism));
  const CountMechanism mechanism = payment.mechanism;
  TACET_CHECK(check_histogram(request, mechanism));
  const CountUnit unit = request.count.value_or(CountUnit::People);
  std::optional<schemas::Condition> where;
  std::vector<Decimal> edges;
  std::size_t branching = 1;
  const auto sensitivity_of = [&](const data::Declared& declared) {
    const auto limit = data::person_limit(declared.schema(), unit);
    return data::count_sensitivity(declared.relation(), limit, data::sum_widths(edges.size() - 1, branching).size());
  };
  const auto price = [&](const data::Declared& declared, privacy::Currency budget) -> Result<privacy::Loss> {
    TACET_CHECK(schemas::check_binned(declared.schema(), request.column));
    TACET_TRY(edges, edges_for(request, *declared.schema().find(request.column)));
    branching = request.branching.value_or(usual_branching(mechanism, edges.size() - 1));
    if (request.where) {
      TACET_TRY(where, schemas::parse_condition(declared.schema(), *request.where));
    }
    return payment.price(sensitivity_of(declared), budget);
  };
  const std::string named(name(mechanism));
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price, .mechanism = named}));
  const data::Schema& schema = order.declared().schema();
  TACET_CHECK(check_count_unit(request.count, schema));
  const kernel::Sensitivity sensitivity = sensitivity_of(order.declared());
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(mechanism, sensitivity, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, sensitivity, order.loss()));
  const auto limit = data::person_limit(schema, unit);
  nlohmann::json statement = {{"release", "histogram"}, {"column", request.column}, {"branching", branching}, {"mechanism", named}};
  statement["bins"] = edges.size() - 1;
  if (!request.edges.empty()) statement["edges"] = request.edges;
  if (request.every) statement["every"] = name(*request.every);
  if (limit) statement["count"] = name(unit);
  data::CountRequest rows{.by = {request.column}, .bins = {{request.column, edges}}, .unit = unit, .branching = branching};
  if (where) {
    statement["where"] = where->text;
    rows.where = where->filter;
  }
  constexpr std::size_t kPerNumber = 64;  // an edge, and a value with at most one sum
  constexpr std::size_t kRest = 8192;
  return order.carry_out<HistogramRelease>(
      {std::move(statement), 3 * edges.size() * kPerNumber + kRest},
      [&](const data::CountOptions& options) { return data::count(order.data(), order.declared(), rows, options); },
      [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<HistogramRelease> {
        TACET_TRY(const auto released, kernel::release(std::move(table.counts), plan, std::move(grant), bits));
        HistogramRelease release = mechanisms::describe_histogram(
            released, {request.column, approximate_edges(edges), schema.find(request.column)->text.date, branching}, table.n,
            order.statement());
        release.header.contributions = released_contributions(limit, unit);
        return release;
      });
}

}  // namespace tacet
