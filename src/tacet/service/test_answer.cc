#include "tacet/service/test_answer.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
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
    TACET_TRY(options.statistic, named<inference::GofStatistic>("statistic", *statistic));
  }
  if (const auto method = text_field(request, "method")) {
    TACET_TRY(options.method, named<inference::GofMethod>("method", *method));
  }
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(options.simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(options.simulation.draws, whole_number("draws", *draws, 1, inference::kMostDraws));
  }
  options.simulation.progress = [&context](double fraction) { context.tell("simulating tables", fraction); };
  return options;
}

std::vector<Field> test_fields(std::vector<Field> own) {
  for (Field& field : std::vector<Field>{{"method", "M", "asymptotic, montecarlo, bootstrap or auto (the default)"},
                                         {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
                                         {"draws", "B", "tables to simulate; 9999 if not given", FieldKind::Number},
                                         {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number}}) {
    own.push_back(std::move(field));
  }
  return own;
}

Json test_json(const GofTest& test, const GofOptions& options, std::optional<double> n) {
  return Json{{"statistic", number_or_null(test.statistic)},
              {"df", test.df},
              {"p_value", number_or_null(test.p_value)},
              {"critical", number_or_null(test.critical)},
              {"outcome", name(test.outcome)},
              {"reason", test.reason},
              {"alpha", options.alpha},
              {"statistic_kind", name(test.statistic_kind)},
              {"method", name(test.method)},
              {"choice", test.choice},
              {"null_law", test.null_law},
              {"least_expected", number_or_null(test.least_expected)},
              {"power", test.power ? Json(*test.power) : Json(nullptr)},
              {"power_standard_error", test.power ? Json(test.power_standard_error) : Json(nullptr)},
              {"n", n ? Json(*n) : Json(nullptr)},
              {"draws", test.draws},
              {"seed", test.draws > 0 ? Json(options.simulation.seed) : Json(nullptr)}};
}

std::string p_value_words(const Json& result) {
  if (result.at("p_value").is_null()) return "p-value unknown";
  const double p = result.at("p_value").get<double>();
  if (p == 0) return "p-value below 1e-300";
  const auto draws = result.at("draws").get<double>();
  if (draws > 0 && std::abs(p * (draws + 1) - 1) < 1e-6)
    return fmt::format("p-value at most {:.4g} as none of {} simulations reached the statistic", p, report::readable(draws));
  return fmt::format("p-value {:.4g}", p);
}

std::string test_words(const Json& result, const TestWords& words) {
  const auto text = [&result](const char* field) { return result.at(field).get<std::string>(); };
  const auto number = [&result](const char* field) { return fmt::format("{:.4g}", result.at(field).get<double>()); };
  const std::string level = number("alpha");
  const Json& power = result.at("power");
  std::string out;
  if (text("outcome") == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", text("reason"));
  } else if (text("outcome") == "reject") {
    out = fmt::format("{}: rejected at level {}.\n", words.rejected, level);
  } else {
    out = fmt::format("No evidence {} at level {}", words.doubt.empty() ? "against " + words.null : words.doubt, level);
    // A power that is no more than the level: what was seen, chance explains. A simulated one may lie above it by chance.
    const bool known = !power.is_null();
    const double error = known ? result.at("power_standard_error").get<double>() : 0;
    if (known && power.get<double>() > 1.001 * result.at("alpha").get<double>() + 2 * error) {
      out += fmt::format("; a {} of the size estimated here would be found with probability {:.2f}", words.deviation, power.get<double>());
    } else if (known) {
      out += fmt::format("; {} by no more than sampling and noise explain", words.deviates);
    }
    out += ".\n";
  }
  if (!result.at("statistic").is_null()) {
    out += fmt::format("The {} statistic is {} (critical value {}, {}, {} {} of freedom).\n", text("statistic_kind"), number("statistic"),
                       result.at("critical").is_null() ? "unknown" : number("critical"), p_value_words(result), number("df"),
                       number("df") == "1" ? "degree" : "degrees");
    out += fmt::format("Null law: {}.\n", text("null_law"));
  }
  if (!text("choice").empty()) out += fmt::format("Chosen: {}.\n", text("choice"));
  return out + "This cost no privacy.\n";
}

}  // namespace tacet::service
