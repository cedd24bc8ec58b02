#include "tacet/service/moment_answer.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/moment_result.h"
#include "tacet/report/text_table.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/release_answer.h"
#include "tacet/workflow/infer/date_columns.h"

namespace tacet::service {
namespace {

struct Request {
  ReleaseFields place;
  MomentReleaseRequest moments;
  std::optional<std::string> goal, purpose;
};
using Reply = Published<MomentRelease>;

/// `for` names the test that the release is for, and `goal` the accuracy that its noise favours:
/// only one of them.
Status read_goal(const Request& request, MomentReleaseRequest& moments) {
  if (request.purpose) {
    if (request.goal)
      return Error::invalid("goal", request.goal->substr(0, 40), "cannot be given with for, which sets it", "give one of them");
    if (*request.purpose != name(MomentGoal::TwoSample))
      return Error::invalid("for", request.purpose->substr(0, 40), "must be two-sample", "leave it out for a release of general use");
    moments.goal = MomentGoal::TwoSample;
    return {};
  }
  const std::string text = request.goal.value_or("region");
  constexpr std::string_view kTest = "test:";
  if (text.starts_with(kTest)) {
    if (has_products(moments.kind))
      return Error::invalid("goal", text.substr(0, 40), "must be region, least-squares or isotropic for second moments");
    TACET_TRY(moments.tested_mean, Codec<std::vector<double>>::read(text.substr(kTest.size()), "goal"));
    return {};
  }
  if (request.moments.weights && request.goal)
    return Error::invalid("weights", "given with a goal", "must be left out, or the goal", "give one of them");
  for (const MomentGoal goal : {MomentGoal::Region, MomentGoal::LeastSquares, MomentGoal::Isotropic}) {
    moments.goal = goal;
    if (text == name(goal)) return {};
  }
  return Error::invalid("goal", text.substr(0, 40), "must be region, least-squares or isotropic", "for one direction: `release query`");
}

template <MomentKind kind>
Result<Reply> run(const Request& request, const Context& context) {
  MomentReleaseRequest moments = request.moments;
  moments.kind = kind;
  moments.out = request.place.out;
  TACET_CHECK(read_goal(request, moments));
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  return release_moments(dataset, moments);
}

std::string vector_words(const MomentRelease& release, const mechanisms::MomentResult& printed) {
  report::TextTable table({"column", std::string(name(release.kind)), "noise (sd)"});
  const std::vector<bool> dates = date_columns(release);
  for (std::size_t j = 0; j < release.dimension(); ++j) {
    const bool date = release.kind == MomentKind::Mean && dates[j];
    table.add({report::printable(release.columns[j].name), number_words(printed.values[j], date),
               fmt::format("{:.3g}{}", printed.noise_sd->at(j), date ? " days" : "")});
  }
  return table.render();
}

std::string matrix_words(const MomentRelease& release, const mechanisms::MomentResult& printed) {
  const std::size_t d = release.dimension();
  std::vector<std::string> header = {""};
  for (const auto& column : release.columns) header.push_back(report::printable(column.name));
  report::TextTable table(header);
  bool hidden = false;
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<std::string> row = {report::printable(release.columns[j].name)};
    for (std::size_t k = 0; k < d; ++k) {
      const double value = printed.values[j * d + k];
      const std::string shown = fmt::format("{:.5g}", value);
      if (!printed.noise_sd) {
        row.push_back(shown);
        continue;
      }
      const double sd = printed.noise_sd->at(j * d + k);
      const bool below = std::abs(value) < sd;
      hidden = hidden || below;
      row.push_back(fmt::format("{} ({:.2g})", below ? "below noise" : shown, sd));
    }
    table.add(std::move(row));
  }
  std::string out = table.render();
  if (printed.noise_sd) out += "In parentheses: the standard deviation of the noise.\n";
  if (hidden) out += "Below noise: smaller than the standard deviation of its noise, so not distinguishable from 0.\n";
  if (!printed.noise_sd) out += "The noise of single entries is unknown, because ed adds noise to eigenvalues and eigenvectors.\n";
  return out;
}

std::string group_words(const MomentRelease& release, std::size_t group) {
  const mechanisms::NoisyNumber& people = release.parts[group].people;
  const mechanisms::Counted counted = release.header.counted();
  const bool rows = counted == mechanisms::Counted::Rows;
  const std::string all = release.header.where ? (rows ? "these rows" : "these people") : (rows ? "all rows" : "everybody");
  const std::string who = release.groups ? fmt::format("{}={}", release.groups->column, release.groups->labels[group]) : all;
  const std::string head = fmt::format("Noisy {} of {} ({}{} {}):", name(release.kind), report::printable(who),
                                       people.scale > 0 ? "about " : "", report::readable(std::round(people.value)), name(counted));
  if (const auto reason = mechanisms::why_no_answer(release, group)) return fmt::format("{} no answer, as {}.\n", head, *reason);
  const mechanisms::MomentResult printed = mechanisms::moment_result(release, group);
  return head + "\n" + (release.has_matrix() ? matrix_words(release, printed) : vector_words(release, printed));
}

/// Second moments are about public centres, so the words name these.
std::string centre_words(const MomentRelease& release) {
  if (release.kind != MomentKind::SecondMoment) return {};
  std::string out = "Second moments are about the public centres";
  for (std::size_t j = 0; j < release.dimension(); ++j)
    out += fmt::format("{} {:g} ({})", j == 0 ? "" : ",", release.columns[j].centre, report::printable(release.columns[j].name));
  return out + ".\n";
}

/// Says which of the columns was chosen.
std::string choice_words(const MomentRelease& release) {
  const Json statement = Json::parse(release.header.statement, nullptr, /*allow_exceptions=*/false);
  if (!statement.is_object() || statement.value("goal", "") != "test") return {};
  return fmt::format("Of the columns asked for, {} alone was published: it gives the test the most power.\n",
                     report::printable(release.columns.front().name));
}

std::string moment_words(const Reply& reply) {
  const MomentRelease& release = reply.release;
  std::string out = paid_before_words(reply.paid_before) + rows_words(release.header);
  for (std::size_t group = 0; group < release.parts.size(); ++group) out += group_words(release, group);
  out += centre_words(release) + choice_words(release) + missing_words(release.header);
  if (release.floating_point) out += fmt::format("Guarantee: {}, as {}.\n", name(release.header.guarantee), *release.floating_point);
  return out + fmt::format("Noise: {}. ", name(release.mechanism)) + charged_words(release.header, reply.budget, reply.file, "");
}

RequestTable<Request> request_table(MomentKind kind) {
  const bool products = has_products(kind);
  RequestTable<Request> table;
  table.include(&Request::place, data_table())
      .required(
          "columns", [](Request& r) -> auto& { return r.moments.columns; }, "a,b",
          "the numeric columns, with bounds declared in the schema")
      .field(
          "where", [](Request& r) -> auto& { return r.moments.where; }, "CONDITION", kWhereHelp)
      .field(
          "mechanism", [](Request& r) -> auto& { return r.moments.mechanism; }, "M",
          products ? "laplace under epsilon alone and gaussian otherwise, if not given; k-norm+laplace treats sums and products "
                     "separately; ed works by eigenvalues and is idealised"
                   : "laplace under epsilon alone and gaussian otherwise, if not given; k-norm is better than laplace for several "
                     "columns under epsilon alone")
      .field("goal", &Request::goal, "G",
             std::string("region (smallest confidence region, whatever the units; the default), least-squares (least squared error in the "
                         "units as declared), isotropic (the same noise in every unit as declared)") +
                 (products ? "" : ", or test:a,b (publish the one column that gives a test of mean 0 against a,b the most power)"))
      .field(
          "group-by", [](Request& r) -> auto& { return r.moments.group_by; }, "COLUMN", "separately for each group of a categorical column")
      .field(
          "membership", [](Request& r) -> auto& { return r.moments.membership; }, "M",
          "with group-by: public where the terms say so (then the default)");
  if (!products) {
    table.field(
        "weights", [](Request& r) -> auto& { return r.moments.weights; }, "v,w",
        "in place of goal: the part of the loss of each column, where a larger part is less noise");
  }
  if (products) {
    table.field("for", &Request::purpose, "TEST",
                "two-sample: noise that suits `infer two-sample`, in place of goal; under epsilon alone by k-norm+laplace");
  }
  return table.include(&Request::place, file_table())
      .include([](Request& r) -> auto& { return r.moments.loss; }, privacy_table("what to spend"));
}

std::vector<AnswerField> own_fields() {
  const Json any = Json::object();
  return {{"n", "the number of people, or of rows where a person may have several; null where it is private", any},
          {"values", "what the kind names: a list or a matrix, for everybody or for each group; null if there may be no people", any},
          {"noise_sd", "the standard deviation of the noise of each number in values", any},
          {"no_answer", "why values is null, or null", any},
          {"columns", "name, bounds, resolution and public centre of each column", {{"type", "array"}}},
          {"groups", "column, labels and membership of the groups, or null", {{"type", {"object", "null"}}}},
          {"parts", "for each group the noisy number of people (or rows), sums and products with their scales", {{"type", "array"}}},
          {"floating_point", "where floating point enters an idealised mechanism", any, /*always=*/false}};
}

}  // namespace

Verb moment_verb(MomentKind kind, const std::string& summary, const std::string& example) {
  TypedVerb<Request, Reply> typed{.name = "release " + std::string(name(kind)),
                                  .summary = summary,
                                  .example = example,
                                  .library = LibraryFunction{"release_moments", "tacet/workflow/release/release_moments.h"},
                                  .request = request_table(kind),
                                  .answer = published_table<MomentRelease>(own_fields()),
                                  .run = nullptr,
                                  .words = moment_words};
  switch (kind) {
    case MomentKind::Sum: typed.run = run<MomentKind::Sum>; break;
    case MomentKind::Mean: typed.run = run<MomentKind::Mean>; break;
    case MomentKind::SecondMoment: typed.run = run<MomentKind::SecondMoment>; break;
    case MomentKind::Covariance: typed.run = run<MomentKind::Covariance>; break;
  }
  return verb(std::move(typed));
}

}  // namespace tacet::service
