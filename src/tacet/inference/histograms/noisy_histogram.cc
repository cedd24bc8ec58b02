#include "tacet/inference/histograms/noisy_histogram.h"

namespace tacet::inference {

NoisyHistogram noisy_histogram(const mechanisms::HistogramRelease& release) {
  NoisyHistogram histogram{
      .column = release.column, .edges = release.edges, .dates = release.dates, .branching = release.branching, .levels = release.values};
  histogram.missing = release.missing;
  histogram.n = release.n;
  histogram.family = release.noise.family;
  histogram.scale = release.noise.scale;
  return histogram;
}

NoisyHistogram noisy_histogram(const mechanisms::CountRelease& release, std::size_t axis, const std::vector<bool>& chosen) {
  const mechanisms::ReleaseAxis& bins = release.axes[axis];
  NoisyHistogram histogram{.column = bins.name, .edges = bins.edges, .dates = bins.dates};
  histogram.family = release.noise.family;
  histogram.scale = release.noise.scale;
  std::size_t stride = 1;
  for (std::size_t later = axis + 1; later < release.shape.size(); ++later) stride *= release.shape[later];
  std::vector<double> sums(bins.labels.size());
  std::size_t added = 0;
  for (std::size_t cell = 0; cell < release.values.size(); ++cell) {
    if (!chosen.empty() && !chosen[cell]) continue;
    sums[cell / stride % sums.size()] += release.values[cell];
    ++added;
  }
  histogram.copies = added / sums.size();
  if (added == release.values.size()) histogram.n = release.n;
  if (sums.size() > histogram.bins()) {
    histogram.missing = sums.back();
    sums.pop_back();
  }
  histogram.levels = {sums};
  return histogram;
}

}  // namespace tacet::inference
