#include <functional>
#include <optional>
#include <string>

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
  std::optional<NoisedChiSquare> noised;
};
using Reply = GwasTest;

Status read_noised(Request& request, const Json& json) {
  if (!json.contains("noised")) {
    for (const char* field : {"n", "rho"}) {
      if (json.contains(field) && json.contains("release"))
        return Error::invalid(field, "given with a release", "must be left out: the release says it");
    }
    return {};
  }
  for (const char* field : {"n", "rho"}) {
    if (!json.contains(field)) return Error::invalid(field, "missing", "must be given with a noised statistic", kExample);
  }
  for (const char* field : {"release", "rows", "columns", "statistic", "method", "draws", "seed"}) {
    if (json.contains(field)) {
      return Error::invalid(field, "given with a noised statistic",
                            "must be left out: a noised statistic has one distribution and no table", kExample);
    }
  }
  TACET_TRY(const double statistic, Codec<double>::read(json.at("noised"), "noised"));
  TACET_TRY(const std::uint64_t n, read_whole_number(json.at("n"), "n", 2, kMostPeople));
  TACET_TRY(const double rho, Codec<double>::read(json.at("rho"), "rho"));
  request.noised = NoisedChiSquare{statistic, static_cast<double>(n), rho};
  return {};
}

Result<Reply> run(const Request& request, const Context& context) {
  if (request.noised) return test_gwas(*request.noised, request.options.alpha);
  if (!request.release) {
    return Error::invalid("release", "missing", "must be given, or a noised statistic in place of it",
                          "release = r.json for a noisy table, or noised = T n = N rho = R for a statistic that was noised itself");
  }
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
       .request =
           RequestTable<Request>()
               .field("release", &Request::release, "FILE", "a release file with counts of two variables, or with local reports")
               .include(&Request::options, independence_table())
               .together({{"noised", "T", "in place of a release: a chi-square statistic that was noised itself, half of the people cases",
                           FieldKind::Number},
                          {"n", "N", "with noised: the number of people", FieldKind::Number},
                          {"rho", "R", "with noised: the privacy of the statistic in rho", FieldKind::Number}},
                         read_noised),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(), independence_answer())
                     .value("baseline_critical", &Reply::baseline_critical,
                            "the critical value with noise on the chi-square statistic itself, for the same privacy"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_gwas_verb
