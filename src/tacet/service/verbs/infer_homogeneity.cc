#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/workflow/infer/homogeneity.h"

namespace tacet::service::infer_homogeneity_verb {
namespace {

struct Request {
  std::optional<std::vector<std::string>> releases;
  std::optional<std::string> release, by;
  HomogeneityOptions options;
};
using Reply = HomogeneityTest;

Result<Reply> of_releases(const std::vector<std::string>& paths, const Request& request, const Context& context) {
  if (request.by) return Error::invalid("by", "given with releases", "goes with release, whose categories are the groups", "leave it out");
  if (std::set<std::string>(paths.begin(), paths.end()).size() < paths.size()) {
    return Error::invalid("releases", "a list with a file twice", "must be different files: a group cannot be compared with itself",
                          "for example: releases = north.json,south.json");
  }
  context.tell("reading the releases");
  std::vector<CountRelease> groups;
  std::vector<DenoisedRelease> denoised;
  for (const std::string& path : paths) {
    TACET_TRY(auto group, (read_release_as<CountRelease, DenoisedRelease>(path)));
    if (auto* counts = std::get_if<CountRelease>(&group)) {
      groups.push_back(std::move(*counts));
    } else {
      denoised.push_back(std::get<DenoisedRelease>(std::move(group)));
    }
  }
  if (denoised.empty()) return test_homogeneity(groups, request.options, context);
  if (groups.empty()) return test_homogeneity(denoised, request.options, context);
  return Error::invalid("releases", "some that were denoised before they were published", "must all be, or none of them",
                        "import the tables as they were before they were denoised");
}

Result<Reply> run(const Request& request, const Context& context) {
  if (request.releases.has_value() == request.release.has_value()) {
    return Error::invalid("releases", request.release ? "given with release" : "missing",
                          "must be given, one for each group, or release with by in their place",
                          "for example: releases = north.json,south.json, or release = table.json by = region");
  }
  if (request.releases) return of_releases(*request.releases, request, context);
  if (!request.by) {
    return Error::invalid("by", "missing", "must name the column of the release whose categories are the groups",
                          "for example: by = region");
  }
  context.tell("reading the release");
  TACET_TRY(const CountRelease release, read_release_as<CountRelease>(*request.release));
  return test_homogeneity(release, *request.by, request.options, context);
}

std::string words(const Reply& reply) {
  return count_test_words(reply, {.null = {},
                                  .rejected = "The groups differ",
                                  .doubt = "that the groups differ",
                                  .deviation = "difference",
                                  .deviates = "they differ"}) +
         (reply.disjoint == Disjoint::Declared ? disjoint_words(reply.disjoint) : "");
}

Json pooled(const Reply& reply) { return reply.pooled ? mechanisms::nested(*reply.pooled, reply.shape) : Json(nullptr); }

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer homogeneity",
       .summary = "Test whether groups, of several releases or of one, have the same probabilities, knowing the noise",
       .example = "tacet infer homogeneity --releases north.json,south.json --alpha 0.05",
       .library = LibraryFunction{"test_homogeneity", "tacet/workflow/infer/homogeneity.h"},
       .request = RequestTable<Request>()
                      .field("releases", &Request::releases, "a.json,b.json",
                             "the release files of the groups: tables of the same cells, whatever their people and their noise")
                      .field("release", &Request::release, "FILE", "in place of releases: one release of counts, with by")
                      .field("by", &Request::by, "COLUMN", "with release: the column whose categories are the groups")
                      .field(
                          "n", [](Request& r) -> auto& { return r.options.people; }, "N,M",
                          "with by: the people of each group, in the order of its categories, where it is public who is in which and the "
                          "release does not say; without either, their noisy totals stand for them")
                      .field(
                          "disjoint", [](Request& r) -> auto& { return r.options.disjoint; }, "",
                          "nobody is in two of the releases, which is asked where they are of one dataset")
                      .include(&Request::options, count_test_table<HomogeneityOptions>(
                                                      "projected by default, classical (Lee's) for denoised tables; nonprojected cannot be "
                                                      "used here"))
                      .include(&Request::options, RequestTable<HomogeneityOptions>()
                                                      .field("shrink", &HomogeneityOptions::shrink, "S",
                                                             "denoise every table first, as in infer estimate, and the simulated ones too")
                                                      .field("project", &HomogeneityOptions::project, "P", "denoise first")),
       .answer = AnswerTable<Reply>()
                     .include(std::identity(), count_test_answer())
                     .value(
                         "groups", [](const Reply& reply) { return reply.n.size(); }, "how many groups were compared")
                     .value("names", &Reply::names, "the groups of one release; null for several")
                     .value("n", &Reply::n, "the number of people of each group, where it is public")
                     .value("people", &Reply::people, "the people of each group: n, or the sum of its noisy counts")
                     .value("disjoint", &Reply::disjoint, "how it is known that nobody is in two groups")
                     .json("pooled", pooled, {{"type", {"array", "null"}}}, "the common probabilities, nested as the tables are")
                     .value("shrink", &Reply::shrink, "how the tables were shrunk first")
                     .value("project", &Reply::project, "where the tables were moved first"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_homogeneity_verb
