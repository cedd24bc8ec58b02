#include "tacet/service/verb.h"

#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/error_json.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A request with a text for every required field.
Json complete(const Verb& verb) {
  Json request = Json::object();
  for (const Field& field : verb.fields) {
    if (field.required) request[field.name] = "x";
  }
  return request;
}

TEST(Verbs, AreThoseOfTheContractEachWithSummaryExampleAndHelp) {
  std::set<std::string> names;
  for (const Verb& verb : verbs()) {
    names.insert(verb.name);
    EXPECT_EQ(find_verb(verb.name), &verb);
    EXPECT_FALSE(verb.summary.empty()) << verb.name;
    EXPECT_TRUE((verb.example + " ").starts_with("tacet " + verb.name + " ")) << verb.name;
    for (const Field& field : verb.fields) EXPECT_FALSE(field.help.empty()) << verb.name << " " << field.name;
  }
  for (const std::string name :
       {"init", "budget create", "budget show", "budget history", "release counts", "import table", "infer estimate", "plan costs"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST(Call, RefusesAVerbThatIsNoneWithTheNearestOne) {
  const auto refused = call("budget shwo", Json::object(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_THAT(refused.error().message(), AllOf(HasSubstr("budget shwo"), HasSubstr("budget show")));
  EXPECT_FALSE(call("", Json::object(), {}).ok());
  EXPECT_FALSE(call(std::string(100'000, 'x'), Json::object(), {}).ok());
}

TEST(Call, RefusesARequestThatIsNoObject) {
  for (const Verb& verb : verbs()) {
    for (const Json& request : {Json(nullptr), Json::array(), Json("x"), Json(1)}) {
      const auto refused = call(verb.name, request, {});
      ASSERT_FALSE(refused.ok()) << verb.name;
      EXPECT_EQ(refused.error().name(), "request");
    }
  }
}

TEST(Call, RefusesUnknownFieldsOfEveryVerb) {
  for (const Verb& verb : verbs()) {
    Json request = complete(verb);
    request["shcema"] = "x";
    const auto refused = call(verb.name, request, {});
    ASSERT_FALSE(refused.ok()) << verb.name;
    EXPECT_EQ(refused.error().name(), "field");
    EXPECT_EQ(refused.error().value(), "\"shcema\"");
    EXPECT_FALSE(refused.error().remedy().empty());
  }
}

TEST(Call, SuggestsTheNearestField) {
  const auto refused = call("budget show", {{"scheme", "x"}}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().remedy(), HasSubstr("schema"));
}

TEST(Call, RefusesARequestWithoutARequiredFieldAndNamesIt) {
  for (const Verb& verb : verbs()) {
    for (const Field& field : verb.fields) {
      if (!field.required) continue;
      Json request = complete(verb);
      request.erase(field.name);
      const auto refused = call(verb.name, request, {});
      ASSERT_FALSE(refused.ok()) << verb.name;
      EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
      EXPECT_EQ(refused.error().name(), field.name);
      EXPECT_EQ(refused.error().value(), "missing");
    }
  }
}

TEST(Call, RefusesFieldsOfAnotherKindAndNamesThem) {
  for (const Verb& verb : verbs()) {
    for (const Field& field : verb.fields) {
      std::vector<Json> wrong = {nullptr, Json::object(), Json::array({nullptr})};
      wrong.push_back(field.kind == FieldKind::Flag ? Json("true") : Json(true));
      if (field.kind != FieldKind::Numbers) wrong.push_back(Json::array({1}));
      if (field.kind != FieldKind::Number && field.kind != FieldKind::Numbers) wrong.emplace_back(7);
      if (field.kind != FieldKind::List && field.kind != FieldKind::Numbers) wrong.push_back(Json::array({"x"}));
      for (const Json& value : wrong) {
        Json request = complete(verb);
        request[field.name] = value;
        const auto refused = call(verb.name, request, {});
        ASSERT_FALSE(refused.ok()) << verb.name << " " << field.name << " " << value;
        EXPECT_EQ(refused.error().name(), field.name) << verb.name << " " << value;
        EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
      }
    }
  }
}

TEST(Call, RefusesTextsThatANulWouldCutShort) {
  for (const Verb& verb : verbs()) {
    for (const Field& field : verb.fields) {
      Json request = complete(verb);
      request[field.name] = std::string("a\0b", 3);
      const auto refused = call(verb.name, request, {});
      ASSERT_FALSE(refused.ok()) << verb.name << " " << field.name;
      EXPECT_EQ(refused.error().name(), field.name) << verb.name;
    }
  }
}

TEST(Call, TurnsWhatIsThrownIntoAnErrorThatRepeatsNothingOfIt) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.context.random_bits = []() -> Result<std::unique_ptr<exact::RandomBits>> { throw std::runtime_error("SECRET of a patient"); };
  const auto failed = desk.release();
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), Code::Internal);
  EXPECT_THAT(failed.error().spent(), HasSubstr("budget history"));
  EXPECT_EQ(dump(to_json(failed.error())).find("SECRET"), std::string::npos);
  EXPECT_EQ(desk.spent(), "rho 0");
}

TEST(Dump, ReplacesBytesThatAreNoUtf8) { EXPECT_EQ(dump(Json{{"a", "x\xFFy"}}), "{\"a\":\"x\xEF\xBF\xBDy\"}"); }

TEST(ErrorJson, HasTheFieldsOfTheContract) {
  const Json error = to_json(Error::invalid("rho", "-0.25", "must be greater than 0", "for example: --rho 0.125")).at("error");
  EXPECT_EQ(error.at("code"), "InvalidArgument");
  EXPECT_EQ(error.at("name"), "rho");
  EXPECT_EQ(error.at("value"), "-0.25");
  EXPECT_EQ(error.at("rule"), "must be greater than 0");
  EXPECT_EQ(error.at("remedy"), "for example: --rho 0.125");
  EXPECT_EQ(error.at("message"), "rho is -0.25, but must be greater than 0; for example: --rho 0.125");
  EXPECT_EQ(error.at("spent"), "nothing was spent");
}

TEST(Sentence, IsOneLineThatATerminalShowsAsItIs) {
  const std::string text = sentence(Error::of(Code::NotFound, "no file \"a\x1b[2J\nb\xFF\""));
  EXPECT_EQ(text, "NotFound: no file \"a?[2J?b?\"; nothing was spent");
}

TEST(ExitCode, IsThatOfTheContractForEveryCode) {
  for (const Code code :
       {Code::InvalidArgument, Code::Unsupported, Code::NotFound, Code::AlreadyExists, Code::SchemaInvalid, Code::FileUnwritable}) {
    EXPECT_EQ(exit_code(code), 1) << name(code);
  }
  for (const Code code : {Code::BudgetExhausted, Code::LedgerUnavailable, Code::LedgerCorrupt}) EXPECT_EQ(exit_code(code), 3) << name(code);
  for (const Code code : {Code::DataUnreadable, Code::EngineFailed}) EXPECT_EQ(exit_code(code), 4) << name(code);
  for (const Code code : {Code::EntropyUnavailable, Code::Internal}) EXPECT_EQ(exit_code(code), 5) << name(code);
}

}  // namespace
}  // namespace tacet::service
