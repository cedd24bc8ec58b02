#pragma once
#include "tacet/workflow/new_file.h"
