#include <fmt/format.h>

#include "tacet/planning/adjusted.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(mechanisms::Flattened covariance, square_matrix_field(request, "covariance"));
  planning::AdjustedQuestion question{std::move(covariance.values), covariance.shape[0], {}, 0, 0, 0, 0, 0.05};
  TACET_TRY(question.eta, numbers_field(request, "eta"));
  for (const auto& [name, target] : {std::pair<const char*, double*>{"n", &question.n},
                                     {"epsilon", &question.epsilon},
                                     {"delta", &question.delta},
                                     {"gamma", &question.gamma},
                                     {"alpha", &question.alpha}}) {
    const auto text = number_field(request, name);
    if (!text) continue;
    TACET_TRY(*target, plain_number(name, *text));
  }
  TACET_TRY(const planning::AdjustedPlan plan, planning::plan_adjusted(question));
  return Json{{"sigma_g", plan.sigma_g},
              {"sigma_fg", plan.sigma_fg},
              {"sigma_f", plan.sigma_f},
              {"naive_Hf", plan.naive_Hf},
              {"opt_Hg", plan.opt_Hg},
              {"opt_Hf", plan.opt_Hf},
              {"adjusted", plan.adjusted},
              {"super_naive_Hf_level", plan.super_naive_Hf_level},
              {"vol_ratio_g_over_f", plan.vol_ratio_g_over_f},
              {"vol_ratio_g_over_fg", plan.vol_ratio_g_over_fg},
              {"alpha", question.alpha}};
}

std::string words(const Json& result) {
  const auto number = [&result](const char* field) { return fmt::format("{:.4f}", result.at(field).get<double>()); };
  return fmt::format(
      "Power at level {:.4g} of the test of mean 0 against eta: {} by the whitened query, {} by the plain one; {} where the test forgets "
      "the noise\n"
      "and only its critical value knows it. A critical value that forgets the noise too would reject a true null with probability {}.\n"
      "A confidence region by the whitened query has {:.4g} of the volume of one by the plain query.\n"
      "Under random differential privacy, which does not protect extreme people: a study. Release with tacet release query --covariance, "
      "which trims.\n"
      "No data was read.\n",
      result.at("alpha").get<double>(), number("adjusted"), number("opt_Hf"), number("naive_Hf"), number("super_naive_Hf_level"),
      result.at("vol_ratio_g_over_f").get<double>());
}

}  // namespace

Verb plan_adjusted_verb() {
  return {
      "plan adjusted",
      "What a query adjusted to its analysis gains: noise, power and volume for rows of known covariance",
      "tacet plan adjusted --covariance covariance_of_a_row.json --eta 10,5 --n 50 --epsilon 1 --delta 0.02 --gamma 0.0001 --alpha 0.05",
      {{"covariance", "FILE", "the public covariance of a row: a JSON matrix", FieldKind::Text, true},
       {"eta", "a,b", "the mean to tell from 0", FieldKind::Numbers, true},
       {"n", "N", "the number of people", FieldKind::Number, true},
       {"epsilon", "E", "privacy: epsilon", FieldKind::Number, true},
       {"delta", "D", "privacy: delta", FieldKind::Number, true},
       {"gamma", "G", "the probability of the neighbours that random differential privacy leaves out", FieldKind::Number, true},
       {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number}},
      run,
      words};
}

}  // namespace tacet::service
