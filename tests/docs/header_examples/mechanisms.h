// Inputs for the examples in src/tacet/mechanisms; see tests/docs/header_examples.py.
#pragma once

#include <string>
#include <vector>

#include "tacet/kernel/outer_products.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/scale_check.h"

namespace tacet::inputs {

using namespace kernel;
using namespace privacy;

extern const Sensitivity sensitivity;  // of a table
extern const BoxSensitivity box;       // of sums
extern const std::vector<double> weights;
extern const Loss loss;
extern const Terms terms;
extern const Released<NoisyVector> released;
extern const NoisyNumbers noisy_numbers;
extern const Receipt receipt;
extern exact::RandomBits& bits;

}  // namespace tacet::inputs
