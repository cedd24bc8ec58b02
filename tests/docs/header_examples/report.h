// Inputs for the examples in src/tacet/report; see tests/docs/header_examples.py.
#pragma once

#include "tacet/report/figure.h"
#include "tacet/report/plot.h"

namespace tacet::inputs {

extern const report::Figure figure;
extern const report::LinePlot plot;

}  // namespace tacet::inputs
