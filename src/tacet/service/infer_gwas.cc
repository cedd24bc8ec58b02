#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/inference/independence.h"
#include "tacet/inference/output_perturbation.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

constexpr const char* kTable = "noisy table";
constexpr const char* kOutput = "noised statistic";

Result<Json> from_table(const Json& request, const inference::GofOptions& options) {
  TACET_TRY(const mechanisms::Release release, mechanisms::read_release(*text_field(request, "release")));
  const std::vector<std::size_t> tall = {3, 2};
  const std::vector<std::size_t> wide = {2, 3};
  if (release.shape != tall && release.shape != wide) {
    return Error::invalid("release", fmt::format("a table of {}", fmt::join(release.shape, " x ")),
                          "must be a table of 3 x 2, the genotypes by case and control, or 2 x 3",
                          "other tables are for `tacet infer independence`");
  }
  TACET_TRY(const inference::ModelTest answer, inference::test_independence(release, options));
  Json result = test_json(answer.test, options);
  result["n"] = release.n ? Json(*release.n) : Json(nullptr);
  result["from"] = kTable;
  return result;
}

Result<Json> from_statistic(const Json& request, const inference::GofOptions& options) {
  for (const char* field : {"n", "rho"}) {
    if (!request.contains(field))
      return Error::invalid(field, "missing", "must be given with --noised", "for example: --noised 61.3 --n 1000 --rho 0.01");
  }
  for (const char* field : {"statistic", "method", "draws", "seed"}) {
    if (request.contains(field)) return Error::invalid(field, "given with --noised", "must be left out: the law of the sum is exact");
  }
  TACET_TRY(const double statistic, plain_number("noised", *number_field(request, "noised")));
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), 2, std::uint64_t{1} << 53));
  TACET_TRY(const double rho, plain_number("rho", *number_field(request, "rho")));
  TACET_TRY(const inference::GofTest test, inference::test_noised_gwas(statistic, static_cast<double>(n), rho, options.alpha));
  Json result = test_json(test, options);
  result["n"] = n;
  result["from"] = kOutput;
  return result;
}

Result<Json> run(const Json& request, const Context& context) {
  if (request.contains("release") == request.contains("noised")) {
    return Error::invalid("release", request.contains("release") ? "given with a noised statistic" : "missing",
                          "must be given, or --noised in place of it",
                          "--release r.json for a noisy table, or --noised T --n N --rho R for a statistic that was noised itself");
  }
  TACET_TRY(const inference::GofOptions options, test_options(request, context));
  if (request.contains("noised")) return from_statistic(request, options);
  for (const char* field : {"n", "rho"}) {
    if (request.contains(field)) return Error::invalid(field, "given with a release", "must be left out: the release says it");
  }
  return from_table(request, options);
}

std::string words(const Json& result) {
  const auto outcome = result.at("outcome").get<std::string>();
  const std::string level = fmt::format("{:.4g}", result.at("alpha").get<double>());
  std::string out;
  if (outcome == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", result.at("reason").get<std::string>());
  } else if (outcome == "reject") {
    out = fmt::format("Cases and controls differ in their genotypes: rejected at level {} that they do not.\n", level);
  } else {
    out = fmt::format("No evidence that the genotypes of cases and controls differ at level {}{}.\n", level,
                      power_words(result, "difference", "they differ by no more than sampling and noise explain"));
  }
  return out + test_details(result);
}

}  // namespace

Verb infer_gwas_verb() {
  std::vector<Field> fields = {
      {"release", "FILE", "a release file with a table of 3 x 2: three genotypes, cases and controls"},
      {"noised", "T", "in place of a release: a chi-square statistic that was noised itself, half of the people cases", FieldKind::Number},
      {"n", "N", "with --noised: the number of people", FieldKind::Number},
      {"rho", "R", "with --noised: the privacy of the statistic in rho", FieldKind::Number}};
  for (Field& field : test_fields("with --release: projected (the default), nonprojected or classical",
                                  "with --release: asymptotic, montecarlo, bootstrap or auto (the default)"))
    fields.push_back(std::move(field));
  return {"infer gwas",
          "Test whether cases and controls have the same genotypes, from a noisy table or from a noised statistic",
          "tacet infer gwas --noised 61.3 --n 1000 --rho 0.01 --alpha 0.05",
          std::move(fields),
          run,
          words};
}

}  // namespace tacet::service
