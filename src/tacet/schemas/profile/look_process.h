// tacet/schemas/profile/look_process.h: asks the program tacet-look about a file.
//
//   LookRequest request{.scan = "{}", .names = true};           // as profile_codec.h has it
//   std::optional<NamesInFile> names = read_names(*look_apart(file, request));
//
// The answer comes from a process that has read a file of any contents, and may be any text.
// Error    as of data/scan.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/schemas/profile/profile_codec.h"

namespace tacet::schemas {

/// The identity of the sources of tacet-look (cmake/TacetBuildIdentity.cmake): more than those of
/// tacet-scan, for its answers are others.
std::uint64_t look_build();

/// `progress` receives the fraction that is done. EngineFailed if tacet-look is of another build.
/// Only tests pass another program.
Result<std::string> look_apart(const data::DataFile& file, const LookRequest& request, const std::function<void(double)>& progress = {},
                               std::string program = {});

/// The error for an answer that is none.
Error misunderstood(const data::DataFile& file);

}  // namespace tacet::schemas
