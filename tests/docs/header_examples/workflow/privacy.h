// Inputs for the examples in src/tacet/workflow/privacy; see tests/docs/header_examples.py.
#pragma once

#include "tacet/workflow/custody/create_budget.h"
