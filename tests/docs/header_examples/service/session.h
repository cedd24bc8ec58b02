// Inputs for the examples in src/tacet/service/session; see tests/docs/header_examples.py.
#pragma once

#include "tacet/mechanisms/release_file.h"
