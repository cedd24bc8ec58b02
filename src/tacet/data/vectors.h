// tacet/data/vectors.h: TACET_VECTORS makes AVX2 and AVX-512 versions of a function.
//
//   TACET_VECTORS void add(const double* values, std::size_t count, double* out);
// Private to data. The loader chooses one; all compute the same, without fused operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TACET_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TACET_VECTORS
#endif
