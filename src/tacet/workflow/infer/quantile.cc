#include "tacet/workflow/infer/quantile.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/inference/histograms/distribution_band.h"
#include "tacet/inference/level.h"

namespace tacet {
namespace {

constexpr std::size_t kMostQuantiles = 1000;

Status check_probabilities(const std::vector<double>& probabilities) {
  if (probabilities.empty() || probabilities.size() > kMostQuantiles) {
    return Error::invalid("probability", fmt::format("a list of {}", probabilities.size()),
                          fmt::format("must be 1 to {} numbers between 0 and 1", kMostQuantiles),
                          "for example: probability = 0.25,0.5,0.75");
  }
  for (const double p : probabilities) {
    if (!(p > 0 && p < 1))
      return Error::invalid("probability", fmt::format("{}", p), "must be greater than 0 and less than 1", "0.5 is the median");
  }
  return {};
}

}  // namespace

Result<QuantileAnswer> infer_quantiles(const HistogramSource& source, const QuantileOptions& options, const Context& context) {
  TACET_CHECK(inference::check_confidence(options.confidence));
  TACET_CHECK(check_probabilities(options.probabilities));
  TACET_TRY(const NoisyHistogram histogram, histogram_in(source, options.part));
  const inference::HistogramTree tree(histogram);
  const double alpha = 1 - options.confidence;
  QuantileAnswer answer{{}, histogram.column, histogram.dates, tree.people(), options.confidence, options.intervals, about_whom(source)};
  if (options.intervals == IntervalKind::Marginal) {
    for (const double p : options.probabilities) {
      const inference::QuantileInterval found = inference::estimate_quantile(tree, histogram.edges, p, alpha);
      answer.rows.push_back({p, found.estimate, found.file, answer.about.population(found.population)});
    }
    return answer;
  }
  const Simulation simulation = told(options.simulation, context, "simulating noise");
  TACET_TRY(const inference::DistributionBand band, inference::estimate_distribution(tree, {alpha, simulation}));
  for (const double p : options.probabilities) {
    QuantileRow row{p,
                    {},
                    inference::quantile_from(band.file, histogram.edges, p),
                    answer.about.population(inference::quantile_from(band.population, histogram.edges, p))};
    if (!band.estimate.empty()) {
      const double estimate = inference::interpolated_quantile(histogram.edges, band.estimate, p);
      row.estimate = std::clamp(estimate, row.file.lower, row.file.upper);
    }
    answer.rows.push_back(row);
  }
  return answer;
}

}  // namespace tacet
