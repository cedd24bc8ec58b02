// tacet/workflow/release/release_file.h: reads a release from its file, and writes one.
//
//   CountRelease table = *read_release_as<CountRelease>("smoking.json");   // refuses other kinds
//   auto counts = *read_release_as<CountRelease, LocalRelease>("smoking.json");   // a variant
//   Release any = *read_release("any.json");
//   TACET_CHECK(write_release(any, "copy.json"));     // completely or not at all
//
// docs/reference/release_file.md describes the file.
// Error    none: numbers are written with the digits that read back as the same double.
// Cost     linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_file.h"

namespace tacet {

using mechanisms::CountRelease;
using mechanisms::DenoisedRelease;
using mechanisms::HistogramRelease;
using mechanisms::LocalRelease;
using mechanisms::MomentRelease;
using mechanisms::QueryRelease;
using mechanisms::Release;

using mechanisms::read_release;
using mechanisms::read_release_as;

/// Never replaces a file: AlreadyExists if there is one.
Status write_release(const Release& release, const std::string& path);

}  // namespace tacet
