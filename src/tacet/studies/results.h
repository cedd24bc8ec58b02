// tacet/studies/results.h: the files of a study that was run, and the page of all studies.
//
//   TACET_CHECK(write_results(run, "out"));            // JSON, CSV, a page with the figure
//   TACET_CHECK(write_page(runs, "docs/studies.md"));  // with pictures in docs/studies
//
//   NAME.json         tables and verdicts
//   NAME.TABLE.csv    each table
//   NAME.html         each figure as plot.h describes; the second is NAME-2.html
//
// Files of earlier runs are replaced.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/studies/run_study.h"

namespace tacet::studies {

Status write_results(const StudyRun& run, const std::string& folder);

/// A table as CSV: numbers with the digits that read back as the same double.
std::string to_csv(const Table& table);

/// The folder of the pictures of a page: its path without ".md".
std::string folder_of_page(const std::string& page);
/// The page and its pictures. InvalidArgument unless the path ends in ".md".
Status write_page(const std::vector<StudyRun>& runs, const std::string& page);

}  // namespace tacet::studies
