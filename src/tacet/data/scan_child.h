// tacet/data/scan_child.h: the program tacet-scan, the reading side of a scan. Private to data.
//
//   return answer_scan();     // the whole program
// It reads the request from the shared region, confines itself (confine.h), and only then opens
// the file. It answers one request and ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tacet/data/shared_region.h"

namespace tacet::data {

/// The names by which the confined process opens its descriptors: a DuckDB file and its log.
inline constexpr const char* kDataName = "/data";
inline constexpr const char* kLogName = "/data.wal";

/// The shared region, after confinement; the process dies with its parent. Empty without a
/// request. If confinement fails, the process reports it and ends.
std::optional<SharedRegion> begin_scan();

/// The exit code of the program: 0 if it has answered, even with a fault.
int answer_scan();

}  // namespace tacet::data
