// tacet/workflow/release/import_local.h: a release of reports that people randomised themselves.
//
//   LocalRelease smoking = *import_local({.kind = LocalKind::Exp,
//                                         .reports = {412, 301, 287},
//                                         .n = 1000,
//                                         .loss = Epsilon(1),
//                                         .axes = {{"smoking", {"never", "former", "current"}}}});
//   smoking.values;                  // unbiased estimates of the true counts
//   standard_errors(smoking);
//
// Each report is private by itself. The caller declares how the reports were made.
// Domain   mechanisms/local_randomizer.h. Outside: InvalidArgument, and no file.
// Error    mechanisms/local_randomizer.h.
// Cost     linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/local_release.h"
#include "tacet/workflow/privacy/local_terms.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using mechanisms::LocalRelease;
using mechanisms::ReleaseAxis;

/// What people reported, and how they randomised it.
struct LocalImport {
  LocalKind kind = LocalKind::Exp;         // how people randomised
  std::vector<double> reports = {};        // counts of reports (exp), or means of coordinates
  std::vector<std::size_t> shape = {};     // empty: a list
  std::uint64_t n = 0;                     // the number of reports
  std::optional<PrivacyAmount> loss = {};  // of each report; must be given
  std::vector<ReleaseAxis> axes = {};      // names and labels; empty: none
  std::optional<std::string> out = {};     // the release file to write
};

/// A release of these reports. It costs no budget of ours.
Result<LocalRelease> import_local(const LocalImport& local);

/// The reports of LocalImport from n lines as `tacet randomize` writes them, one report to a line.
/// InvalidArgument, naming "reports", for other lines.
Result<std::vector<double>> tally_reports(std::string_view lines, LocalKind kind, const std::vector<std::string>& categories,
                                          std::uint64_t n);

}  // namespace tacet
