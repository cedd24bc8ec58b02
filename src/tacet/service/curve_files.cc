#include "tacet/service/curve_files.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/workflow/new_file.h"

namespace tacet::service {

RequestTable<CurveFiles> curve_files_table(const std::string& what) {
  return RequestTable<CurveFiles>()
      .field("csv", &CurveFiles::csv, "FILE", "write " + what)
      .field("html", &CurveFiles::html, "FILE", "the same as a picture: one page that needs no network");
}

AnswerTable<CurveFiles> curve_files_answer() {
  return AnswerTable<CurveFiles>()
      .value("csv", &CurveFiles::csv, "the file of numbers that was written")
      .unless_null()
      .value("html", &CurveFiles::html, "the page that was written")
      .unless_null();
}

Status write_curve_files(const CurveFiles& files, const std::string& csv, const report::LinePlot& plot) {
  std::vector<std::pair<std::string, std::string>> wanted;
  if (files.csv) wanted.emplace_back(*files.csv, csv);
  if (files.html) {
    TACET_TRY(std::string page, report::to_html(plot));
    wanted.emplace_back(*files.html, std::move(page));
  }
  std::vector<NewFile> reserved;
  for (const auto& [path, text] : wanted) {
    TACET_TRY(NewFile file, NewFile::reserve(path, text.size()));
    reserved.push_back(std::move(file));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) TACET_CHECK(reserved[i].publish(wanted[i].second));
  return {};
}

std::string written_words(const CurveFiles& files) {
  std::string out;
  for (const auto& path : {files.csv, files.html}) {
    if (path) out += fmt::format("Wrote {}.\n", report::shell_word(*path));
  }
  return out;
}

}  // namespace tacet::service
