// Inputs for the examples in src/tacet/workflow/release; see tests/docs/header_examples.py.
#pragma once

#include <string>
#include <vector>

#include "tacet/data/counts.h"
#include "tacet/data/moments.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/infer/independence.h"
#include "tacet/workflow/infer/mean_region.h"
#include "tacet/workflow/infer/quantile.h"
#include "tacet/workflow/release/charged_release.h"

namespace tacet::inputs {

extern const Dataset patients;
extern const data::Schema schema;
extern const privacy::Loss loss;

extern const ChargedRelease::Price price;
/// Adds noise to a table, as the release that is described.
Result<mechanisms::CountRelease> noisy(data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits);

}  // namespace tacet::inputs
