// Tests of the filter of system calls say so: under a sanitizer there is none
// (tacet/data/confine.cc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#define TACET_NEEDS_FILTER() GTEST_SKIP() << "a sanitizer cannot live with the filter of system calls"
#else
#define TACET_NEEDS_FILTER() (void)0
#endif
