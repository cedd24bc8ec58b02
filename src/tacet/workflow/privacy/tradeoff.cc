#include "tacet/workflow/privacy/tradeoff.h"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tacet {

Result<TradeOff> laplace_tradeoff(std::vector<double> shift, double scale) {
  if (!(scale > 0)) return Error::invalid("scale", fmt::format("{}", scale), "must be greater than 0", "for example: scale = 1");
  for (double& part : shift) part /= scale;
  return TradeOff::laplace(shift);
}

std::vector<double> usual_levels() { return {0.001, 0.01, 0.05, 0.1, 0.25, 0.5}; }

std::vector<double> plotted_levels() {
  constexpr std::size_t kCells = 400;
  return *accounting::alpha_grid(kCells);
}

Result<CurveTable> tradeoff_table(const std::vector<TradeOff>& curves, const std::vector<double>& levels) {
  std::vector<accounting::NamedCurve> named;
  std::set<std::string> seen;
  for (const TradeOff& curve : curves) {
    std::string name = curve.describe();
    if (!seen.insert(name).second) return Error::invalid("curve", name, "must be given once");
    named.push_back({std::move(name), curve});
  }
  return accounting::tabulate(named, levels);
}

}  // namespace tacet
