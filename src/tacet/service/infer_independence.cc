#include <fmt/format.h>

#include "tacet/inference/independence.h"
#include "tacet/inference/marginal.h"
#include "tacet/inference/output_perturbation.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

using inference::GofOptions;
using inference::ModelTest;
using mechanisms::Release;

const TestWords kWords{.null = "independence", .rejected = "Rows and columns depend on each other"};

/// The release, or the table of two of its variables where they are named.
Result<Release> table_of(const Json& request) {
  TACET_TRY(Release release, mechanisms::read_release(*text_field(request, "release")));
  const auto rows = text_field(request, "rows");
  const auto columns = text_field(request, "columns");
  if (!rows && !columns) return release;
  if (!rows || !columns) {
    return Error::invalid(rows ? "columns" : "rows", "missing", "must name the other variable of the table",
                          "for example: --rows smoking --columns disease");
  }
  return inference::marginal(release, {*rows, *columns});
}

Json independence_json(const Release& release, const ModelTest& answer, const GofOptions& options) {
  Json result = test_json(answer.test, options, release.n);
  result["fitted"] = answer.fitted.empty() ? Json(nullptr) : mechanisms::nested(answer.fitted, release.shape);
  result["rows"] = release.axes.size() == 2 ? Json(release.axes[0].name) : Json(nullptr);
  result["columns"] = release.axes.size() == 2 ? Json(release.axes[1].name) : Json(nullptr);
  return result;
}

TestWords words_of(const Json& result) {
  if (result.at("rows").is_null()) return kWords;
  const auto rows = result.at("rows").get<std::string>();
  const auto columns = result.at("columns").get<std::string>();
  return {.null = fmt::format("independence of {} and {}", rows, columns),
          .rejected = fmt::format("{} and {} depend on each other", rows, columns)};
}

Result<Json> run_independence(const Json& request, const Context& context) {
  TACET_TRY(const GofOptions options, test_options(request, context));
  context.tell("reading the release");
  TACET_TRY(const Release release, table_of(request));
  TACET_TRY(const ModelTest answer, inference::test_independence(release, options));
  return independence_json(release, answer, options);
}

std::string independence_words(const Json& result) { return test_words(result, words_of(result)); }

Result<Json> run_gwas(const Json& request, const Context& context) {
  TACET_TRY(const GofOptions options, test_options(request, context));
  context.tell("reading the release");
  TACET_TRY(const Release release, table_of(request));
  TACET_TRY(const inference::TableShape shape, inference::two_way(release));
  if (shape.cells() != 6) {
    return Error::invalid("release", fmt::format("a table of {} x {}", shape.rows, shape.columns),
                          "must be 3 genotypes x 2 groups, or 2 x 3", "use tacet infer independence for any other table");
  }
  TACET_TRY(const ModelTest answer, inference::test_independence(release, options));
  Json result = independence_json(release, answer, options);
  // The baseline of the same privacy: Gaussian noise of variance 1/rho in each cell is rho under replace-one.
  result["baseline_critical"] = nullptr;
  if (release.n && release.noise.family == kernel::NoiseFamily::Gaussian) {
    const auto baseline = inference::gwas_critical(*release.n, 1 / inference::cell_noise(release.noise).variance, options.alpha);
    if (baseline) result["baseline_critical"] = *baseline;
  }
  return result;
}

std::string gwas_words(const Json& result) {
  std::string out =
      test_words(result, {.null = "independence of genotype and disease", .rejected = "Genotype and disease depend on each other"});
  if (result.at("baseline_critical").is_null()) return out;
  return out + fmt::format("Noise on the statistic itself, for the same privacy (replace-one), would have needed a chi-square of {:.4g}.\n",
                           result.at("baseline_critical").get<double>());
}

std::vector<Field> fields() {
  return test_fields({{"release", "FILE", "a release file with counts of two variables", FieldKind::Text, true},
                      {"rows", "NAME", "with --columns: the two variables to take of a release of more"},
                      {"columns", "NAME", "see --rows"},
                      {"statistic", "S", "projected (the default), nonprojected or classical"}});
}

}  // namespace

Verb infer_independence_verb() {
  return {"infer independence",
          "Test whether two variables of a release have anything to do with each other, knowing the noise",
          "tacet infer independence --release imported.json --alpha 0.05",
          fields(),
          run_independence,
          independence_words};
}

Verb infer_gwas_verb() {
  return {"infer gwas",
          "Test whether a genotype and a disease are independent in a noisy 3 x 2 table",
          "tacet infer gwas --release genotypes.json --alpha 0.05",
          fields(),
          run_gwas,
          gwas_words};
}

}  // namespace tacet::service
