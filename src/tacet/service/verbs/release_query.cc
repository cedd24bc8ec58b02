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
  return paid_before_words(reply.paid_before) + fmt::format("Among {} people:\n", std::round(release.n)) + answer_words(release) +
         charged_words(release.header, reply.budget, reply.file, "");
}

std::string words(const Reply& reply) {
  const QueryRelease& release = reply.release;
  if (is_bounded(release)) return bounded_words(reply);
  const std::vector<double> mean = release.mean();
  const std::vector<double> sd = release.mean_sd();
  report::TextTable table({release.is_direction() ? "combination" : "column", "mean", "noise (sd)"});
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const std::string name = release.is_direction() ? combination(release) : report::printable(release.columns[j]);
    table.add({name, fmt::format("{:.6g}", mean[j]), fmt::format("{:.3g}", sd[j])});
  }
  const std::string about = release.n_is_public ? "" : "about ";
  std::string out =
      paid_before_words(reply.paid_before) + rows_words(release.header) +
      fmt::format("Noisy mean of {}{} {}:\n", about, report::readable(std::round(release.n)), name(release.header.counted())) +
      table.render();
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
      {"planned_n", "the number of people, or rows, that means are divided by", {{"type", "number"}}},
      {"people", "the noisy number of people, or rows, and its noise; left out where the number is public", {{"type", "object"}}, false},
      {"columns", "the columns", list},
      {"centre", "the public centre of each column", list},
      {"map", "the linear map of rows, a line for each coordinate", list},
      {"radius", "where mapped rows are clipped", {{"type", "number"}}},
      {"sums", "the noisy sums of the mapped rows", list},
      {"values", "the means in the units of the columns, or that of the one combination", list}};
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
