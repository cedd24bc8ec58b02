#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/goodness_of_fit.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/null_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::GofOptions;
using inference::GofTest;

Result<GofOptions> options_of(const Json& request, const Context& context) {
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
  if (const auto shrink = text_field(request, "shrink")) {
    TACET_TRY(options.denoise.shrink, inference::shrinkage_named(*shrink));
  }
  if (const auto project = text_field(request, "project")) {
    TACET_TRY(options.denoise.project, inference::projection_named(*project));
  }
  options.simulation.progress = [&context](double fraction) { context.tell("simulating tables", fraction); };
  return options;
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string shape_words(const std::vector<std::size_t>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const GofOptions options, options_of(request, context));
  TACET_TRY(const mechanisms::Flattened null, probabilities_field(request, "null"));
  context.tell("reading the release");
  TACET_TRY(const mechanisms::Release release, mechanisms::read_release(*text_field(request, "release")));
  TACET_CHECK(mechanisms::check_counts(release));
  if (null.shape != release.shape) {
    return Error::invalid("null", "a table of " + shape_words(null.shape),
                          fmt::format("must have the shape of the release, {}", shape_words(release.shape)));
  }
  TACET_TRY(const GofTest test, inference::test_goodness_of_fit(release, null.values, options));
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
              {"least_expected", test.least_expected},
              {"power", test.power ? Json(*test.power) : Json(nullptr)},
              {"power_standard_error", test.power ? Json(test.power_standard_error) : Json(nullptr)},
              {"shrink", inference::name(options.denoise.shrink)},
              {"project", inference::name(options.denoise.project)},
              {"n", release.n ? Json(*release.n) : Json(nullptr)},
              {"draws", test.draws},
              {"seed", test.draws > 0 ? Json(options.simulation.seed) : Json(nullptr)}};
}

std::string words(const Json& result) {
  const auto text = [&result](const char* field) { return result.at(field).get<std::string>(); };
  const auto number = [&result](const char* field) { return fmt::format("{:.4g}", result.at(field).get<double>()); };
  const std::string level = number("alpha");
  const Json& power = result.at("power");
  const bool known = !power.is_null();
  std::string out;
  if (text("outcome") == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", text("reason"));
  } else if (text("outcome") == "reject") {
    out = fmt::format("The table does not follow the probabilities: rejected at level {}.\n", level);
  } else {
    out = fmt::format("No evidence against the probabilities at level {}", level);
    // A simulated power may lie above the level by chance.
    const double error = known ? result.at("power_standard_error").get<double>() : 0;
    if (known && power.get<double>() > 1.001 * result.at("alpha").get<double>() + 2 * error) {
      out += fmt::format("; a deviation of the size estimated here would be found with probability {:.2f}", power.get<double>());
    } else if (known) {
      out += "; the table deviates by no more than sampling and noise explain";
    }
    out += ".\n";
  }
  if (!result.at("statistic").is_null()) {
    out +=
        fmt::format("The {} statistic is {} (critical value {}, p-value {}, {} degrees of freedom).\n", text("statistic_kind"),
                    number("statistic"), result.at("critical").is_null() ? "unknown" : number("critical"), number("p_value"), number("df"));
    out += fmt::format("Null law: {}.\n", text("null_law"));
  }
  if (!text("choice").empty()) out += fmt::format("Chosen: {}.\n", text("choice"));
  return out + "This cost no privacy.\n";
}

}  // namespace

Verb infer_gof_verb() {
  return {"infer gof",
          "Test whether the people behind a release follow given probabilities, knowing the noise",
          "tacet infer gof --release imported.json --null null.json --alpha 0.05",
          {{"release", "FILE", "a release file with counts", FieldKind::Text, true},
           {"null", "FILE", "a JSON array of probabilities, nested as the table is", FieldKind::Text, true},
           {"statistic", "S", "classical, projected or nonprojected; if not given, the one with the greatest planned power"},
           {"method", "M", "asymptotic, montecarlo, bootstrap or auto (the default)"},
           {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
           {"shrink", "S", "denoise first: none, js0, js, js+ or rjs, as in infer estimate; the tables of the null are denoised too"},
           {"project", "P", "denoise first: none, nonnegative or simplex"},
           {"draws", "B", "tables to simulate; 9999 if not given", FieldKind::Number},
           {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number}},
          run,
          words};
}

}  // namespace tacet::service
