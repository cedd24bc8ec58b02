// tacet/workflow/infer/one_each.h: refuses inference where a person may count several times.
//
//   CountRelease visits = *read_release_as<CountRelease>("visits.json");
//   TACET_CHECK(check_one_each(visits.header));
//
// Tests and intervals for a population take people as drawn independently, each once. The rows of
// one person are alike, so a test of rows finds differences that are not there. What a release says
// about its own file (infer estimate, infer region --for data) needs no such thing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_header.h"

namespace tacet {

/// Unsupported if a person may count more than once in the release.
Status check_one_each(const mechanisms::ReleaseHeader& header);

}  // namespace tacet
