#include <set>

#include <fmt/format.h>

#include "tacet/inference/homogeneity.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const inference::GofOptions options, test_options(request, context));
  TACET_TRY(const std::vector<std::string> paths, list_field(request, "releases"));
  if (std::set<std::string>(paths.begin(), paths.end()).size() < paths.size()) {
    return Error::invalid("releases", "a list with a file twice", "must be different files: a group cannot be compared with itself",
                          "for example: --releases north.json,south.json");
  }
  context.tell("reading the releases");
  std::vector<mechanisms::Release> groups;
  for (const std::string& path : paths) {
    TACET_TRY(mechanisms::Release group, mechanisms::read_release(path));
    groups.push_back(std::move(group));
  }
  TACET_TRY(const inference::HomogeneityTest compared, inference::test_homogeneity(groups, options));
  Json result = test_json(compared.test, options);
  result["groups"] = groups.size();
  result["n"] = Json::array();
  for (const mechanisms::Release& group : groups) result["n"].push_back(group.n ? Json(*group.n) : Json(nullptr));
  result["people"] = compared.people;
  result["pooled"] = compared.pooled.empty() ? Json(nullptr) : mechanisms::nested(compared.pooled, groups[0].shape);
  return result;
}

std::string words(const Json& result) {
  const auto outcome = result.at("outcome").get<std::string>();
  const std::string level = fmt::format("{:.4g}", result.at("alpha").get<double>());
  std::string out;
  if (outcome == "inconclusive") {
    out = fmt::format("Inconclusive: {}.\n", result.at("reason").get<std::string>());
  } else if (outcome == "reject") {
    out = fmt::format("The groups differ: that all {} have the same probabilities is rejected at level {}.\n",
                      result.at("groups").get<std::size_t>(), level);
  } else {
    out = fmt::format("No evidence that the groups differ at level {}{}.\n", level,
                      power_words(result, "difference", "they differ by no more than sampling and noise explain"));
  }
  return out + test_details(result);
}

}  // namespace

Verb infer_homogeneity_verb() {
  std::vector<Field> fields = {{"releases", "a.json,b.json",
                                "the release files of the groups: tables of the same cells, whatever their people and their noise",
                                FieldKind::List, true}};
  for (Field& field : test_fields("projected (the default), or classical, which is Lee's", "bootstrap, asymptotic or auto (the default)"))
    fields.push_back(std::move(field));
  return {"infer homogeneity",
          "Test whether groups with a release each have the same probabilities, knowing each noise",
          "tacet infer homogeneity --releases north.json,south.json --alpha 0.05",
          std::move(fields),
          run,
          words};
}

}  // namespace tacet::service
