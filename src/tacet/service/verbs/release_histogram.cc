#include "tacet/workflow/release/release_histogram.h"

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/release_answer.h"
#include "tacet/workflow/infer/quantile.h"

namespace tacet::service::release_histogram_verb {
namespace {

struct Request {
  ReleaseFields place;
  HistogramRequest histogram;
};
using Reply = Published<HistogramRelease>;

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  HistogramRequest histogram = request.histogram;
  histogram.out = request.place.out;
  return release_histogram(dataset, histogram);
}

std::string quartile_words(const HistogramRelease& release) {
  const auto found = infer_quantiles(release, {.probabilities = {0.25, 0.5, 0.75}});
  return found.ok() ? quantile_table_words(*found) : std::string();
}

std::string words(const Reply& reply) {
  const HistogramRelease& release = reply.release;
  const std::string sums = release.values.size() == 1
                               ? ""
                               : fmt::format(", and sums of every {} of them at {} levels", release.branching, release.values.size() - 1);
  return paid_before_words(reply.paid_before) + rows_words(release.header) +
         fmt::format("A histogram of {} with {} bins from {} to {}{}.\n", report::printable(release.column), release.edges.size() - 1,
                     number_words(release.edges.front(), release.dates), number_words(release.edges.back(), release.dates), sums) +
         quartile_words(release) +
         fmt::format("Noise: {} with scale {} per count. ", name(release.noise.family), report::readable(release.noise.scale)) +
         charged_words(release.header, reply.budget, reply.file, "tacet infer quantile");
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& r) -> auto& { return r.histogram.*member; }; };
  return verb<Request, Reply>(
      {.name = "release histogram",
       .summary = "Publish a histogram of a column of numbers, from which all quantiles are free, charged to the budget first",
       .example =
           "tacet release histogram --data patients.csv --schema patients.toml --column cholesterol --rho 0.02 --out cholesterol.json",
       .library = LibraryFunction{"release_histogram", "tacet/workflow/release/release_histogram.h"},
       .request = RequestTable<Request>()
                      .include(&Request::place, data_table())
                      .required("column", option(&HistogramRequest::column), "NAME", "a column with declared bounds")
                      .whole("bins", option(&HistogramRequest::bins), 2, kMostBins, "K",
                             "at most so many bins of equal width, a whole number of steps of the resolution each; by default 256")
                      .field("edges", option(&HistogramRequest::edges), "a,b,c", "the edges of the bins, in place of their number")
                      .field("every", option(&HistogramRequest::every), "PART",
                             "of a column of dates, in place of both: a bin for each month, quarter or year between the bounds")
                      .whole("branching", option(&HistogramRequest::branching), 1, kMostBins, "B",
                             "sums of so many bins, of so many of these, ... are counted too; 1: bins alone; by default what makes "
                             "quantiles most accurate")
                      .field("where", option(&HistogramRequest::where), "CONDITION", kWhereHelp)
                      .field("mechanism", option(&HistogramRequest::mechanism), "M",
                             "gaussian or laplace; by default laplace for a pure epsilon and otherwise gaussian")
                      .field("count", option(&HistogramRequest::count), "WHAT",
                             "where a person may have several rows: people, each once in a bin, or rows; by default people")
                      .include(&Request::place, file_table())
                      .include([](Request& r) -> auto& { return r.histogram.loss; }, privacy_table("what to spend")),
       .answer = published_table<HistogramRelease>(
           {{"n", "the number of people; null where it is private", {{"type", {"integer", "null"}}}},
            {"column", "the column", {{"type", "string"}}},
            {"edges", "the edges of the bins", {{"type", "array"}}},
            {"dates", "true: edges are days since 1970-01-01", {{"type", "boolean"}}, /*always=*/false},
            {"branching", "how many bins, or sums, each sum of the next level holds", {{"type", "integer"}}},
            {"values", "the noisy counts: a list for the bins, and one for each level of sums", {{"type", "array"}}},
            {"missing", "the noisy count of rows without a number", {{"type", "number"}}},
            {"grid", "the values are multiples of this", {{"type", {"number", "null"}}}}}),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::release_histogram_verb
