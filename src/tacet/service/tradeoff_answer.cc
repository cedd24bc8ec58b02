#include "tacet/service/tradeoff_answer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/workflow/new_file.h"

namespace tacet::service {
namespace {

Result<std::string> page_of(const CurveTable& table) {
  report::LinePlot plot{.title = "How well two neighbours can be told apart",
                        .subtitle = "The least type II error of a test at each level; higher is more private",
                        .x = {"type I error"},
                        .y = {"type II error"},
                        .curves = {}};
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    report::Curve curve{table.names[i], {}};
    for (std::size_t j = 0; j < table.alpha.size(); ++j) curve.points.emplace_back(table.alpha[j], table.beta[i][j]);
    plot.curves.push_back(std::move(curve));
  }
  return report::to_html(plot);
}

Status write_files(const std::vector<TradeOff>& curves, const TradeoffOutput& output) {
  if (!output.csv && !output.html) return {};
  TACET_TRY(const CurveTable fine, tradeoff_table(curves, plotted_levels()));
  std::vector<std::pair<std::string, std::string>> texts;  // a path and its text
  if (output.csv) texts.emplace_back(*output.csv, to_csv(fine));
  if (output.html) {
    TACET_TRY(std::string page, page_of(fine));
    texts.emplace_back(*output.html, std::move(page));
  }
  // Both names must be free before the first file is written.
  std::vector<NewFile> files;
  for (const auto& [path, text] : texts) {
    TACET_TRY(NewFile file, NewFile::reserve(path, text.size()));
    files.push_back(std::move(file));
  }
  for (std::size_t i = 0; i < files.size(); ++i) TACET_CHECK(files[i].publish(texts[i].second));
  return {};
}

struct CurveAnswer {
  std::string name;
  std::vector<double> beta;
  double fixed_point;
  double slack;
};

std::vector<CurveAnswer> curves_of(const TradeoffReply& reply) {
  std::vector<CurveAnswer> curves;
  for (std::size_t i = 0; i < reply.table.names.size(); ++i)
    curves.push_back({reply.table.names[i], reply.table.beta[i], reply.table.fixed_point[i], reply.slacks[i]});
  return curves;
}

Json alpha_json(const TradeoffReply& reply) { return reply.one_level ? Json(reply.table.alpha[0]) : Json(reply.table.alpha); }

/// For one curve only: the main result.
Json beta_json(const TradeoffReply& reply) {
  if (reply.table.beta.size() != 1) return nullptr;
  return reply.one_level ? Json(reply.table.beta[0][0]) : Json(reply.table.beta[0]);
}

}  // namespace

RequestTable<TradeoffOutput> tradeoff_output() {
  return RequestTable<TradeoffOutput>()
      .field("alpha", &TradeoffOutput::alpha, "A", "type I errors, one or several; some usual ones if not given")
      .field("csv", &TradeoffOutput::csv, "FILE", "write the whole curves as CSV")
      .field("html", &TradeoffOutput::html, "FILE", "write a picture of the curves: one page that needs no network");
}

Result<TradeoffReply> tradeoff_reply(const std::vector<TradeOff>& curves, const TradeoffOutput& output) {
  const bool one_level = output.alpha && output.alpha->size() == 1 && curves.size() == 1;
  TACET_TRY(CurveTable table, tradeoff_table(curves, output.alpha.value_or(usual_levels())));
  TACET_CHECK(write_files(curves, output));
  std::vector<double> slacks;
  for (const TradeOff& curve : curves) slacks.push_back(curve.slack());
  return TradeoffReply{std::move(table), output.csv, output.html, one_level, std::move(slacks)};
}

AnswerTable<TradeoffReply> tradeoff_answer() {
  const Json numbers = {{"anyOf", {Codec<double>::schema(), Codec<std::vector<double>>::schema()}}};
  return AnswerTable<TradeoffReply>()
      .json("alpha", alpha_json, numbers, "the type I errors; one number where one was asked for of one curve")
      .json("beta", beta_json, numbers, "of one curve: the least type II errors")
      .unless_null()
      .list("curves", curves_of,
            AnswerTable<CurveAnswer>()
                .value("name", &CurveAnswer::name, "what the curve is of")
                .value("beta", &CurveAnswer::beta, "the least type II error at each alpha")
                .value("fixed_point", &CurveAnswer::fixed_point, "the alpha at which beta is alpha")
                .value("slack", &CurveAnswer::slack,
                       "how far the true curve may be above; 0 except for Laplace noise on more than ten numbers"),
            "every curve")
      .value("csv", &TradeoffReply::csv, "the file that was written")
      .unless_null()
      .value("html", &TradeoffReply::html, "the page that was written")
      .unless_null();
}

std::string tradeoff_words(const TradeoffReply& reply) {
  const CurveTable& curves = reply.table;
  std::vector<std::string> header = {"type I error"};
  header.insert(header.end(), curves.names.begin(), curves.names.end());
  report::TextTable table(header);
  for (std::size_t i = 0; i < curves.alpha.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{}", curves.alpha[i])};
    for (const auto& beta : curves.beta) row.push_back(fmt::format("{:.6g}", beta[i]));
    table.add(std::move(row));
  }
  std::string out = "A test that distinguishes two neighbours with this type I error has at least this type II error:\n" + table.render();
  const double slack = reply.slacks.empty() ? 0 : *std::max_element(reply.slacks.begin(), reply.slacks.end());
  if (slack > 0)
    out += fmt::format("The true errors are at most {:.2g} larger: Laplace noise on more than ten numbers is enclosed.\n", slack);
  for (const auto& file : {reply.csv, reply.html}) {
    if (file) out += fmt::format("Wrote {}.\n", report::shell_word(*file));
  }
  return out;
}

}  // namespace tacet::service
