// Inputs for the examples in src/tacet/eigen; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/noisy_values.h"

namespace tacet::inputs {

extern const kernel::BoxSensitivity box;
extern const std::vector<double> weights;
extern const privacy::Loss loss;
extern kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> moments;
extern kernel::Grant grant;
extern exact::RandomBits& bits;

}  // namespace tacet::inputs
