#include <fmt/format.h>

#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/numeric/weighted_chi2.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

Result<double> alpha_of(const Json& request) {
  TACET_TRY(const double alpha, plain_number("alpha", *number_field(request, "alpha")));
  if (!(alpha >= 1e-300 && alpha < 1)) {
    return Error::invalid("alpha", number_field(request, "alpha")->substr(0, 40), "must be at least 1e-300 and less than 1",
                          "for example: --alpha 0.05");
  }
  return alpha;
}

Result<double> people_of(const Json& request, std::uint64_t least) {
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), least, std::uint64_t{1} << 53));
  return static_cast<double>(n);
}

Result<double> rho_of(const Json& request) {
  TACET_TRY(const double rho, plain_number("rho", *number_field(request, "rho")));
  if (!(rho > 0 && rho <= 1e12 && rho >= 1e-12)) {
    return Error::invalid("rho", number_field(request, "rho")->substr(0, 40), "must be at least 1e-12 and at most 1e12",
                          "for example: --rho 0.125");
  }
  return rho;
}

Result<Json> run_weighted(const Json& request, const Context& /*context*/) {
  TACET_TRY(const std::vector<double> weights, numbers_field(request, "weights"));
  TACET_TRY(const double alpha, alpha_of(request));
  TACET_TRY(const numeric::WeightedChi2 law, numeric::WeightedChi2::of_weights(weights));
  return Json{{"critical", law.upper_quantile(alpha)},
              {"alpha", alpha},
              {"law", fmt::format("a sum of {} weighted chi-square variables", weights.size())}};
}

Result<Json> run_gof(const Json& request, const Context& context) {
  TACET_TRY(const double alpha, alpha_of(request));
  TACET_TRY(const double n, people_of(request, 1));
  TACET_TRY(const double rho, rho_of(request));
  auto statistic = inference::GofStatistic::Classical;
  if (const auto text = text_field(request, "statistic")) {
    TACET_TRY(statistic, named<inference::GofStatistic>("statistic", *text));
  }
  TACET_TRY(mechanisms::Flattened null, probabilities_field(request, "null"));
  context.tell("computing the null law");
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(std::move(null.values), n, {.variance = 1 / rho}));
  TACET_TRY(const double critical, inference::gof_critical(design, statistic, alpha));
  return Json{{"critical", critical},
              {"alpha", alpha},
              {"df", design.df(statistic)},
              {"law", fmt::format("the {} goodness-of-fit statistic of {} cells for large n", name(statistic), design.cells())}};
}

Result<Json> run_gwas(const Json& request, const Context& /*context*/) {
  TACET_TRY(const double alpha, alpha_of(request));
  TACET_TRY(const double n, people_of(request, 2));
  TACET_TRY(const double rho, rho_of(request));
  TACET_TRY(const double critical, inference::gwas_critical(n, rho, alpha));
  return Json{{"critical", critical},
              {"alpha", alpha},
              {"law", "chi-square with 2 degrees of freedom plus the Gaussian noise of output perturbation"}};
}

std::string words(const Json& result) {
  return fmt::format("Critical value {:.10g}: {} exceeds it with probability {:.6g}.\nNo data was read.\n",
                     result.at("critical").get<double>(), result.at("law").get<std::string>(), result.at("alpha").get<double>());
}

const Field kAlpha{"alpha", "A", "the probability to exceed the critical value", FieldKind::Number, true};
const Field kPeople{"n", "N", "the number of people", FieldKind::Number, true};
const Field kRho{"rho", "R", "the privacy of the release in rho; a table has noise of variance 1/rho", FieldKind::Number, true};

}  // namespace

Verb critical_weighted_chi2_verb() {
  return {"critical weighted-chi2",
          "The critical value of a weighted sum of chi-square variables",
          "tacet critical weighted-chi2 --weights 3,1,1 --alpha 0.05",
          {{"weights", "w,...", "the weights, one degree of freedom each", FieldKind::Numbers, true}, kAlpha},
          run_weighted,
          words};
}

Verb critical_gof_verb() {
  return {"critical gof",
          "The critical value of a goodness-of-fit statistic of a table with Gaussian noise",
          "tacet critical gof --null null.json --n 1468 --rho 0.125 --alpha 0.05",
          {{"null", "FILE", "a JSON array of probabilities", FieldKind::Text, true},
           kPeople,
           kRho,
           kAlpha,
           {"statistic", "S", "classical (the default), projected or nonprojected"}},
          run_gof,
          words};
}

Verb critical_gwas_verb() {
  return {"critical gwas",
          "The critical value of a noised chi-square statistic of a 3 x 2 table (output perturbation)",
          "tacet critical gwas --n 1000 --rho 0.01 --alpha 0.05",
          {kPeople, kRho, kAlpha},
          run_gwas,
          words};
}

}  // namespace tacet::service
