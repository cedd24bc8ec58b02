// Inputs for the examples in src/tacet/inference/means; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inputs {

using namespace mechanisms;

extern const MomentRelease release;
extern const inference::NoisyMean mean;  // of the release
extern const std::vector<double> sigma;  // the covariance of a row
extern numeric::InsecureStream stream;

}  // namespace tacet::inputs
