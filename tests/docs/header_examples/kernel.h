// Inputs for the examples in src/tacet/kernel; see tests/docs/header_examples.py.
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/exact/secure_bits.h"
#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_order.h"
#include "tacet/mechanisms/noise_plan.h"

namespace tacet::inputs {

using namespace exact;
using namespace privacy;

extern kernel::Ledger ledger;
extern const kernel::Terms terms;
extern const kernel::ChargeRequest request;
extern kernel::Grant grant;
extern const Loss loss;
extern RandomBits& bits;

extern kernel::Sensitive<std::vector<std::int64_t>> counts;
extern kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity> sums;
extern const kernel::Sensitivity sensitivity;  // of counts
extern const kernel::BoxSensitivity box;       // of sums
extern const std::vector<double> weights;
extern const kernel::NoisePlan noise_plan;

/// The steps of a release that belong to the caller.
Result<std::unique_ptr<RandomBits>> open_bits();
Status reserve_file();
Result<kernel::Sensitive<std::vector<std::int64_t>>> scan();
Result<kernel::Published<kernel::NoisyVector>> publish(kernel::Released<kernel::NoisyVector>&& noisy);

}  // namespace tacet::inputs
