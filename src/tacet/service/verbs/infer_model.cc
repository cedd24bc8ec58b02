#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/json_kind.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/workflow/infer/test_model.h"

namespace tacet::service::infer_model_verb {
namespace {

constexpr const char* kForExample = R"-(for example: {"parameters": {"a": [0, 1]}, "cells": ["a^2", "2*a*(1-a)", "(1-a)^2"]})-";

struct Request {
  std::string release;
  std::optional<NamedModel> model;
  std::optional<std::string> expressions;
  ModelOptions options;
};

Error not_a_model(const std::string& what) {
  return Error::invalid("expressions", what, "must be a JSON object with parameters and cells", kForExample);
}

Result<ModelRequest> read_model(const std::string& path) {
  TACET_TRY(const Json json, mechanisms::read_json_file(path, "expressions"));
  if (!json.is_object()) return not_a_model(mechanisms::json_kind(json));
  if (json.size() != 2 || !json.contains("parameters") || !json.contains("cells")) return not_a_model("an object with other fields");
  const Json& parameters = json.at("parameters");
  const Json& cells = json.at("cells");
  if (!parameters.is_object()) return not_a_model(fmt::format("an object whose parameters are {}", mechanisms::json_kind(parameters)));
  if (!cells.is_array()) return not_a_model(fmt::format("an object whose cells are {}", mechanisms::json_kind(cells)));
  ModelRequest model;
  for (const auto& [name, bounds] : parameters.items()) {
    if (!bounds.is_array() || bounds.size() != 2 || !bounds[0].is_number() || !bounds[1].is_number())
      return not_a_model("a parameter without its two bounds");
    model.parameters.push_back({name, bounds[0].get<double>(), bounds[1].get<double>()});
  }
  for (const Json& cell : cells) {
    if (!cell.is_string()) return not_a_model("a cell that is not text");
    model.cells.push_back(cell.get<std::string>());
  }
  return model;
}

Result<ModelTest> run(const Request& request, const Context& context) {
  if (request.model.has_value() == request.expressions.has_value()) {
    return Error::invalid("model", request.model ? "given with expressions" : "missing",
                          "must be given, or a file of expressions in its place", "for example: model = hardy-weinberg");
  }
  ModelRequest model{.name = request.model};
  if (request.expressions) {
    TACET_TRY(model, read_model(*request.expressions));
  }
  context.tell("reading the release");
  TACET_TRY(const TableRelease release, (read_release_as<CountRelease, LocalRelease>(request.release)));
  return test_model(release, model, request.options, context);
}

std::string words(const ModelTest& test) {
  std::string out = count_test_words(test, {.null = "the model", .rejected = "The table does not follow the model"});
  if (test.estimates.empty()) return out;
  out += "Estimated:";
  std::string separator = " ";
  for (const ModelEstimate& one : test.estimates) {
    out += fmt::format("{}{} = {:.4g}", separator, report::printable(one.name), one.value);
    separator = ", ";
  }
  return out + ".\n";
}

std::map<std::string, double> estimates(const ModelTest& test) {
  std::map<std::string, double> values;
  for (const ModelEstimate& one : test.estimates) values[one.name] = one.value;
  return values;
}

}  // namespace

Verb make() {
  return verb<Request, ModelTest>(
      {.name = "infer model",
       .summary = "Test whether a release follows a model with unknown parameters, by name or by expressions, knowing the noise",
       .example = "tacet infer model --release one_genotype.json --model hardy-weinberg",
       .library = LibraryFunction{"test_model", "tacet/workflow/infer/test_model.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts, or with local reports")
                      .field("model", &Request::model, "NAME",
                             "of genotypes (AA, Aa, aa), of successes in cells - 1 trials, or with probabilities that fall by a factor")
                      .field("expressions", &Request::expressions, "FILE",
                             "in place of model: a JSON object with the bounds of each parameter and an expression for each cell")
                      .include(&Request::options, count_test_table<ModelOptions>("the test statistic, by default projected")),
       .answer = AnswerTable<ModelTest>()
                     .include(std::identity(), count_test_answer())
                     .value("n", &ModelTest::n, "the number of people, where it is public")
                     .value("estimates", estimates, "the parameters of the member of the model that is nearest to the table")
                     .value("fitted", &ModelTest::fitted, "its probabilities, a list of all cells"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_model_verb
