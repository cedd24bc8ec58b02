// Inputs for the examples in src/tacet/inference/histograms; see tests/docs/header_examples.py.
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/inference/histograms/noisy_histogram.h"

namespace tacet::inputs {

extern const mechanisms::HistogramRelease histogram_release;
extern const mechanisms::CountRelease table;  // with a column of bins
extern const std::vector<bool> cells_of_women;
extern const inference::NoisyHistogram histogram;
extern const std::size_t j;  // an edge

}  // namespace tacet::inputs
