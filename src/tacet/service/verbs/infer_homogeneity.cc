#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/workflow/infer/homogeneity.h"

namespace tacet::service::infer_homogeneity_verb {
namespace {

struct Request {
  std::vector<std::string> releases;
  HomogeneityOptions options;
};
struct Reply {
  HomogeneityTest test;
  std::vector<std::size_t> shape;  // of each table
};

Result<Reply> run(const Request& request, const Context& context) {
  if (std::set<std::string>(request.releases.begin(), request.releases.end()).size() < request.releases.size()) {
    return Error::invalid("releases", "a list with a file twice", "must be different files: a group cannot be compared with itself",
                          "for example: releases = north.json,south.json");
  }
  context.tell("reading the releases");
  std::vector<CountRelease> groups;
  for (const std::string& path : request.releases) {
    TACET_TRY(CountRelease group, read_release_as<CountRelease>(path));
    groups.push_back(std::move(group));
  }
  TACET_TRY(HomogeneityTest test, test_homogeneity(groups, request.options, context));
  return Reply{std::move(test), groups.front().shape};
}

std::string words(const Reply& reply) {
  return count_test_words(reply.test, {.null = {},
                                       .rejected = "The groups differ",
                                       .doubt = "that the groups differ",
                                       .deviation = "difference",
                                       .deviates = "they differ"}) +
         (reply.test.disjoint == Disjoint::Declared ? disjoint_words(reply.test.disjoint) : "");
}

Json pooled(const Reply& reply) { return reply.test.pooled ? mechanisms::nested(*reply.test.pooled, reply.shape) : Json(nullptr); }

}  // namespace

Verb make() {
  const auto of_test = [](auto member) { return [member](const Reply& reply) { return reply.test.*member; }; };
  return verb<Request, Reply>(
      {.name = "infer homogeneity",
       .summary = "Test whether groups with a release each have the same probabilities, knowing each noise",
       .example = "tacet infer homogeneity --releases north.json,south.json --alpha 0.05",
       .library = LibraryFunction{"test_homogeneity", "tacet/workflow/infer/homogeneity.h"},
       .request = RequestTable<Request>()
                      .required("releases", &Request::releases, "a.json,b.json",
                                "the release files of the groups: tables of the same cells, whatever their people and their noise")
                      .field(
                          "disjoint", [](Request& r) -> auto& { return r.options.disjoint; }, "",
                          "nobody is in two of the releases, which is asked where they are of one dataset")
                      .include(&Request::options, count_test_table<HomogeneityOptions>(
                                                      "projected by default; classical is Lee's; nonprojected cannot be used here")),
       .answer = AnswerTable<Reply>()
                     .include(&Reply::test, count_test_answer())
                     .value(
                         "groups", [](const Reply& reply) { return reply.test.n.size(); }, "how many groups were compared")
                     .value("n", of_test(&HomogeneityTest::n), "the number of people of each group, where it is public")
                     .value("people", of_test(&HomogeneityTest::people), "the people of each group: n, or the sum of its noisy counts")
                     .value("disjoint", of_test(&HomogeneityTest::disjoint), "how it is known that nobody is in two groups")
                     .json("pooled", pooled, {{"type", {"array", "null"}}}, "the common probabilities, nested as the tables are"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_homogeneity_verb
