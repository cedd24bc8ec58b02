// Whatever texts a release file holds, what is said of it is safe to print and has the lines it
// always has.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/error_json.h"
#include "tacet/service/verb.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

/// What a terminal obeys: ESC and its one-letter form, BEL, a carriage return, a line feed,
/// backspace, DEL, marks that turn the direction of writing, separators of lines, and a tag.
const std::string kNasty = "\x1b[2J\a\r\n\b\x7f\u009b31m\u0085\u202e\u2066\u2028\u2029\ufeff\U000E0041";

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

/// By the bytes themselves: no control but the line feed, none of C1, no mark of direction, no
/// separator, no tag.
::testing::AssertionResult is_safe(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return ::testing::AssertionFailure() << "control " << int{byte} << " in: " << text;
  }
  for (const char* mark : {"\u009b", "\u0085", "\u202e", "\u2066", "\u2028", "\u2029", "\ufeff", "\U000E0041"}) {
    if (text.find(mark) != std::string::npos) return ::testing::AssertionFailure() << "a mark in: " << text;
  }
  return ::testing::AssertionSuccess();
}

/// The release with `nasty` appended to every text that a file may choose freely; a number in
/// front keeps labels apart.
Json spoiled(const Json& value, const std::string& key, const std::string& nasty) {
  constexpr const char* kFixed[] = {"kind", "guarantee", "family", "structure", "currency", "neighbours", "membership"};
  if (value.is_string()) {
    const bool fixed = std::find(std::begin(kFixed), std::end(kFixed), key) != std::end(kFixed);
    return fixed ? value : Json(value.get<std::string>() + nasty);
  }
  if (!value.is_structured()) return value;
  Json out = value.is_array() ? Json::array() : Json::object();
  for (const auto& [name, item] : value.items()) {
    if (value.is_array()) {
      out.push_back(spoiled(item, key, nasty));
    } else {
      out[name] = spoiled(item, name, nasty);
    }
  }
  return out;
}

struct Asked {
  std::string verb;
  Json request;  // without the release
  Json release;
};

Json common(const Json& more) {
  Json release = {{"tacet_release", 1},
                  {"statement", {{"import", "table"}}},
                  {"privacy", {{"currency", "gaussian"}, {"charged", "rho 0.1"}, {"neighbours", "replace-one"}, {"mu", 0.4}, {"rho", 0.1}}},
                  {"guarantee", "exact"},
                  {"ledger", {{"ledger", "9f"}, {"dataset", "people"}, {"entry", 1}}},
                  {"time", "2026-01-01T00:00:00Z"}};
  release.update(more);
  return release;
}

Json counts(const std::string& family) {
  return common({{"kind", "counts"},
                 {"n", 1000},
                 {"axes", {{{"name", "gene"}, {"labels", {"a", "b", "c"}}}, {{"name", "ill"}, {"labels", {"yes", "no"}}}}},
                 {"values", {{101, 199}, {148, 252}, {102, 198}}},
                 {"grid", nullptr},
                 {"noise", {{"family", family}, {"scale", 2}, {"structure", "independent"}}}});
}

Json genotypes() {
  Json release = counts("gaussian");
  release["axes"] = Json::array({{{"name", "gene"}, {"labels", {"aa", "ab", "bb"}}}});
  release["values"] = {251, 498, 249};
  return release;
}

Json strata() {
  Json release = counts("gaussian");
  release["axes"] = {{{"name", "site"}, {"labels", {"north", "south"}}},
                     {{"name", "gene"}, {"labels", {"a", "b"}}},
                     {{"name", "ill"}, {"labels", {"yes", "no"}}}};
  release["values"] = {{{101, 199}, {148, 52}}, {{102, 198}, {110, 90}}};
  return release;
}

/// The request with `ending` where it says {}: after each name of the release.
Json renamed(Json request, const std::string& ending) {
  if (request.is_string()) {
    auto text = request.get<std::string>();
    for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}")) text.replace(at, 2, ending);
    return text;
  }
  for (auto& item : request) {
    if (request.is_structured()) item = renamed(item, ending);
  }
  return request;
}

Json printed_moments(bool groups) {
  const Json part = {{"people", {{"value", 500}, {"scale", 0}}},
                     {"sums", {{{"value", 20}, {"scale", 2}}, {{"value", -10}, {"scale", 2}}}},
                     {"products", {{{"value", 520}, {"scale", 3}}, {{"value", 30}, {"scale", 3}}, {{"value", 480}, {"scale", 3}}}}};
  const Json column = {{"name", "age"}, {"lower", -5}, {"upper", 5}, {"resolution", 0.01}, {"centre", 0}};
  Json other = column;
  other["name"] = "size";
  return common({{"kind", "covariance"},
                 {"n", groups ? 1000 : 500},
                 {"columns", {column, other}},
                 {"groups", groups ? Json{{"column", "arm"}, {"labels", {"old", "new"}}, {"membership", "public"}} : Json(nullptr)},
                 {"parts", groups ? Json{part, part} : Json::array({part})},
                 {"noise", {{"family", "gaussian"}, {"structure", "independent"}}}});
}

Json query() {
  return common({{"kind", "query"},
                 {"n", 500},
                 {"planned_n", 500},
                 {"columns", {"age", "size"}},
                 {"centre", {0, 0}},
                 {"map", {{1, 0}, {0, 1}}},
                 {"radius", 4},
                 {"sums", {20, -10}},
                 {"noise", {{"family", "gaussian"}, {"scale", 2}, {"structure", "independent"}}}});
}

