// tacet/data/scan_child.h: the other side of a scan: what the program tacet-scan does, from its first line to its last. Private to the
// data room.
//
//   int main() { return answer_scan(); }
//
// It reads the request from the region that it shares with who asks, confines itself (confine.h), and only then looks at the file. One
// request, one answer; then it ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tacet/data/shared_region.h"

namespace tacet::data {

/// The names by which the confined process opens what it was handed: a DuckDB file and its log.
inline constexpr const char* kDataName = "/data";
inline constexpr const char* kLogName = "/data.wal";

/// The region of a process that will end with who asks, and is confined from now on. Nothing if nobody asks. Where it cannot be confined
/// it says so, and ends.
std::optional<SharedRegion> begin_scan();

/// The exit code of the program: 0 if it has answered, be it with a fault.
int answer_scan();

}  // namespace tacet::data
