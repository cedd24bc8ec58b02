#include <cstddef>

#include "tacet/inference/counts/homogeneity.h"
#include "tacet/inference/counts/marginal.h"

namespace tacet::inference {

using mechanisms::CountRelease;
using mechanisms::NoiseStructure;

Result<std::vector<CountRelease>> rows_as_groups(const CountRelease& release, const std::string& column) {
  TACET_TRY(const std::size_t axis, variable_named(release, column));
  if (release.shape.size() < 2) {
    return Error::invalid("by", column, "must leave a column to compare the groups by", "release counts of both columns together");
  }
  if (release.noise.structure == NoiseStructure::SumZero) {
    return Error::of(Code::Unsupported, "the noise of this release keeps the total, so that no group has noise of its own",
                     "use `infer independence`, or release with mechanism = gaussian or laplace");
  }
  const auto at = static_cast<std::ptrdiff_t>(axis);
  std::size_t after = 1;
  for (std::size_t i = axis + 1; i < release.shape.size(); ++i) after *= release.shape[i];
  const std::size_t count = release.shape[axis];
  CountRelease blank = release;
  blank.values.clear();
  blank.n.reset();
  blank.shape.erase(blank.shape.begin() + at);
  blank.axes.erase(blank.axes.begin() + at);
  std::vector<CountRelease> groups(count, blank);
  const std::vector<double>& people = release.axes[axis].people;
  for (std::size_t i = 0; i < people.size(); ++i) groups[i].n = people[i];
  for (std::size_t cell = 0; cell < release.values.size(); ++cell) groups[cell / after % count].values.push_back(release.values[cell]);
  return groups;
}

}  // namespace tacet::inference
