#pragma once
#include "tacet/workflow/custody/source_register.h"
