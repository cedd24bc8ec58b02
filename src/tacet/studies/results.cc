#include "tacet/studies/results.h"

#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/report/figure.h"
#include "tacet/report/text_table.h"
#include "tacet/studies/cells_file.h"

namespace tacet::studies {
namespace {

using ResultJson = nlohmann::ordered_json;

constexpr std::string_view kMarkdown = ".md";

ResultJson json_of(const Table& table) {
  ResultJson rows = ResultJson::array();
  for (const auto& row : table.rows) {
    ResultJson cells = ResultJson::array();
    for (const Entry& entry : row) std::visit([&cells](const auto& value) { cells.push_back(value); }, entry);
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name}, {"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

ResultJson json_of(const Verdict& verdict) {
  ResultJson numbers = ResultJson::object();
  for (const Number& number : verdict.numbers) numbers[number.name] = number.value;
  return {{"claim", verdict.claim},
          {"outcome", name(verdict.outcome)},
          {"expected", verdict.expected},
          {"numbers", std::move(numbers)},
          {"words", verdict.words}};
}

/// "rogers_table_3", and "rogers_table_3-2" for the second figure.
std::string figure_name(const Study& study, std::size_t i) { return i == 0 ? study.name : fmt::format("{}-{}", study.name, i + 1); }

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string shown(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.7g}", value);
}

std::string for_page(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

/// At most this many rows of a table stand on the page.
constexpr std::size_t kRowsOnPage = 12;

std::string table_on_page(const Table& table) {
  if (table.rows.size() > kRowsOnPage) return "";
  std::string out = fmt::format("{}:\n\n|", table.title), line = "\n|";
  for (const std::string& column : table.columns) {
    out += fmt::format(" {} |", for_page(column));
    line += " --- |";
  }
  out += line + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const Entry& entry : row) {
      const auto* number = std::get_if<double>(&entry);
      out += fmt::format(" {} |", number != nullptr ? shown(*number) : for_page(std::get<std::string>(entry)));
    }
    out += "\n";
  }
  return out + "\n";
}

std::string section(const StudyRun& run, const std::string& pictures) {
  const Study& study = *run.study;
  std::string out = fmt::format("## {}\n\n`{}`: {}. {}\n\n", study.title, study.name, study.paper, study.shows);
  for (std::size_t i = 0; i < run.findings.figures.size(); ++i)
    out += fmt::format("![{}]({}/{}.svg)\n\n", run.findings.figures[i].title, pictures, figure_name(study, i));
  for (const Table& table : run.findings.tables) out += table_on_page(table);
  for (const Verdict& verdict : run.findings.verdicts) {
    std::string numbers;
    for (const Number& number : verdict.numbers)
      numbers += fmt::format("{}{} {}", numbers.empty() ? "" : ", ", number.name, shown(number.value));
    out += fmt::format("* **{}**: {}", name(verdict.outcome), verdict.claim);
    if (!numbers.empty()) out += fmt::format(" ({})", numbers);
    out += verdict.words.empty() ? ".\n" : fmt::format(". {}{}\n", verdict.words, verdict.words.ends_with('.') ? "" : ".");
  }
  return out + "\n";
}

std::string page_of(const std::vector<StudyRun>& runs, const std::string& pictures) {
  std::size_t reproduced = 0, better = 0, different = 0;
  std::string sections;
  for (const StudyRun& run : runs) {
    sections += section(run, pictures);
    for (const Verdict& verdict : run.findings.verdicts)
      ++(verdict.outcome == Outcome::Reproduced ? reproduced : verdict.outcome == Outcome::Better ? better : different);
  }
  return fmt::format(
             "# Studies: the papers' tables and figures, and our own levels\n\n"
             "Every table and figure of the papers, computed again by the inference that Tacet's users run. `tacet study list` names the\n"
             "studies, and `tacet study run NAME --out DIR` repeats one and writes its tables and its figure. This page is made by\n"
             "`tacet study run all --docs docs/studies.md`, and a test compares it with what the studies find.\n\n"
             "A verdict is *reproduced* (within the stated tolerance), *better* (we improve on the paper) or *differs*, with the reason.\n"
             "A tolerance has three standard errors for all comparisons of a verdict together, the rounding of the paper and, where a\n"
             "number stands only in a picture, the error of reading it.\n\n"
             "The last studies measure what Tacet itself promises: levels of tests and coverage of intervals, each over a grid of "
             "settings.\n"
             "There *reproduced* means that no error rate is too high. A rate is too high if it exceeds what is allowed by three standard\n"
             "errors, and does so again with new draws and four times the trials. `--trials` sees smaller faults than the usual trials "
             "do.\n\n"
             "{} verdicts: {} reproduced, {} better, {} that differ.\n\n",
             reproduced + better + different, reproduced, better, different) +
         sections.substr(0, sections.empty() ? 0 : sections.size() - 1);
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += (i > 0 ? "," : "") + csv_field(table.columns[i]);
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* number = std::get_if<double>(&row[i]);
      out += (i > 0 ? "," : "") + (number != nullptr ? fmt::format("{}", *number) : csv_field(std::get<std::string>(row[i])));
    }
    out += "\n";
  }
  return out;
}

Status write_results(const StudyRun& run, const std::string& folder) {
  TACET_CHECK(make_folder(folder));
  const Study& study = *run.study;
  ResultJson tables = ResultJson::array(), verdicts = ResultJson::array();
  for (const Table& table : run.findings.tables) {
    tables.push_back(json_of(table));
    TACET_CHECK(replace_file(fmt::format("{}/{}.{}.csv", folder, study.name, table.name), to_csv(table)));
  }
  for (const Verdict& verdict : run.findings.verdicts) verdicts.push_back(json_of(verdict));
  const ResultJson all = {
      {"study", study.name},      {"title", study.title},        {"paper", study.paper},           {"shows", study.shows},
      {"version", study.version}, {"tables", std::move(tables)}, {"verdicts", std::move(verdicts)}};
  TACET_CHECK(
      replace_file(fmt::format("{}/{}.json", folder, study.name), all.dump(1, ' ', false, ResultJson::error_handler_t::replace) + "\n"));
  for (std::size_t i = 0; i < run.findings.figures.size(); ++i) {
    TACET_TRY(const std::string page, report::to_html(run.findings.figures[i]));
    TACET_CHECK(replace_file(fmt::format("{}/{}.html", folder, figure_name(study, i)), page));
  }
  return {};
}

std::string folder_of_page(const std::string& page) {
  return page.ends_with(kMarkdown) ? page.substr(0, page.size() - kMarkdown.size()) : page;
}

Status write_page(const std::vector<StudyRun>& runs, const std::string& page) {
  if (!page.ends_with(kMarkdown) || page.size() == kMarkdown.size())
    return Error::invalid("docs", page.substr(0, 60), "must end in .md", "for example: docs = studies.md");
  const std::string folder = folder_of_page(page);
  TACET_CHECK(make_folder(folder));
  for (const StudyRun& run : runs) {
    for (std::size_t i = 0; i < run.findings.figures.size(); ++i) {
      TACET_TRY(const std::string picture, report::to_svg(run.findings.figures[i]));
      TACET_CHECK(replace_file(fmt::format("{}/{}.svg", folder, figure_name(*run.study, i)), picture));
    }
  }
  return replace_file(page, page_of(runs, std::filesystem::path(folder).filename().string()));
}

}  // namespace tacet::studies
