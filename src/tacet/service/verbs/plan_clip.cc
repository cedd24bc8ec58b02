#include <fmt/format.h>

#include "tacet/planning/clip.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const std::vector<double> sd, numbers_field(request, "sd"));
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), 2, 1'000'000'000'000'000));
  TACET_TRY(const planning::ClipPlan plan, planning::plan_clip(sd, static_cast<std::int64_t>(n)));
  return Json{{"clip", plan.clip},
              {"error", plan.error},
              {"isotropic_clip", plan.isotropic_clip},
              {"isotropic_error", plan.isotropic_error},
              {"bernstein_error", plan.bernstein_error ? Json(*plan.bernstein_error) : Json(nullptr)},
              {"factors", plan.factors},
              {"n", n}};
}

std::string words(const Json& result) {
  const auto number = [&result](const char* field) { return fmt::format("{:.6g}", result.at(field).get<double>()); };
  std::string factors;
  for (const Json& factor : result.at("factors")) factors += fmt::format("{}{:.6g}", factors.empty() ? "" : ", ", factor.get<double>());
  std::string out = fmt::format(
      "Multiply the columns by {} and clip rows to length {}: a normal row is clipped with probability 1/n.\n"
      "Expected squared error of the noisy sum, for a noise variance of 1 per unit of sensitivity: {} ({} without the factors).\n",
      factors, number("clip"), number("error"), number("isotropic_error"));
  if (!result.at("bernstein_error").is_null()) out += fmt::format("Bernstein's inequality would allow {}.\n", number("bernstein_error"));
  return out + "No data was read.\n";
}

}  // namespace

Verb plan_clip_verb() {
  return {"plan clip",
          "Where to clip rows with public standard deviations, and what their sum will cost",
          "tacet plan clip --sd 0.5,2,10 --n 10000",
          {{"sd", "s,t", "the public standard deviation of each column", FieldKind::Numbers, true},
           {"n", "N", "the number of people", FieldKind::Number, true}},
          run,
          words};
}

}  // namespace tacet::service
