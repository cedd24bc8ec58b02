#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/independence_answer.h"
#include "tacet/workflow/infer/gwas.h"

namespace tacet::service::infer_gwas_verb {
namespace {

constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 53;
constexpr const char* kExample = "for example: noised = 61.3 n = 1000 rho = 0.01";

/// A table in a file, or in place of it a statistic that was noised itself.
struct Request {
  std::optional<std::string> release;
  GwasOptions options;
  std::optional<double> noised;
  std::optional<std::uint64_t> n;
  std::optional<double> rho;
};
using Reply = GwasTest;

Status check_with_release(const Request& request) {
  constexpr const char* kRule = "must be left out: the release says it";
  if (request.n) return Error::invalid("n", "given with a release", kRule);
  if (request.rho) return Error::invalid("rho", "given with a release", kRule);
  return {};
}

/// What belongs to a table must have its default.
Status check_with_noised(const Request& request) {
  const GwasOptions& options = request.options;
  const GwasOptions usual;
  const std::vector<std::pair<const char*, bool>> of_tables = {{"release", request.release.has_value()},
                                                               {"rows", options.rows.has_value()},
                                                               {"columns", options.columns.has_value()},
                                                               {"statistic", options.statistic.has_value()},
                                                               {"method", options.method != usual.method},
                                                               {"draws", options.simulation.draws != usual.simulation.draws},
                                                               {"seed", options.simulation.seed != usual.simulation.seed}};
  for (const auto& [field, given] : of_tables) {
    if (given) {
      return Error::invalid(field, "given with a noised statistic",
                            "must be left out: a noised statistic has one distribution and no table", kExample);
    }
  }
  return {};
}

Result<Reply> run_noised(const Request& request) {
  if (!request.n) return Error::invalid("n", "missing", "must be given with a noised statistic", kExample);
  if (!request.rho) return Error::invalid("rho", "missing", "must be given with a noised statistic", kExample);
  TACET_CHECK(check_with_noised(request));
  return test_gwas(NoisedChiSquare{*request.noised, static_cast<double>(*request.n), *request.rho}, request.options.alpha);
}

Result<Reply> run(const Request& request, const Context& context) {
  if (request.noised) return run_noised(request);
  if (!request.release) {
    return Error::invalid("release", "missing", "must be given, or a noised statistic in place of it",
                          "release = r.json for a noisy table, or noised = T n = N rho = R for a statistic that was noised itself");
  }
  TACET_CHECK(check_with_release(request));
  context.tell("reading the release");
  TACET_TRY(const TableRelease release, (read_release_as<CountRelease, LocalRelease>(*request.release)));
  return test_gwas(release, request.options, context);
}

std::string words(const Reply& reply) {
  std::string out =
      count_test_words(reply, {.null = "independence of genotype and disease", .rejected = "Genotype and disease depend on each other"});
  if (!reply.baseline_critical) return out;
  return out + fmt::format("With noise on the statistic itself, for the same privacy (replace-one), the critical value would be {:.4g}.\n",
                           *reply.baseline_critical);
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer gwas",
       .summary = "Test whether a genotype and a disease are independent, by a noisy 3 x 2 table or by a noised statistic",
       .example = "tacet infer gwas --release genotypes.json --alpha 0.05",
       .library = LibraryFunction{"test_gwas", "tacet/workflow/infer/gwas.h"},
       .request = RequestTable<Request>()
                      .field("release", &Request::release, "FILE", "a release file with counts of two variables, or with local reports")
                      .include(&Request::options, independence_table())
                      .field("noised", &Request::noised, "T",
                             "in place of a release: a chi-square statistic that was noised itself, half of the people cases")
                      .whole("n", &Request::n, 2, kMostPeople, "N", "with noised: the number of people")
                      .field("rho", &Request::rho, "R", "with noised: the privacy of the statistic in rho"),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(), independence_answer())
                     .value("baseline_critical", &Reply::baseline_critical,
                            "the critical value with noise on the chi-square statistic itself, for the same privacy"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_gwas_verb
