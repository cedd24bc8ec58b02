#include "tacet/service/test_answer.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/service/null_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::GofOptions;
using inference::GofTest;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Result<GofOptions> test_options(const Json& request, const Context& context) {
  GofOptions options{.alpha = 0.05};
  TACET_TRY(options.alpha, level_field(request, "alpha", options.alpha));
  if (const auto statistic = text_field(request, "statistic")) {
    TACET_TRY(options.statistic, inference::gof_statistic_named(*statistic));
  }
  if (const auto method = text_field(request, "method")) {
    TACET_TRY(options.method, inference::gof_method_named(*method));
  }
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(options.simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(options.simulation.draws, whole_number("draws", *draws, 1, 10'000'000));
  }
  options.simulation.progress = [&context](double fraction) { context.tell("simulating tables", fraction); };
  return options;
}

std::vector<Field> test_fields(const std::string& statistics, const std::string& methods) {
  return {{"statistic", "S", statistics},
          {"method", "M", methods},
          {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
          {"draws", "B", "tables to simulate; 9999 if not given", FieldKind::Number},
          {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number}};
}

Json test_json(const GofTest& test, const GofOptions& options) {
  return Json{{"statistic", number_or_null(test.statistic)},
              {"df", test.df},
              {"p_value", number_or_null(test.p_value)},
              {"critical", number_or_null(test.critical)},
              {"outcome", inference::name(test.outcome)},
              {"reason", test.reason},
              {"alpha", options.alpha},
              {"statistic_kind", inference::name(test.statistic_kind)},
              {"method", inference::name(test.method)},
              {"choice", test.choice},
              {"null_law", test.null_law},
              {"least_expected", number_or_null(test.least_expected)},
              {"power", test.power ? Json(*test.power) : Json(nullptr)},
              {"draws", test.draws},
              {"seed", test.draws > 0 ? Json(options.simulation.seed) : Json(nullptr)}};
}

std::string test_details(const Json& result) {
  const auto text = [&result](const char* field) { return result.at(field).get<std::string>(); };
  const auto number = [&result](const char* field) { return fmt::format("{:.4g}", result.at(field).get<double>()); };
  std::string out;
  if (!result.at("statistic").is_null()) {
    out +=
        fmt::format("The {} statistic is {} (critical value {}, p-value {}, {} degrees of freedom).\n", text("statistic_kind"),
                    number("statistic"), result.at("critical").is_null() ? "unknown" : number("critical"), number("p_value"), number("df"));
    out += fmt::format("Null law: {}.\n", text("null_law"));
  }
  if (!text("choice").empty()) out += fmt::format("Chosen: {}.\n", text("choice"));
  return out + "This cost no privacy.\n";
}

std::string power_words(const Json& result, const std::string& deviation, const std::string& nothing) {
  const Json& power = result.at("power");
  if (power.is_null()) return "";
  if (power.get<double>() > 1.001 * result.at("alpha").get<double>())
    return fmt::format("; a {} of the size estimated here would be found with probability {:.2f}", deviation, power.get<double>());
  return "; " + nothing;
}

}  // namespace tacet::service
