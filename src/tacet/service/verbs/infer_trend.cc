#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/service/interval_answer.h"
#include "tacet/workflow/infer/trend.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service::infer_trend_verb {
namespace {

struct Request {
  std::string release, of, by;
  std::optional<std::string> given;
  std::vector<double> scores;
  double alpha = 0.05;
  Simulation simulation;
};
using Reply = TrendAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  TrendOptions options{.by = request.by, .scores = request.scores, .alpha = request.alpha, .simulation = request.simulation};
  TACET_TRY(options.of, parse_event(request.of, "of"));
  if (request.given) {
    TACET_TRY(options.given, parse_event(*request.given, "given"));
  }
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_trend(release, options, context);
}

std::string slope_words(const Reply& reply) {
  if (!reply.slope || !reply.file)
    return fmt::format("The slope is not known: {}.\n", reply.interval_reason.value_or("the test is inconclusive"));
  const std::string about = fmt::format("For each unit of the scores the proportion {} by about {}", *reply.slope < 0 ? "falls" : "rises",
                                        short_value(std::abs(*reply.slope)));
  if (reply.population) return fmt::format("{}. The slope is {}.\n", about, interval_words(reply.population, *reply.file));
  return fmt::format("{}. The slope is between {} and {} in the file; for the population, {}.\n", about, short_value(reply.file->lower),
                     short_value(reply.file->upper), reply.interval_reason.value_or(""));
}

/// "Scores: 18-39 1, 40+ 2, other 3.": a cell for other values has one, too, if there is anybody.
std::string scores_words(const Reply& reply) {
  constexpr std::size_t kMostScores = 20;
  std::string out;
  for (std::size_t j = 0; j < reply.scores.size() && j < kMostScores; ++j)
    out += fmt::format("{}{} {:g}", j == 0 ? "Scores: " : ", ", report::printable(reply.categories[j]), reply.scores[j]);
  return out + (reply.scores.size() > kMostScores ? ", ....\n" : ".\n");
}

std::string words(const Reply& reply) {
  const std::string of = report::printable(reply.given ? fmt::format("{} given {}", reply.of, *reply.given) : reply.of);
  const std::string by = report::printable(reply.by);
  const std::string tested = count_test_words(
      reply, {.null = fmt::format("a constant proportion of {} along {}", of, by),
              .rejected = fmt::format("The proportion of {} {} along {}", of, reply.slope.value_or(0) < 0 ? "falls" : "rises", by),
              .doubt = fmt::format("of a trend of {} along {}", of, by)});
  std::string without;
  for (const std::string& label : reply.left_out)
    without += fmt::format("{}{}={}", without.empty() ? "Left out: " : ", ", by, report::printable(label));
  if (!without.empty()) without += ". A category is left out that may be empty, and missing numbers always are.\n";
  return slope_words(reply) + scores_words(reply) + without + tested;
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer trend",
       .summary = "Test whether a proportion rises or falls along an ordered column (Cochran-Armitage), knowing the noise",
       .example = "tacet infer trend --release smoking.json --of disease=lung --by smoking --scores 0,1,2,0",
       .library = LibraryFunction{"infer_trend", "tacet/workflow/infer/trend.h"},
       .request =
           RequestTable<Request>()
               .required("release", &Request::release, "FILE", "a release file with counts")
               .required("of", &Request::of, "E", "whose proportion: disease=lung")
               .required("by", &Request::by, "NAME", "the column along which it may rise or fall")
               .field("given", &Request::given, "E", "among whom: sex=f; if not given, among all")
               .field("scores", &Request::scores, "s,...",
                      "a number for each category of the column, or for each bin; 1, 2, ... if not given. Of categories that are left out "
                      "it is "
                      "ignored, or not given")
               .field("alpha", &Request::alpha, "A", "the level of the test, and 1 minus that of the intervals")
               .include(std::identity(), simulation_table<Request>(&Request::simulation, "the most tables to simulate; by default 9,999")),
       .answer =
           AnswerTable<Reply>()
               .value("estimate", &Reply::slope, "the slope: the change of the proportion for each unit of the scores; may be null")
               .include(std::identity(), optional_interval_answer<Reply>())
               .value("interval_reason", &Reply::interval_reason, "why an end is null; null otherwise")
               .value("of", &Reply::of, "whose proportion")
               .value("by", &Reply::by, "the column along which it may rise or fall")
               .value("given", &Reply::given, "among whom; null: among all")
               .value("categories", &Reply::categories, "the categories of the column")
               .value("scores", &Reply::scores, "their scores")
               .value("left_out", &Reply::left_out,
                      "categories of which may be nobody, as far as noise tells, and the cell of missing numbers where the column has bins")
               .include(std::identity(), count_test_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_trend_verb
