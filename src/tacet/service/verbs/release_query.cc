#include "tacet/workflow/release/release_query.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/session/bounded_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/session/bounded_query.h"

namespace tacet::service::release_query_verb {
namespace {

constexpr std::uint64_t kMostPeople = 1'000'000'000'000'000;
constexpr std::uint64_t kMostQueries = 1'000'000'000'000;

struct Request {
  ReleaseFields place;
  QueryRequest query;
  std::optional<std::string> covariance;  // a file
};
using Reply = Published<QueryRelease>;

Result<Reply> run(const Request& request, const Context& context) {
  QueryRequest query = request.query;
  query.out = request.place.out;
  if (request.covariance) {
    TACET_TRY(query.covariance, read_square_matrix(*request.covariance, "covariance"));
  }
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  return release_query(dataset, query);
}

/// "1 ldl + -1 hdl": the combination of columns that was asked for.
std::string combination(const QueryRelease& release) {
  std::string name;
  for (std::size_t k = 0; k < release.columns.size(); ++k)
    name += fmt::format("{}{:g} {}", k == 0 ? "" : " + ", release.map.at(0, k), report::printable(release.columns[k]));
  return name;
}

Json intervals_json(const Reply& reply) {
  const auto intervals = answer_intervals(reply.release);
  return intervals.ok() ? interval_table().write(*intervals) : Json(nullptr);
}

std::string bounded_words(const Reply& reply) {
  const QueryRelease& release = reply.release;
  return paid_before_words(reply.paid_before) + fmt::format("Among {} people:\n", std::round(release.parts[0].n)) + answer_words(release) +
         charged_words(release.header, reply.budget, reply.file, "");
}

/// The means of one group, or of everybody.
std::string part_words(const QueryRelease& release, std::size_t group) {
  const mechanisms::QueryPart& part = release.parts[group];
  const std::string whom =
      fmt::format("{}{} {}", part.n_is_public ? "" : "about ", report::readable(std::round(part.n)), name(release.header.counted()));
  const std::string head =
      release.groups ? fmt::format("Noisy mean of {} ({}):",
                                   report::printable(fmt::format("{}={}", release.groups->column, release.groups->labels[group])), whom)
                     : fmt::format("Noisy mean of {}:", whom);
  if (const auto reason = release.why_no_mean(group)) return fmt::format("{} no answer, as {}.\n", head, *reason);
  const std::vector<double> mean = release.mean(group);
  const std::vector<double> sd = release.mean_sd(group);
  report::TextTable table({release.is_direction() ? "combination" : "column", "mean", "noise (sd)"});
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const std::string name = release.is_direction() ? combination(release) : report::printable(release.columns[j]);
    table.add({name, fmt::format("{:.6g}", mean[j]), fmt::format("{:.3g}", sd[j])});
  }
  return head + "\n" + table.render();
}

std::string words(const Reply& reply) {
  const QueryRelease& release = reply.release;
  if (is_bounded(release)) return bounded_words(reply);
  std::string out = paid_before_words(reply.paid_before) + rows_words(release.header);
  for (std::size_t group = 0; group < release.parts.size(); ++group) out += part_words(release, group);
  if (release.by() == mechanisms::QueryBy::Test) {
    out +=
        fmt::format("The combination was clipped to {:.4g} standard deviations. tacet infer mean-test --for population corrects for it.\n",
                    release.radius);
  } else if (release.by() != mechanisms::QueryBy::Direction) {
    out += fmt::format("Rows were clipped to length {:.4g} after scaling. Clipping shortens longer rows, which may bias the mean.\n",
                       release.radius);
  }
  return out + missing_words(release.header) + charged_words(release.header, reply.budget, reply.file, "");
}

std::vector<AnswerField> own_fields() {
  const Json list = {{"type", "array"}};
  return {
      {"n", "the number of people, or of rows where a person may have several; null where it is private", {{"type", {"number", "null"}}}},
      {"planned_n", "the number of people, or rows, that means are divided by; left out with group-by", {{"type", "number"}}, false},
      {"people",
       "the noisy number of people, or rows, and its noise; left out where the number is public, and with group-by",
       {{"type", "object"}},
       false},
      {"columns", "the columns", list},
      {"centre", "the public centre of each column", list},
      {"map", "the linear map of rows, a line for each coordinate", list},
      {"radius", "where mapped rows are clipped", {{"type", "number"}}},
      {"sums", "the noisy sums of the mapped rows; left out with group-by", list, false},
      {"groups", "with group-by: column, labels and membership of the groups; otherwise left out", {{"type", "object"}}, false},
      {"parts", "with group-by: the number of people of each group with its noise, and its sums; otherwise left out", list, false},
      {"values", "the means in the units of the columns, or that of the one combination; with group-by a list for each group, or null",
       list},
      {"noise_sd", "with group-by: the standard deviation of the noise of each mean; otherwise left out", list, false},
      {"no_answer", "with group-by: for each group null, or why it has no mean; otherwise left out", list, false}};
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "release query",
       .summary = "Publish a fraction of the rows, the mean of an expression, or means of combined, scaled or clipped columns",
       .example =
           "tacet release query --data patients.csv --schema patients.toml --columns ldl,hdl --direction 1,-1 --rho 0.01 --out query.json",
       .library = LibraryFunction{"release_query", "tacet/workflow/release/release_query.h"},
       .request =
           RequestTable<Request>()
               .include(&Request::place, data_table())
               .field(
                   "fraction", [](Request& r) -> auto& { return r.query.fraction; }, "CONDITION",
                   "publish the fraction of rows like these, for example: age >= 40 and smoking in (current, former)")
               .field(
                   "mean-of", [](Request& r) -> auto& { return r.query.mean_of; }, "EXPRESSION",
                   "publish the mean of arithmetic on columns with bounds, for example: (age - 40) / 80 * [smoking = current]")
               .whole(
                   "queries", [](Request& r) -> auto& { return r.query.queries; }, 1, kMostQueries, "K",
                   "with fraction or mean-of: one of at most K answers with this noise; adds an interval for the population that holds "
                   "for all of them together, however they were chosen")
               .field(
                   "beta", [](Request& r) -> auto& { return r.query.beta; }, "B",
                   "with queries: the probability that some answer is outside; 0.05 if not given")
               .field(
                   "columns", [](Request& r) -> auto& { return r.query.columns; }, "a,b",
                   "in their place: the numeric columns, with bounds declared in the schema")
               .field(
                   "direction", [](Request& r) -> auto& { return r.query.direction; }, "e,f",
                   "publish the mean of one combination, which nothing clips; with goal test: the alternative less the null")
               .field(
                   "sd", [](Request& r) -> auto& { return r.query.sd; }, "s,t",
                   "publish all means, scaled by public standard deviations for the least squared error, and clipped")
               .field("covariance", &Request::covariance, "FILE",
                      "publish all means, whitened by a public covariance (a JSON matrix) and clipped")
               .field(
                   "weights", [](Request& r) -> auto& { return r.query.weights; }, "v,w",
                   "publish all means, multiplied by weights of one's own and clipped; sd, covariance or radius says where")
               .field(
                   "goal", [](Request& r) -> auto& { return r.query.goal; }, "G",
                   "test: with direction and covariance, the one combination that finds null + direction best, clipped where few "
                   "normal rows are: none of all combinations has more power then; normal-test: the same, clipped for the most "
                   "power, where the level depends on normal rows; least-squares: with covariance or sd, the least squared error "
                   "of all linear maps; isotropic: rows clipped as they are")
               .field(
                   "null", [](Request& r) -> auto& { return r.query.null; }, "a,b", "with goal test: the means that will be tested")
               .field(
                   "centre", [](Request& r) -> auto& { return r.query.centre; }, "c,d",
                   "public centres; if not given the middle of the bounds, with goal test the middle between null and alternative")
               .whole(
                   "n", [](Request& r) -> auto& { return r.query.n; }, 2, kMostPeople, "N",
                   "about how many people, where rows are clipped: at the length that one normal row in n exceeds")
               .field(
                   "gamma", [](Request& r) -> auto& { return r.query.gamma; }, "G", "the share of normal rows to clip, in place of 1/n")
               .field(
                   "radius", [](Request& r) -> auto& { return r.query.radius; }, "R",
                   "where to clip, in place of gamma: the length of a row after the map; standard deviations for whitened rows and "
                   "tests, root mean square lengths with sd or least-squares")
               .field(
                   "where", [](Request& r) -> auto& { return r.query.where; }, "CONDITION", kWhereHelp)
               .field(
                   "group-by", [](Request& r) -> auto& { return r.query.group_by; }, "COLUMN",
                   "separately for each group of a categorical column, in one charge")
               .field(
                   "membership", [](Request& r) -> auto& { return r.query.membership; }, "M",
                   "with group-by: public where the terms say so (then the default)")
               .include(&Request::place, file_table())
               .include([](Request& r) -> auto& { return r.query.loss; }, privacy_table("what to spend", PossibleNoise::Gaussian)),
       .answer = published_table<QueryRelease>(own_fields())
                     .json("intervals", intervals_json, answer_schema(interval_table().fields()),
                           "of a fraction or a mean of an expression: where the truth is")
                     .unless_null(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::release_query_verb
