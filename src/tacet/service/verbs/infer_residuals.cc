#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/interval_answer.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/residuals.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::service::infer_residuals_verb {
namespace {

struct Request {
  std::string release;
  ResidualOptions options;
};
using Reply = ResidualAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(request.release));
  return infer_residuals(release, request.options, context);
}

std::string words(const Reply& reply) {
  if (reply.reason) return fmt::format("Inconclusive: {}.\n{}This cost no privacy.\n", *reply.reason, left_out_words(reply.left_out));
  const auto deviating = std::count_if(reply.cells.begin(), reply.cells.end(), [](const ResidualCell& cell) { return cell.deviates; });
  std::string out = fmt::format("{} of {} cells deviate{} from independence of {} and {}, at level {} for all cells together:\n",
                                deviating == 0 ? "None" : fmt::format("{}", deviating), reply.cells.size(), deviating == 1 ? "s" : "",
                                report::printable(reply.rows), report::printable(reply.columns), reply.alpha);
  report::TextTable table(
      {report::printable(reply.rows), report::printable(reply.columns), "people", "expected", "residual", "p-value", ""});
  for (const ResidualCell& cell : reply.cells) {
    table.add({cell.row, cell.column, report::readable(cell.count), report::readable(cell.expected), fmt::format("{:.2f}", cell.residual),
               short_value(cell.p_value),
               !cell.deviates      ? ""
               : cell.residual > 0 ? "more than expected"
                                   : "fewer than expected"});
  }
  return out + table.render() + left_out_words(reply.left_out) +
         fmt::format(
             "Residuals are in standard errors of sampling and noise; beyond {} a cell deviates ({} simulated tables).\nThis cost no "
             "privacy.\n",
             short_value(reply.critical.value_or(0)), reply.draws);
}

AnswerTable<ResidualCell> cell_answer() {
  return AnswerTable<ResidualCell>()
      .value("row", &ResidualCell::row, "the category of the rows")
      .value("column", &ResidualCell::column, "the category of the columns")
      .value("count", &ResidualCell::count, "the estimated people")
      .value("expected", &ResidualCell::expected, "the people expected if the variables are independent")
      .value("residual", &ResidualCell::residual, "the deviation, in standard errors of sampling and noise")
      .value("p_value", &ResidualCell::p_value, "the p-value for all cells together")
      .value("deviates", &ResidualCell::deviates, "whether it is at most alpha");
}

}  // namespace

Verb make() {
  const auto option = [](auto member) { return [member](Request& request) -> auto& { return request.options.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer residuals",
       .summary = "Find the cells of a release that deviate from independence of two variables, for all cells together",
       .example = "tacet infer residuals --release smoking.json --rows smoking --columns disease",
       .library = LibraryFunction{"infer_residuals", "tacet/workflow/infer/residuals.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts")
                      .field("rows", option(&ResidualOptions::rows), "NAME", "with columns: the two variables to take of a release of more")
                      .field("columns", option(&ResidualOptions::columns), "NAME", "with rows: the other variable")
                      .field("alpha", option(&ResidualOptions::alpha), "A", "the level for all cells together")
                      .include(&Request::options,
                               simulation_table<ResidualOptions>(&ResidualOptions::simulation,
                                                                 "tables to simulate; by default 9,999, fewer beyond 2,000 cells")),
       .answer = AnswerTable<Reply>()
                     .list("cells", &Reply::cells, cell_answer(), "the cells, row by row; none if inconclusive")
                     .value("critical", &Reply::critical, "a residual beyond it, in size, deviates")
                     .value("alpha", &Reply::alpha, "the level for all cells together")
                     .value("rows", &Reply::rows, "the variable of the rows")
                     .value("columns", &Reply::columns, "the variable of the columns")
                     .value("reason", &Reply::reason, "why it is inconclusive; null otherwise")
                     .include(std::identity(), left_out_answer<Reply>())
                     .value(
                         "draws", [](const Reply& r) -> std::uint64_t { return r.draws; }, "the simulated tables")
                     .value("seed", &Reply::seed, "the seed of the simulation"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_residuals_verb
