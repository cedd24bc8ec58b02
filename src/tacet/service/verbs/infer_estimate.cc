#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/known_sums_file.h"
#include "tacet/service/table_file.h"
#include "tacet/service/table_words.h"
#include "tacet/workflow/infer/estimate_counts.h"

namespace tacet::service {

/// "0,500": the smaller one first.
template <>
struct Codec<Bounds> {
  static constexpr FieldKind kKind = FieldKind::Numbers;
  static Result<Bounds> read(const Json& value, const std::string& name) {
    TACET_TRY(const std::vector<double> ends, Codec<std::vector<double>>::read(value, name));
    if (ends.size() == 2) return Bounds{ends[0], ends[1]};
    return Error::invalid(name, fmt::format("a list of {}", ends.size()), "must be two numbers, the smaller one first",
                          "for example: project = bounds bounds = 0,500");
  }
  static Json write(const Bounds& bounds) { return {bounds.lower, bounds.upper}; }
  static Json schema() { return Codec<std::vector<double>>::schema(); }
};

}  // namespace tacet::service

namespace tacet::service::infer_estimate_verb {
namespace {

struct Request {
  std::string release;
  std::optional<std::string> target, known;  // files
  EstimateOptions options;
};
struct Reply {
  CountRelease release;
  EstimateOptions options;
  CountEstimate estimate;
};

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(CountRelease release, mechanisms::read_release_as<CountRelease>(request.release));
  EstimateOptions options = request.options;
  if (request.target) {
    TACET_TRY(mechanisms::Flattened target, read_table(*request.target, "target"));
    if (target.shape != release.shape) return Error::invalid("target", "a table of another shape", "must be nested as the release is");
    options.target = std::move(target.values);
  }
  if (request.known) {
    TACET_TRY(options.known, read_known_sums(*request.known, release));
  }
  context.tell("estimating");
  TACET_TRY(CountEstimate estimate, estimate_counts(release, options));
  return Reply{std::move(release), std::move(options), std::move(estimate)};
}

std::string cost_words(const CountEstimate& estimate) {
  const std::string cost = report::readable(estimate.cost);
  const std::string bound = report::readable(estimate.cost_bound);
  switch (estimate.cost_is) {
    case inference::CostMeaning::Exact: return fmt::format("Expected sum of squared errors: {}. This cost no privacy.\n", cost);
    case inference::CostMeaning::UpperBound: {
      const std::string about =
          estimate.unbiased_cost ? fmt::format(" (estimated without bias: {})", report::readable(*estimate.unbiased_cost)) : "";
      return fmt::format("Expected sum of squared errors: at most {}{}. This cost no privacy.\n", bound, about);
    }
    case inference::CostMeaning::UnbiasedEstimate: break;
  }
  return fmt::format(
      "Expected sum of squared errors: {}, estimated without bias from the release itself; at most {}. This cost no privacy.\n"
      "The intervals are those of the released values, so a shrunk value may lie outside its interval.\n",
      cost, bound);
}

std::string words(const Reply& reply) {
  if (const auto empty = empty_table_words(reply.release)) return *empty + "This cost no privacy.\n";
  const bool together = reply.options.intervals == IntervalKind::Simultaneous;
  std::string out = fmt::format("Estimated counts; {} with probability {}:\n",
                                together ? "all the true counts lie in their intervals" : "each true count lies in its interval",
                                reply.options.confidence);
  out += table_words(reply.release, [&](std::size_t i) {
    return fmt::format("{} [{}, {}]", report::readable(reply.estimate.values[i]), report::readable(reply.estimate.lower[i]),
                       report::readable(reply.estimate.upper[i]));
  });
  if (!reply.options.known.empty())
    out += "The table has the known sums, which take a part of the noise away; they are yours, and nobody has checked them.\n";
  return out + cost_words(reply.estimate);
}

/// The numbers of an estimate, nested as the table is.
auto nested(std::vector<double> CountEstimate::* member) {
  return [member](const Reply& reply) { return mechanisms::nested(reply.estimate.*member, reply.release.shape); };
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  const auto asked = [](auto member) { return [member](const Reply& reply) { return reply.options.*member; }; };
  const auto found = [](auto member) { return [member](const Reply& reply) { return reply.estimate.*member; }; };
  const Json list = {{"type", "array"}};
  return verb<Request, Reply>(
      {.name = "infer estimate",
       .summary = "Estimate the true counts behind a release, with intervals that know the noise",
       .example = "tacet infer estimate --release smoking.json --project simplex",
       .library = LibraryFunction{"estimate_counts", "tacet/workflow/infer/estimate_counts.h"},
       .request =
           RequestTable<Request>()
               .required("release", &Request::release, "FILE", "a release file")
               .field("shrink", option(&EstimateOptions::shrink), "S",
                      "towards 0 (js0), towards the mean (js), never past it (js+), or with the public total (rjs); for Gaussian noise")
               .field("project", option(&EstimateOptions::project), "P", "move to the nearest table with counts of this kind")
               .field("bounds", option(&EstimateOptions::bounds), "L,U",
                      "with project = bounds: what every true count is known to lie between")
               .field("target", &Request::target, "FILE",
                      "with js, js+ or rjs: a JSON table, such as a past one; shrink towards its multiples plus a constant")
               .field("known", &Request::known, "FILE",
                      "public sums of the true counts: a JSON list of {\"where\": {column: label}, \"sum\": N}, or with weights for every "
                      "cell in place of where; the table is moved to the nearest one that has them")
               .field("confidence", option(&EstimateOptions::confidence), "C", "the level of the intervals")
               .field("intervals", option(&EstimateOptions::intervals), "I", "whether all hold together, or each one does"),
       .answer =
           AnswerTable<Reply>()
               .json("values", nested(&CountEstimate::values), list, "the estimated counts, nested as the table is")
               .json("lower", nested(&CountEstimate::lower), list, "the lower ends of the intervals")
               .json("upper", nested(&CountEstimate::upper), list, "the upper ends of the intervals")
               .value("confidence", asked(&EstimateOptions::confidence), "the level of the intervals")
               .value("intervals", asked(&EstimateOptions::intervals), "whether all hold together, or each one does")
               .value("margin", found(&CountEstimate::margin), "half the width of the widest interval before it is cut to possible counts")
               .value("cost", found(&CountEstimate::cost), "the expected sum of squared errors, as cost_is says")
               .value("cost_is", found(&CountEstimate::cost_is), "what the cost is")
               .value("cost_bound", found(&CountEstimate::cost_bound), "an upper bound of the cost")
               .value("cost_estimate", found(&CountEstimate::unbiased_cost), "an unbiased estimate of the cost, for Gaussian noise")
               .value("shrink", asked(&EstimateOptions::shrink), "how the values were shrunk")
               .value("project", asked(&EstimateOptions::project), "where the values were moved")
               .json(
                   "release", [](const Reply& reply) { return mechanisms::to_json(reply.release); }, {{"type", "object"}}, "the release"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_estimate_verb
