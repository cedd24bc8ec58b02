// tacet/lower/lower.h: a room for tests/architecture.
// SPDX-License-Identifier: Apache-2.0
#pragma once
