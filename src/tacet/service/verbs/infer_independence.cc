#include <optional>
#include <variant>

#include <fmt/format.h>

#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/marginal.h"
#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/inference/local/local_independence.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

using inference::CompositeTest;
using inference::GofOptions;
using mechanisms::CountRelease;
using mechanisms::LocalRelease;
using Table = std::variant<CountRelease, LocalRelease>;

const TestWords kWords{.null = "independence", .rejected = "Rows and columns depend on each other"};

/// The release, or the table of two of its variables where they are named.
Result<Table> table_of(const Json& request) {
  const std::string path = *text_field(request, "release");
  TACET_TRY(Table release, mechanisms::read_release_as<CountRelease, LocalRelease>(path));
  const auto rows = text_field(request, "rows");
  const auto columns = text_field(request, "columns");
  if (!rows && !columns) return release;
  if (!rows || !columns) {
    return Error::invalid(rows ? "columns" : "rows", "missing", "must name the other variable of the table",
                          "for example: --rows smoking --columns disease");
  }
  if (const auto* local = std::get_if<LocalRelease>(&release))
    return mechanisms::wrong_kind(mechanisms::kind_of(*local), {mechanisms::ReleaseKind::Counts}, path);
  TACET_TRY(CountRelease two, inference::marginal(std::get<CountRelease>(release), {*rows, *columns}));
  return Table(std::move(two));
}

const mechanisms::ReleasedTable& cells_of(const Table& table) {
  return std::visit([](const mechanisms::ReleasedTable& held) -> const mechanisms::ReleasedTable& { return held; }, table);
}

Json independence_json(const Table& table, const CompositeTest& answer, const GofOptions& options) {
  const auto n = std::visit([](const auto& held) { return std::optional<double>(held.n); }, table);
  const mechanisms::ReleasedTable& release = cells_of(table);
  Json result = test_json(answer.test, options, n);
  result["fitted"] = answer.fitted.empty() ? Json(nullptr) : mechanisms::nested(answer.fitted, release.shape);
  result["rows"] = release.axes.size() == 2 ? Json(release.axes[0].name) : Json(nullptr);
  result["columns"] = release.axes.size() == 2 ? Json(release.axes[1].name) : Json(nullptr);
  return result;
}

TestWords words_of(const Json& result) {
  if (result.at("rows").is_null()) return kWords;
  const std::string rows = report::printable(result.at("rows").get<std::string>());
  const std::string columns = report::printable(result.at("columns").get<std::string>());
  return {.null = fmt::format("independence of {} and {}", rows, columns),
          .rejected = fmt::format("{} and {} depend on each other", rows, columns)};
}

Result<CompositeTest> ask(const Table& table, const GofOptions& options) {
  if (const auto* local = std::get_if<LocalRelease>(&table)) return inference::test_local_independence(*local, options);
  return inference::test_independence(std::get<CountRelease>(table), options);
}

Result<Json> run_independence(const Json& request, const Context& context) {
  TACET_TRY(const GofOptions options, test_options(request, context));
  context.tell("reading the release");
  TACET_TRY(const Table table, table_of(request));
  TACET_TRY(const CompositeTest answer, ask(table, options));
  return independence_json(table, answer, options);
}

std::string independence_words(const Json& result) { return test_words(result, words_of(result)); }

/// The baseline itself: a statistic that was noised, in place of a table.
Result<Json> run_noised(const Json& request, const GofOptions& options) {
  for (const char* field : {"n", "rho"}) {
    if (!request.contains(field))
      return Error::invalid(field, "missing", "must be given with --noised", "for example: --noised 61.3 --n 1000 --rho 0.01");
  }
  for (const char* field : {"release", "rows", "columns", "statistic", "method", "draws", "seed"}) {
    if (request.contains(field)) {
      return Error::invalid(field, "given with --noised", "must be left out: a noised statistic has one law and no table",
                            "for example: --noised 61.3 --n 1000 --rho 0.01");
    }
  }
  TACET_TRY(const double statistic, plain_number("noised", *number_field(request, "noised")));
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), 2, std::uint64_t{1} << 53));
  TACET_TRY(const double rho, plain_number("rho", *number_field(request, "rho")));
  const auto people = static_cast<double>(n);
  TACET_TRY(const inference::GofTest test, inference::test_noised_gwas(statistic, people, rho, options.alpha));
  Json result = test_json(test, options, people);
  result["baseline_critical"] = nullptr;
  return result;
}

Result<Json> run_gwas(const Json& request, const Context& context) {
  TACET_TRY(const GofOptions options, test_options(request, context));
  if (request.contains("noised")) return run_noised(request, options);
  if (!request.contains("release")) {
    return Error::invalid("release", "missing", "must be given, or a noised statistic in place of it",
                          "--release r.json for a noisy table, or --noised T --n N --rho R for a statistic that was noised itself");
  }
  for (const char* field : {"n", "rho"}) {
    if (request.contains(field)) return Error::invalid(field, "given with a release", "must be left out: the release says it");
  }
  context.tell("reading the release");
  TACET_TRY(const Table table, table_of(request));
  TACET_TRY(const inference::TableShape shape, inference::two_way(cells_of(table)));
  if (shape.cells() != 6) {
    return Error::invalid("release", fmt::format("a table of {} x {}", shape.rows, shape.columns),
                          "must be 3 genotypes x 2 groups, or 2 x 3", "use tacet infer independence for any other table");
  }
  TACET_TRY(const CompositeTest answer, ask(table, options));
  Json result = independence_json(table, answer, options);
  // The baseline of the same privacy: Gaussian noise of variance 1/rho in each cell is rho under replace-one.
  result["baseline_critical"] = nullptr;
  const auto* counts = std::get_if<CountRelease>(&table);
  if (counts != nullptr && counts->n && counts->noise.family == kernel::NoiseFamily::Gaussian) {
    const auto baseline = inference::gwas_critical(*counts->n, 1 / inference::cell_noise(counts->noise).variance, options.alpha);
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

std::vector<Field> fields(bool release_required) {
  return test_fields(
      {{"release", "FILE", "a release file with counts of two variables, or with local reports", FieldKind::Text, release_required},
       {"rows", "NAME", "with --columns: the two variables to take of a release of more"},
       {"columns", "NAME", "see --rows"},
       {"statistic", "S", "projected (the default), nonprojected or classical"}});
}

}  // namespace

Verb infer_independence_verb() {
  return {"infer independence",
          "Test whether two variables of a release have anything to do with each other, knowing the noise",
          "tacet infer independence --release imported.json --alpha 0.05",
          fields(true),
          run_independence,
          independence_words};
}

Verb infer_gwas_verb() {
  std::vector<Field> all = fields(false);
  for (Field& field :
       std::vector<Field>{{"noised", "T", "in place of a release: a chi-square statistic that was noised itself, half of the people cases",
                           FieldKind::Number},
                          {"n", "N", "with --noised: the number of people", FieldKind::Number},
                          {"rho", "R", "with --noised: the privacy of the statistic in rho", FieldKind::Number}}) {
    all.push_back(std::move(field));
  }
  return {"infer gwas",
          "Test whether a genotype and a disease are independent, by a noisy 3 x 2 table or by a noised statistic",
          "tacet infer gwas --release genotypes.json --alpha 0.05",
          std::move(all),
          run_gwas,
          gwas_words};
}

}  // namespace tacet::service
