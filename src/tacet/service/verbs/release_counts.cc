#include "tacet/workflow/release/release_counts.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/estimates/estimate.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/table_words.h"

namespace tacet::service::release_counts_verb {
namespace {

struct Request {
  ReleaseFields place;
  CountRequest counts;
  std::optional<std::string> bins;
};
using Reply = Published<CountRelease>;

Result<Reply> run(const Request& request, const Context& context) {
  CountRequest counts = request.counts;
  counts.out = request.place.out;
  if (request.bins) {
    TACET_TRY(counts.bins, schemas::parse_bins(*request.bins));
  }
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  return release_counts(dataset, counts);
}

/// The noise of a cell. A projection that keeps the total removes 1/p of its variance, for p cells.
std::string noise_words(const CountRelease& release) {
  const double scale = release.noise.scale;
  if (release.noise.structure != mechanisms::NoiseStructure::SumZero)
    return fmt::format("Noise: {} with scale {} per cell. ", name(release.noise.family), report::readable(scale));
  const double kept = 1 - 1 / static_cast<double>(release.values.size());
  return fmt::format("Noise: {} with standard deviation {} per cell, which keeps the total. ", name(release.noise.family),
                     report::readable(scale * std::sqrt(kept)));
}

std::string counts_words(const CountRelease& release, const inference::Estimate& estimate) {
  if (const auto empty = empty_table_words(release)) return *empty;
  return "Noisy counts, and where the true counts lie (all intervals together hold with probability 0.95):\n" +
         table_words(release, [&](std::size_t i) {
           return fmt::format("{} [{}, {}]", report::readable(std::round(release.values[i])), report::readable(estimate.lower[i]),
                              report::readable(estimate.upper[i]));
         });
}

std::string words(const Reply& reply) {
  const CountRelease& release = reply.release;
  const auto estimate = inference::estimate(release, {});
  if (!estimate) return {};
  return paid_before_words(reply.paid_before) + rows_words(release.header) + counts_words(release, *estimate) + noise_words(release) +
         charged_words(release.header, reply.budget, reply.file, "tacet infer estimate");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "release counts",
       .summary = "Publish a table of counts with exact noise, charged to the budget first",
       .example =
           "tacet release counts --data patients.csv --schema patients.toml --by smoking,disease --mechanism gaussian --rho 0.125 --out "
           "smoking.json",
       .library = LibraryFunction{"release_counts", "tacet/workflow/release/release_counts.h"},
       .request = RequestTable<Request>()
                      .include(&Request::place, data_table())
                      .required(
                          "by", [](Request& r) -> auto& { return r.counts.by; }, "a,b", "the columns to cross")
                      .field("bins", &Request::bins, "COLUMN:a,b,c",
                             "edges of the cells of a column with bounds, in place of the schema's: age:0,40,65,120; several columns "
                             "are separated by semicolons")
                      .field(
                          "where", [](Request& r) -> auto& { return r.counts.where; }, "CONDITION", kWhereHelp)
                      .field(
                          "mechanism", [](Request& r) -> auto& { return r.counts.mechanism; }, "M",
                          "by default laplace for a pure epsilon and otherwise gaussian; rank-deficient keeps the total")
                      .field(
                          "count", [](Request& r) -> auto& { return r.counts.count; }, "WHAT",
                          "where a person may have several rows: people, each once in a cell, or rows; by default people")
                      .include(&Request::place, file_table())
                      .include([](Request& r) -> auto& { return r.counts.loss; }, privacy_table("what to spend")),
       .answer = published_table<CountRelease>(table_answer_fields("the noisy counts")),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::release_counts_verb
