// tacet/service/curve_files.h: the csv and html files of a plan's curves.
//
//   struct Request { CurveFiles files; } request;
//   RequestTable<Request>().include(&Request::files, curve_files_table("the power by people"));
//   TACET_CHECK(write_curve_files(request.files, "n,power\n", report::LinePlot{.title = "Power"}));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/report/plot.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"

namespace tacet::service {

struct CurveFiles {
  std::optional<std::string> csv, html;

  bool any() const { return csv || html; }
};

/// `what` describes the curve: "the power from a twentieth of these people to twenty times as
/// many".
RequestTable<CurveFiles> curve_files_table(const std::string& what);
AnswerTable<CurveFiles> curve_files_answer();

/// Writes the named files. Both names must be free before the first file is written.
Status write_curve_files(const CurveFiles& files, const std::string& csv, const report::LinePlot& plot);

/// "Wrote power.csv." for each of them.
std::string written_words(const CurveFiles& files);

}  // namespace tacet::service
