#include "tacet/planning/james_stein_risk.h"
