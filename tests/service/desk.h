// A desk to work at: a folder with a file of people, what is public about them, and the verbs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tacet/service/verb.h"

#include "kernel/scratch_folder.h"

namespace tacet::test {

inline constexpr const char* kPeopleSchema = R"(tacet = 1
dataset = "people"
ledger = "people.ledger"
neighbours = "replace-one"

[columns.sex]
categories = ["f", "m"]
other = "f"

[columns.plan]
categories = ["basic", "plus"]
missing = "none"
other = "none"

[columns.age]
lower = 0
upper = 120
resolution = 1
missing = 60
)";

inline constexpr const char* kPeople = "sex,plan,age\nf,basic,31\nm,plus,44\nf,,29\nm,basic,x\nf,basic,50\n";

class Desk {
 public:
  using Json = service::Json;

  Desk() {
    write("people.toml", kPeopleSchema);
    write("people.csv", kPeople);
    context.analyst = "ada";
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  bool has(const std::string& name) const { return std::filesystem::exists(std::filesystem::symlink_status(path(name))); }
  /// The names of all files but the ledger's, hidden ones too.
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.folder())) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("people.ledger")) names.insert(name);
    }
    return names;
  }

  /// What it says to people is then in `said`.
  Result<Json> call(const std::string& verb, const Json& request = Json::object()) const {
    TACET_TRY(const service::Answer answer, service::perform(verb, request, context));
    said = answer.words();
    return answer.json();
  }
  /// With the schema of this desk.
  Result<Json> budget(const std::string& verb, Json more = Json::object()) const {
    more["schema"] = path("people.toml");
    return call("budget " + verb, std::move(more));
  }
  /// As JSON and in words.
  Result<service::Answer> perform(const std::string& verb, const Json& request) const { return service::perform(verb, request, context); }
  /// What people read: of a request, and with the schema of this desk.
  std::string words(const std::string& verb, const Json& request) const {
    const auto answer = perform(verb, request);
    return answer.ok() ? answer->words() : "refused: " + answer.error().message();
  }
  std::string budget_words(const std::string& verb, Json more = Json::object()) const {
    more["schema"] = path("people.toml");
    return words("budget " + verb, more);
  }
  /// sex by plan, Gaussian, rho 0.1 to r.json, where `more` does not say otherwise; null takes a
  /// field away.
  Result<Json> release(const Json& more = Json::object()) const { return call("release counts", release_request(more)); }
  Json release_request(const Json& more = Json::object()) const {
    Json request = {{"data", path("people.csv")},
                    {"schema", path("people.toml")},
                    {"by", "sex,plan"},
                    {"mechanism", "gaussian"},
                    {"rho", "0.1"},
                    {"out", "r.json"}};
    for (const auto& [key, value] : more.items()) {
      if (value.is_null()) {
        request.erase(key);
      } else {
        request[key] = value;
      }
    }
    if (request.contains("out")) request["out"] = path(request["out"].get<std::string>());
    return request;
  }

  /// What was spent so far, in the budget's own words: "rho 0.1".
  std::string spent() const {
    const auto shown = budget("show");
    return shown.ok() ? shown->at("words").at("spent").get<std::string>() : "no budget";
  }
  std::size_t entries() const { return budget("history")->at("entries").size(); }

  service::Context context;
  mutable std::string said;  // by the last verb that was not refused

 private:
  testing::ScratchFolder folder_;
};

/// A refusal with this code, which spent nothing and left nothing behind.
#define EXPECT_REFUSED(desk, expected_code, ...)                                   \
  do {                                                                             \
    const auto files_before = (desk).files();                                      \
    const std::string spent_before = (desk).spent();                               \
    const auto refused = (__VA_ARGS__);                                            \
    ASSERT_FALSE(refused.ok());                                                    \
    EXPECT_EQ(refused.error().code(), expected_code) << refused.error().message(); \
    EXPECT_EQ(refused.error().spent(), "nothing was spent");                       \
    EXPECT_FALSE(refused.error().message().empty());                               \
    EXPECT_EQ((desk).spent(), spent_before);                                       \
    EXPECT_EQ((desk).files(), files_before);                                       \
  } while (false)

}  // namespace tacet::test
