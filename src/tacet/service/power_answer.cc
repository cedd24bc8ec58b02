#include "tacet/service/power_answer.h"

#include "tacet/service/curve_files.h"
#include "tacet/service/request.h"
#include "tacet/workflow/people_or_power.h"

namespace tacet::service {
namespace {

CurveFiles files_of(const Json& fields) { return {text_field(fields, "csv"), text_field(fields, "html")}; }

}  // namespace

Status check_n_or_power(const Json& request) { return check_people_or_power(request.contains("n"), request.contains("power")); }

Result<inference::Simulation> simulation_fields(const Json& request, const Context& context, std::size_t usual, const std::string& doing) {
  inference::Simulation simulation{.draws = usual};
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(simulation.draws, whole_number("draws", *draws, 1, inference::kMostDraws));
  }
  simulation.progress = [&context, doing](double fraction) { context.tell(doing, fraction); };
  return simulation;
}

Status write_curve_files(const Json& request, const std::string& csv, const report::LinePlot& plot, Json& result) {
  const CurveFiles files = files_of(request);
  if (files.csv) result["csv"] = *files.csv;
  if (files.html) result["html"] = *files.html;
  return write_curve_files(files, csv, plot);
}

std::string written_words(const Json& result) { return written_words(files_of(result)); }

}  // namespace tacet::service