Json printed_histogram() {
  return common({{"kind", "histogram"},
                 {"n", 500},
                 {"column", "age"},
                 {"edges", {0, 10, 20, 30}},
                 {"branching", 1},
                 {"values", Json::array({Json::array({200, 150, 140})})},
                 {"missing", 10},
                 {"grid", nullptr},
                 {"noise", {{"family", "gaussian"}, {"scale", 2}, {"structure", "independent"}}}});
}

std::vector<Asked> all_asked(const test::Desk& desk) {
  desk.write("null.json", "[[0.1, 0.2], [0.15, 0.25], [0.1, 0.2]]");
  const Json table = counts("gaussian");
  return {{"infer estimate", {}, table},
          {"infer gof", {{"null", desk.path("null.json")}, {"draws", 200}}, table},
          {"infer independence", {{"draws", 200}}, table},
          {"infer independence", {{"draws", 200}}, counts("laplace")},
          {"infer homogeneity", {{"draws", 200}}, table},
          {"infer gwas", {{"draws", 200}}, table},
          {"infer model", {{"model", "hardy-weinberg"}}, genotypes()},
          {"infer region", {{"for", "data"}}, printed_moments(false)},
          {"infer region", {{"for", "population"}}, printed_moments(false)},
          {"infer region", {{"for", "data"}}, query()},
          {"infer mean-test", {{"null", "0,0"}}, printed_moments(false)},
          {"infer t-test", {{"column", "age{}"}, {"draws", 200}}, printed_moments(true)},
          {"infer two-sample", {{"draws", 200}}, printed_moments(true)},
          {"infer k-sample", {{"draws", 200}}, printed_moments(true)},
          {"infer proportion", {{"of", {"gene{}=a{} given ill{}=yes{}"}}}, table},
          {"infer ratio", {{"of", "ill{}=yes{} given gene{}=a{}"}, {"to", "ill{}=yes{} given gene{}=b{}"}}, table},
          {"infer margin", {{"of", {"gene{}"}}}, table},
          {"infer quantile", {}, printed_histogram()},
          {"infer distribution", {{"draws", 200}}, printed_histogram()},
          {"infer residuals", {{"draws", 400}}, table},
          {"infer trend", {{"of", "ill{}=yes{}"}, {"by", "gene{}"}, {"draws", 400}}, table},
          {"infer stratified", {{"rows", "gene{}"}, {"columns", "ill{}"}, {"strata", {"site{}"}}, {"draws", 400}}, strata()}};
}

std::string said_by(const test::Desk& desk, const Asked& asked, const Json& release) {
  desk.write("r.json", dump(release));
  Json request = asked.request.is_null() ? Json::object() : renamed(asked.request, release == asked.release ? "" : kNasty);
  if (asked.verb == "infer homogeneity") {
    Json other = release;  // of other people
    other["ledger"]["dataset"] = "others";
    desk.write("s.json", dump(other));
    request["releases"] = {desk.path("r.json"), desk.path("s.json")};
  } else {
    const bool several = asked.verb == "infer two-sample" || asked.verb == "infer k-sample";
    request[several ? "releases" : "release"] = desk.path("r.json");
  }
  const auto answer = perform(asked.verb, request, desk.context);
  EXPECT_TRUE(answer.ok()) << asked.verb << ": " << answer.error().message();
  return answer.ok() ? answer->words() : "";
}

TEST(Printed, NothingInAReleaseFileReachesTheTerminalOrAddsALine) {
  const test::Desk desk;
  for (const Asked& asked : all_asked(desk)) {
    SCOPED_TRACE(asked.verb);
    const std::string plain = said_by(desk, asked, asked.release);
    const std::string nasty = said_by(desk, asked, spoiled(asked.release, "", kNasty));
    EXPECT_GT(lines_of(plain), 1U);
    EXPECT_TRUE(is_safe(plain));
    EXPECT_TRUE(is_safe(nasty));
    EXPECT_EQ(lines_of(nasty), lines_of(plain)) << nasty;
  }
}

TEST(Printed, EveryInferVerbIsAsked) {
  const test::Desk desk;
  const std::vector<Asked> all = all_asked(desk);
  for (const Verb& verb : verbs()) {
    if (!verb.name.starts_with("infer ")) continue;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&verb](const Asked& asked) { return asked.verb == verb.name; })) << verb.name;
  }
}

TEST(Printed, ErrorsAboutAReleaseFileAreOneSafeLine) {
  const test::Desk desk;
  for (const char* field : {"kind", "guarantee", "tacet_release", "n", "axes", "values", "noise"}) {
    Json release = counts("gaussian");
    release[field] = "x" + kNasty;
    desk.write("r.json", dump(release));
    const auto result = desk.call("infer estimate", {{"release", desk.path("r.json")}});
    ASSERT_FALSE(result.ok()) << field;
    EXPECT_TRUE(is_safe(sentence(result.error())));
    EXPECT_EQ(lines_of(sentence(result.error())), 0U);
  }
}

TEST(Printed, AVerbNeedNotThinkOfIt) {
  const std::string words = "p" + kNasty + "\n";
  EXPECT_THAT(words, ::testing::HasSubstr("\x1b"));
  EXPECT_TRUE(is_safe(Answer("a verb", [] { return Json::object(); }, [words] { return words; }).words()));
}

}  // namespace
}  // namespace tacet::service
