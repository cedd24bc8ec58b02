// Inputs for the examples in src/tacet/studies; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/studies/run_study.h"
#include "tacet/studies/study_list.h"

namespace tacet::inputs {

extern const studies::Measured measured;
extern const studies::StudyRun run;
extern const std::vector<studies::StudyRun> runs;

}  // namespace tacet::inputs
