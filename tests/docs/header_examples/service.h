// Inputs for the examples in src/tacet/service; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/service/count_plan_answer.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/custody/dataset_terms.h"
#include "tacet/workflow/custody/look_at_data.h"
#include "tacet/workflow/infer/mean_region.h"
#include "tacet/workflow/infer/quantile.h"
#include "tacet/workflow/plan/independence_plan.h"
#include "tacet/workflow/plan/plan_mean_test.h"
#include "tacet/workflow/release/release_counts.h"

namespace tacet::inputs {

extern const Context context;
extern const QuantileAnswer quantiles;
extern const DataLook look;

}  // namespace tacet::inputs
