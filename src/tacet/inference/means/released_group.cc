#include "tacet/inference/means/released_group.h"

#include "tacet/inference/means/unit_noise.h"

namespace tacet::inference {

mechanisms::GroupMoments draw_group(const mechanisms::MomentRelease& release, std::size_t group, const RowAverages& rows,
                                    numeric::InsecureStream& stream) {
  mechanisms::GroupMoments part = release.parts[group];
  const double n = part.people.value;
  const bool counted = part.people.scale > 0;
  std::vector<double> noise((counted ? 1 : 0) + part.sums.size() + part.products.size());
  draw_release_noise(release, stream, noise);
  auto next = noise.begin();
  if (counted) part.people.value += part.people.scale * *next++;
  const std::size_t d = part.sums.size();
  for (std::size_t j = 0; j < d; ++j) part.sums[j].value = n * rows.mean[j] + part.sums[j].scale * *next++;
  std::size_t product = 0;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k, ++product)
      part.products[product].value = n * rows.second[j * d + k] + part.products[product].scale * *next++;
  }
  return part;
}

}  // namespace tacet::inference
