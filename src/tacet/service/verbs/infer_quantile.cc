#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/histogram_fields.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/interval_answer.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/quantile.h"

namespace tacet::service::infer_quantile_verb {
namespace {

struct Request {
  HistogramFields histogram;
  QuantileOptions options;
};
using Reply = QuantileAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  QuantileOptions options = request.options;
  TACET_TRY(options.part, histogram_part(request.histogram));
  context.tell("reading the release");
  TACET_TRY(const HistogramSource source, read_histogram(request.histogram));
  return infer_quantiles(source, options, context);
}

std::string words(const Reply& reply) { return quantile_table_words(reply) + about_words(reply.about) + "This cost no privacy.\n"; }

constexpr auto kShown = [](const Reply& reply, const auto& show) {
  for (const QuantileRow& row : reply.rows) show(row);
};

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer quantile",
       .summary = "Estimate quantiles and medians from a released histogram, with intervals",
       .example = "tacet infer quantile --release cholesterol.json --probability 0.25,0.5,0.75",
       .library = LibraryFunction{"infer_quantiles", "tacet/workflow/infer/quantile.h"},
       .request =
           RequestTable<Request>()
               .include(&Request::histogram, histogram_table())
               .field("probability", option(&QuantileOptions::probabilities), "P,...", "the parts of the people below: 0.5 is the median")
               .field("confidence", option(&QuantileOptions::confidence), "C", "the level of the intervals")
               .field("intervals", option(&QuantileOptions::intervals), "I", "whether each one holds, or all quantiles together")
               .include(std::identity(), simulation_table<Request>(option(&QuantileOptions::simulation),
                                                                   "simulated draws of the noise, for simultaneous intervals")),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(),
                              listed_interval_answer<Reply>(kShown,
                                                            "the quantile, interpolated within its bin; a list of several; null: nobody "
                                                            "may have a number"))
                     .value("confidence", &Reply::confidence, "the level of the intervals")
                     .value("intervals", &Reply::intervals, "whether each one holds, or all quantiles together")
                     .value("column", &Reply::column, "the column")
                     .value("dates", &Reply::dates, "whether numbers are days since 1970-01-01")
                     .value("people", &Reply::people, "the estimated number of people, or rows, that have a number")
                     .list("rows", &Reply::rows,
                           AnswerTable<QuantileRow>()
                               .value("probability", &QuantileRow::probability, "the part of the people, or rows, below")
                               .include(std::identity(), interval_answer<QuantileRow>()),
                           "each quantile with its intervals")
                     .include(&Reply::about, about_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_quantile_verb
