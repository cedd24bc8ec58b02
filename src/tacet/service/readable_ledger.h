#pragma once
#include "tacet/workflow/readable_ledger.h"
