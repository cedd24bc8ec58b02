#pragma once
#include "tacet/workflow/source_register.h"
