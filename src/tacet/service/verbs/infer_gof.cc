#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/infer/goodness_of_fit.h"

namespace tacet::service::infer_gof_verb {
namespace {

struct Request {
  std::string release, null;
  std::optional<std::string> target;  // a file
  GoodnessOfFitOptions options;
};
using Reply = GoodnessOfFitTest;

std::string shape_words(const std::vector<std::size_t>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const mechanisms::Flattened null, read_table(request.null, "null"));
  context.tell("reading the release");
  TACET_TRY(const TestedTable release, (read_release_as<CountRelease, LocalRelease, DenoisedRelease>(request.release)));
  const std::vector<std::size_t>& shape = cells_of(release).shape;
  if (null.shape != shape) {
    return Error::invalid("null", "a table of " + shape_words(null.shape),
                          fmt::format("must have the shape of the release, {}", shape_words(shape)));
  }
  GoodnessOfFitOptions options = request.options;
  if (request.target) {
    TACET_TRY(mechanisms::Flattened target, read_table(*request.target, "target"));
    if (target.shape != shape) return Error::invalid("target", "a table of another shape", "must be nested as the release is");
    options.target = std::move(target.values);
  }
  return test_goodness_of_fit(release, null.values, options, context);
}

std::string words(const Reply& reply) {
  return count_test_words(reply, {.null = "the probabilities", .rejected = "The table does not follow the probabilities"});
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer gof",
       .summary = "Test whether the people behind a release follow given probabilities, knowing the noise",
       .example = "tacet infer gof --release imported.json --null null.json --alpha 0.05",
       .library = LibraryFunction{"test_goodness_of_fit", "tacet/workflow/infer/goodness_of_fit.h"},
       .request =
           RequestTable<Request>()
               .required("release", &Request::release, "FILE", "a release file with counts, or with local reports")
               .required("null", &Request::null, "FILE",
                         "a JSON array of probabilities, nested as the table is; 0 for cells that nobody can be in")
               .include(&Request::options,
                        count_test_table<GoodnessOfFitOptions>("the test statistic, by default the one with the greatest planned power"))
               .include(&Request::options, RequestTable<GoodnessOfFitOptions>()
                                               .field("shrink", &GoodnessOfFitOptions::shrink, "S",
                                                      "denoise first, as in infer estimate; the tables of the null are denoised too")
                                               .field("project", &GoodnessOfFitOptions::project, "P", "denoise first"))
               .field("target", &Request::target, "FILE", "with shrink = js, js+ or rjs: shrink towards this table, such as a past one"),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(), count_test_answer())
                     .value("n", &Reply::n, "the number of people, where it is public")
                     .value("shrink", &Reply::shrink, "how the tables were shrunk first")
                     .value("project", &Reply::project, "where the tables were moved first"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_gof_verb
