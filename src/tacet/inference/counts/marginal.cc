#include "tacet/inference/counts/marginal.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacet::inference {
namespace {

using mechanisms::CountRelease;
using mechanisms::ReleaseAxis;

/// Sums of discrete Gaussian variables of this sigma or more are discrete Gaussian: all
/// probabilities agree to exp(-pi^2 sigma^2), 5 10^-5.
constexpr double kLeastAddedScale = 1;

Error unknown_variable(const CountRelease& release, const std::string& name) {
  std::vector<std::string> names;
  for (const ReleaseAxis& axis : release.axes) names.push_back(axis.name);
  return Error::invalid("variable", name.substr(0, 40),
                        names.empty() ? "must be a variable of the release, and this release has no names"
                                      : "must be one of the release's variables, each once",
                        names.empty() ? "tables with names come from release counts" : fmt::format("it has: {}", fmt::join(names, ", ")));
}

Result<std::vector<std::size_t>> places(const CountRelease& release, const std::vector<std::string>& axes) {
  std::vector<std::size_t> found;
  for (const std::string& name : axes) {
    TACET_TRY(const std::size_t place, variable_named(release, name));
    if (std::count(found.begin(), found.end(), place) > 0) return unknown_variable(release, name);
    found.push_back(place);
  }
  return found;
}

}  // namespace

Result<std::size_t> variable_named(const CountRelease& release, const std::string& name) {
  const auto at = std::find_if(release.axes.begin(), release.axes.end(), [&](const ReleaseAxis& axis) { return axis.name == name; });
  if (at == release.axes.end()) return unknown_variable(release, name);
  return static_cast<std::size_t>(at - release.axes.begin());
}

Result<CountRelease> marginal(const CountRelease& release, const std::vector<std::string>& axes) {
  TACET_TRY(const std::vector<std::size_t> kept, places(release, axes));
  CountRelease result = release;
  result.axes.clear();
  result.shape.clear();
  std::size_t cells = 1;
  for (const std::size_t place : kept) {
    result.axes.push_back(release.axes[place]);
    result.shape.push_back(release.shape[place]);
    cells *= release.shape[place];
  }
  const std::size_t added = release.values.size() / cells;
  if (added > 1 && release.noise.family != kernel::NoiseFamily::Gaussian) {
    return Error::of(Code::Unsupported, "adding up cells with Laplace noise gives noise with another distribution, which no test supports",
                     "release the table of these variables alone, or with Gaussian noise");
  }
  if (added > 1 && release.noise.support == mechanisms::NoiseSupport::Integers && release.noise.scale < kLeastAddedScale) {
    return Error::of(Code::Unsupported,
                     fmt::format("adding up cells with discrete Gaussian noise of sigma {:.4g}, less than {}, gives noise with another "
                                 "distribution, which no test supports",
                                 release.noise.scale, kLeastAddedScale),
                     "import the table of these variables alone");
  }
  result.noise.scale *= std::sqrt(static_cast<double>(added));
  result.values.assign(cells, 0.0);
  for (std::size_t cell = 0; cell < release.values.size(); ++cell) {
    std::vector<std::size_t> at(release.shape.size());
    std::size_t rest = cell;
    for (std::size_t axis = at.size(); axis-- > 0; rest /= release.shape[axis]) at[axis] = rest % release.shape[axis];
    std::size_t target = 0;
    for (const std::size_t place : kept) target = target * release.shape[place] + at[place];
    result.values[target] += release.values[cell];
  }
  return result;
}

}  // namespace tacet::inference
