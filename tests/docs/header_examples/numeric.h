// Inputs for the examples in src/tacet/numeric; see tests/docs/header_examples.py.
#pragma once

namespace tacet::inputs {

extern const double z, u;  // a standard normal and a uniform variable

}  // namespace tacet::inputs
