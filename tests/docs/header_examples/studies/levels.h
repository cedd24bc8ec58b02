// Inputs for the examples in src/tacet/studies/levels; see tests/docs/header_examples.py.
#pragma once

#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/studies/study.h"

namespace tacet::inputs {

extern const studies::Measured measured;
extern const mechanisms::NoiseDistribution noise;
extern numeric::InsecureStream& stream;

}  // namespace tacet::inputs
