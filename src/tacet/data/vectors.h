// tacet/data/vectors.h: TACET_VECTORS before a function makes versions of it for machines with AVX2 and AVX-512. Private to the data room.
//
// The right one is chosen when a program starts. What it computes is the same in all: integers, and floating point without fused operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TACET_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TACET_VECTORS
#endif
