#include "tacet/exact/uniform.h"
#include <gtest/gtest.h>
