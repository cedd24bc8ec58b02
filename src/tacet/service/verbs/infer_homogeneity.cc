#include <set>

#include "tacet/inference/counts/homogeneity.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_file.h"
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
  std::vector<mechanisms::CountRelease> groups;
  for (const std::string& path : paths) {
    TACET_TRY(mechanisms::CountRelease group, mechanisms::read_release_as<mechanisms::CountRelease>(path));
    groups.push_back(std::move(group));
  }
  TACET_TRY(const inference::HomogeneityTest compared, inference::test_homogeneity(groups, options));
  Json result = test_json(compared.test, options, std::nullopt);
  result["groups"] = groups.size();
  result["n"] = Json::array();
  for (const mechanisms::CountRelease& group : groups) result["n"].push_back(group.n ? Json(*group.n) : Json(nullptr));
  result["people"] = compared.people;
  result["pooled"] = compared.pooled.empty() ? Json(nullptr) : mechanisms::nested(compared.pooled, groups[0].shape);
  return result;
}

std::string words(const Json& result) {
  return test_words(result, {.null = {},
                             .rejected = "The groups differ",
                             .doubt = "that the groups differ",
                             .deviation = "difference",
                             .deviates = "they differ"});
}

}  // namespace

Verb infer_homogeneity_verb() {
  return {"infer homogeneity",
          "Test whether groups with a release each have the same probabilities, knowing each noise",
          "tacet infer homogeneity --releases north.json,south.json --alpha 0.05",
          test_fields(
              {{"releases", "a.json,b.json",
                "the release files of the groups: tables of the same cells, whatever their people and their noise", FieldKind::List, true},
               {"statistic", "S", "projected (the default), or classical, which is Lee's"}}),
          run,
          words};
}

}  // namespace tacet::service
