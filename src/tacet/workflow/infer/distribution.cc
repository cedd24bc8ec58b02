#include "tacet/workflow/infer/distribution.h"

#include <utility>

#include "tacet/inference/level.h"

namespace tacet {

Result<DistributionAnswer> infer_distribution(const HistogramSource& source, const DistributionOptions& options, const Context& context) {
  TACET_CHECK(inference::check_confidence(options.confidence));
  TACET_TRY(const NoisyHistogram histogram, histogram_in(source, options.part));
  const inference::HistogramTree tree(histogram);
  const Simulation simulation = told(options.simulation, context, "simulating noise");
  TACET_TRY(DistributionBand band, inference::estimate_distribution(tree, {1 - options.confidence, simulation}));
  AboutWhom about = about_whom(source);
  if (about.no_population) band.population.clear();
  return DistributionAnswer{histogram.edges, std::move(band), histogram.column, histogram.dates, tree.people(), options.confidence, about};
}

}  // namespace tacet
