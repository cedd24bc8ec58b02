#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/inference/goodness_of_fit.h"
#include "tacet/inference/local_gof.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/null_file.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

std::string shape_words(const std::vector<std::size_t>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const inference::GofOptions options, test_options(request, context));
  TACET_TRY(const mechanisms::Flattened null, probabilities_field(request, "null"));
  context.tell("reading the release");
  TACET_TRY(const mechanisms::Release release, mechanisms::read_release(*text_field(request, "release")));
  if (null.shape != release.shape) {
    return Error::invalid("null", "a table of " + shape_words(null.shape),
                          fmt::format("must have the shape of the release, {}", shape_words(release.shape)));
  }
  const auto ask = release.kind == "local" ? inference::test_local_goodness_of_fit : inference::test_goodness_of_fit;
  TACET_TRY(const inference::GofTest test, ask(release, null.values, options));
  Json result = test_json(test, options);
  result["n"] = release.n ? Json(*release.n) : Json(nullptr);
  return result;
}

std::string words(const Json& result) {
  const auto outcome = result.at("outcome").get<std::string>();
  const std::string level = fmt::format("{:.4g}", result.at("alpha").get<double>());
  std::string out;
  if (outcome == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", result.at("reason").get<std::string>());
  } else if (outcome == "reject") {
    out = fmt::format("The table does not follow the probabilities: rejected at level {}.\n", level);
  } else {
    out = fmt::format("No evidence against the probabilities at level {}{}.\n", level,
                      power_words(result, "deviation", "the table deviates by no more than sampling and noise explain"));
  }
  return out + test_details(result);
}

}  // namespace

Verb infer_gof_verb() {
  std::vector<Field> fields = {{"release", "FILE", "a release file with counts, or with local reports", FieldKind::Text, true},
                               {"null", "FILE", "a JSON array of probabilities, nested as the table is", FieldKind::Text, true}};
  for (Field& field : test_fields("classical, projected or nonprojected; if not given, the one with the greatest planned power",
                                  "asymptotic, montecarlo, bootstrap or auto (the default)"))
    fields.push_back(std::move(field));
  return {"infer gof",
          "Test whether the people behind a release follow given probabilities, knowing the noise",
          "tacet infer gof --release imported.json --null null.json --alpha 0.05",
          std::move(fields),
          run,
          words};
}

}  // namespace tacet::service
