#include <variant>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

using inference::GofOptions;
using inference::GofTest;

std::string shape_words(const std::vector<std::size_t>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(GofOptions options, test_options(request, context));
  if (const auto shrink = text_field(request, "shrink")) {
    TACET_TRY(options.denoise.shrink, named<inference::Shrinkage>("shrink", *shrink, "for example: --shrink js+"));
  }
  if (const auto project = text_field(request, "project")) {
    TACET_TRY(options.denoise.project, named<inference::Projection>("project", *project, "for example: --project simplex"));
  }
  TACET_TRY(const mechanisms::Flattened null, probabilities_field(request, "null"));
  context.tell("reading the release");
  using mechanisms::CountRelease;
  using mechanisms::LocalRelease;
  TACET_TRY(const auto release, mechanisms::read_release_as<CountRelease, LocalRelease>(*text_field(request, "release")));
  const auto* counts = std::get_if<CountRelease>(&release);
  const auto* local = std::get_if<LocalRelease>(&release);
  const mechanisms::ReleasedTable& table = std::visit([](const mechanisms::ReleasedTable& held) -> const auto& { return held; }, release);
  if (null.shape != table.shape) {
    return Error::invalid("null", "a table of " + shape_words(null.shape),
                          fmt::format("must have the shape of the release, {}", shape_words(table.shape)));
  }
  if (local != nullptr && inference::denoises(options.denoise)) {
    return Error::invalid("release", "local reports", "must be counts with noise where --shrink or --project are asked for",
                          "local reports are tested as they are");
  }
  TACET_TRY(const GofTest test, local != nullptr ? inference::test_local_goodness_of_fit(*local, null.values, options)
                                                 : inference::test_goodness_of_fit(*counts, null.values, options));
  Json result = test_json(test, options, local != nullptr ? local->n : counts->n);
  result["shrink"] = name(options.denoise.shrink);
  result["project"] = name(options.denoise.project);
  return result;
}

std::string words(const Json& result) {
  return test_words(result, {.null = "the probabilities", .rejected = "The table does not follow the probabilities"});
}

}  // namespace

Verb infer_gof_verb() {
  return {"infer gof",
          "Test whether the people behind a release follow given probabilities, knowing the noise",
          "tacet infer gof --release imported.json --null null.json --alpha 0.05",
          test_fields(
              {{"release", "FILE", "a release file with counts, or with local reports", FieldKind::Text, true},
               {"null", "FILE", "a JSON array of probabilities, nested as the table is", FieldKind::Text, true},
               {"statistic", "S", "classical, projected or nonprojected; if not given, the one with the greatest planned power"},
               {"shrink", "S", "denoise first: none, js0, js, js+ or rjs, as in infer estimate; the tables of the null are denoised too"},
               {"project", "P", "denoise first: none, nonnegative or simplex"}}),
          run,
          words};
}

}  // namespace tacet::service
