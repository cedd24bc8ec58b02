#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/curve_files.h"
#include "tacet/service/histogram_fields.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/interval_answer.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/distribution.h"

namespace tacet::service::infer_distribution_verb {
namespace {

struct Request {
  HistogramFields histogram;
  DistributionOptions options;
  CurveFiles files;
};
struct Reply {
  DistributionAnswer answer;
  CurveFiles files;
};

/// More rows than this are not printed: the files and the JSON have all.
constexpr std::size_t kMostPrintedEdges = 24;

std::string csv_of(const DistributionAnswer& answer) {
  std::string csv = "edge,estimate,lower,upper,file_lower,file_upper\n";
  for (std::size_t j = 0; j < answer.edges.size(); ++j) {
    const Interval& file = answer.band.file[j];
    const std::string population = answer.about.no_population
                                       ? std::string(",")
                                       : fmt::format("{},{}", answer.band.population[j].lower, answer.band.population[j].upper);
    csv += fmt::format("{},{},{},{},{}\n", answer.edges[j], answer.band.estimate.empty() ? "" : fmt::format("{}", answer.band.estimate[j]),
                       population, file.lower, file.upper);
  }
  return csv;
}

report::LinePlot plot_of(const DistributionAnswer& answer) {
  const std::string numbers = answer.dates ? " (days since 1970-01-01)" : "";
  report::LinePlot plot{
      .title = "The distribution of " + answer.column,
      .subtitle = fmt::format("Known at the edges of {} bins and joined by straight lines; each band holds with probability {}",
                              answer.edges.size() - 1, answer.confidence),
      .x = {answer.column + numbers},
      .y = {fmt::format("part of the {} below", name(answer.about.counted))},
      .curves = {}};
  const auto add = [&](const std::string& named, const auto& value) {
    report::Curve curve{named, {}};
    for (std::size_t j = 0; j < answer.edges.size(); ++j) curve.points.emplace_back(answer.edges[j], value(j));
    plot.curves.push_back(std::move(curve));
  };
  if (!answer.band.estimate.empty()) add("estimate", [&](std::size_t j) { return answer.band.estimate[j]; });
  if (!answer.about.no_population) {
    add("population, lower", [&](std::size_t j) { return answer.band.population[j].lower; });
    add("population, upper", [&](std::size_t j) { return answer.band.population[j].upper; });
  }
  add("file, lower", [&](std::size_t j) { return answer.band.file[j].lower; });
  add("file, upper", [&](std::size_t j) { return answer.band.file[j].upper; });
  return plot;
}

Result<Reply> run(const Request& request, const Context& context) {
  DistributionOptions options = request.options;
  TACET_TRY(options.part, histogram_part(request.histogram));
  context.tell("reading the release");
  TACET_TRY(const HistogramSource source, read_histogram(request.histogram));
  TACET_TRY(DistributionAnswer answer, infer_distribution(source, options, context));
  if (request.files.any()) TACET_CHECK(write_curve_files(request.files, csv_of(answer), plot_of(answer)));
  return Reply{std::move(answer), request.files};
}

std::string part_range(const Interval& interval) { return fmt::format("[{:.4f}, {:.4f}]", interval.lower, interval.upper); }

std::string words(const Reply& reply) {
  const DistributionAnswer& answer = reply.answer;
  std::vector<std::string> header = {report::printable(answer.column) + " below", "part", "in the file"};
  if (!answer.about.no_population) header.emplace_back("in the population");
  report::TextTable table(std::move(header));
  const std::size_t stride = (answer.edges.size() + kMostPrintedEdges - 1) / kMostPrintedEdges;
  for (std::size_t j = 0; j < answer.edges.size(); j += stride) {
    std::vector<std::string> row = {number_words(answer.edges[j], answer.dates),
                                    answer.band.estimate.empty() ? "unknown" : fmt::format("{:.4f}", answer.band.estimate[j]),
                                    part_range(answer.band.file[j])};
    if (!answer.about.no_population) row.push_back(part_range(answer.band.population[j]));
    table.add(std::move(row));
  }
  return table.render() +
         (stride > 1 ? fmt::format("One edge in {} is shown; json, csv and html have all {}.\n", stride, answer.edges.size()) : "") +
         fmt::format("All intervals of a column hold together with probability {}, among the {} have a number.\n", answer.confidence,
                     answer.about.counted == Counted::Rows ? "rows that" : "people who") +
         about_words(answer.about) + written_words(reply.files) + "This cost no privacy.\n";
}

template <class Number>
auto each_edge(Number number) {
  return [number](const Reply& reply) {
    std::vector<double> all;
    for (std::size_t j = 0; j < reply.answer.edges.size(); ++j) all.push_back(number(reply.answer.band, j));
    return all;
  };
}

/// One end of the band for the population; nothing if there is no population.
auto population_ends(double Interval::* end) {
  return [end](const Reply& reply) {
    if (reply.answer.about.no_population) return std::optional<std::vector<double>>();
    std::vector<double> all;
    for (const Interval& at : reply.answer.band.population) all.push_back(at.*end);
    return std::optional(all);
  };
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer distribution",
       .summary = "Estimate the distribution function from a released histogram, with bands that hold everywhere",
       .example = "tacet infer distribution --release cholesterol.json --html cholesterol.html",
       .library = LibraryFunction{"infer_distribution", "tacet/workflow/infer/distribution.h"},
       .request = RequestTable<Request>()
                      .include(&Request::histogram, histogram_table())
                      .field("confidence", option(&DistributionOptions::confidence), "C", "the level of each band")
                      .include(std::identity(),
                               simulation_table<Request>(option(&DistributionOptions::simulation), "simulated draws of the noise"))
                      .include(&Request::files, curve_files_table("the distribution function and its bands at all edges")),
       .answer =
           AnswerTable<Reply>()
               .value(
                   "edges", [](const Reply& r) { return r.answer.edges; }, "the edges of the bins")
               .value(
                   "estimate", [](const Reply& r) { return r.answer.band.estimate; },
                   "the part of the people below each edge, made to increase; empty: nobody may have a number")
               .value("lower", population_ends(&Interval::lower),
                      "the lower band for the population: noise and sampling; null where a person may count several times")
               .value("upper", population_ends(&Interval::upper), "the upper band for the population")
               .value("file_lower", each_edge([](const auto& b, std::size_t j) { return b.file[j].lower; }),
                      "the lower band for the people, or rows, of the file: noise alone")
               .value("file_upper", each_edge([](const auto& b, std::size_t j) { return b.file[j].upper; }), "the upper band for the file")
               .value(
                   "column", [](const Reply& r) { return r.answer.column; }, "the column")
               .value(
                   "dates", [](const Reply& r) { return r.answer.dates; }, "whether numbers are days since 1970-01-01")
               .value(
                   "people", [](const Reply& r) { return r.answer.people; }, "the estimated number of people, or rows, that have a number")
               .value(
                   "confidence", [](const Reply& r) { return r.answer.confidence; }, "the level of each band")
               .include([](const Reply& r) -> const AboutWhom& { return r.answer.about; }, about_answer())
               .include(&Reply::files, curve_files_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_distribution_verb
