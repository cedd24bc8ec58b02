// randomize exp, flip, gaussian and laplace: the person's side of local privacy.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

/// A value that nobody must see, in the middle of anything.
constexpr const char* kSecretOfAPerson = "s3cret-diagnosis";

Json request_of(const std::string& kind, const Json& more = Json::object()) {
  Json request = {{"value", "b"}, {"categories", "a,b,c"}};
  request[kind == "gaussian" ? "rho" : "epsilon"] = "1";
  for (const auto& [key, value] : more.items()) {
    if (value.is_null()) {
      request.erase(key);
    } else {
      request[key] = value;
    }
  }
  return request;
}
Result<Json> randomize(const Desk& desk, const std::string& kind, const Json& more = Json::object()) {
  return desk.call("randomize " + kind, request_of(kind, more));
}

TEST(Randomize, AnswersWithAReportAndItsLocalGuarantee) {
  const Desk desk;
  for (const std::string kind : {"exp", "flip", "gaussian", "laplace"}) {
    const auto result = randomize(desk, kind);
    ASSERT_TRUE(result.ok()) << kind << result.error().message();
    EXPECT_EQ(result->at("mechanism"), kind);
    EXPECT_EQ(result->at("n"), 1);
    EXPECT_EQ(result->at("privacy").at("neighbours"), "local");
    EXPECT_EQ(result->at("guarantee"), "exact");
    const Json& report = result->at("reports").at(0);
    if (kind == "exp") {
      EXPECT_TRUE(report == "a" || report == "b" || report == "c");
    } else {
      ASSERT_EQ(report.size(), 3U);
      for (const Json& number : report) EXPECT_TRUE(kind == "flip" ? number == 0 || number == 1 : number.is_number_float());
    }
    const std::string words = perform("randomize " + kind, request_of(kind), desk.context)->words();
    EXPECT_THAT(words, HasSubstr("The guarantee is local"));
    EXPECT_THAT(words, HasSubstr("No ledger is involved"));
  }
  EXPECT_EQ(randomize(desk, "exp")->at("privacy"),
            Json::parse(R"({"currency": "epsilon", "epsilon": 1.0, "delta": 0, "neighbours": "local"})"));
  EXPECT_EQ(randomize(desk, "gaussian")->at("privacy").at("rho"), 1);
  EXPECT_DOUBLE_EQ(randomize(desk, "gaussian")->at("scale").get<double>(), 1);
  EXPECT_DOUBLE_EQ(randomize(desk, "laplace")->at("scale").get<double>(), 2);
  EXPECT_FALSE(desk.has("people.ledger"));
}

TEST(Randomize, WritesOneReportToALineForAFileOfValues) {
  const Desk desk;
  desk.write("values.txt", "a\r\nb\nzebra\nc");
  const auto made =
      randomize(desk, "exp", {{"value", nullptr}, {"values", desk.path("values.txt")}, {"other", "c"}, {"out", desk.path("reports.txt")}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("n"), 4);
  EXPECT_FALSE(made->contains("reports"));
  const std::string text = desk.read("reports.txt");
  EXPECT_EQ(text.size(), 8U);
  for (std::size_t i = 0; i < text.size(); i += 2) EXPECT_THAT(std::string("abc"), HasSubstr(text.substr(i, 1)));
  const Json again = {{"value", nullptr}, {"values", desk.path("values.txt")}, {"other", "c"}, {"out", desk.path("again.txt")}};
  EXPECT_THAT(perform("randomize exp", request_of("exp", again), desk.context)->words(), HasSubstr("4 reports, one to a line"));
  EXPECT_EQ(randomize(desk, "exp", {{"out", desk.path("reports.txt")}}).error().code(), Code::AlreadyExists);

  const auto bits =
      randomize(desk, "flip", {{"value", nullptr}, {"values", desk.path("values.txt")}, {"other", "c"}, {"out", desk.path("bits.txt")}});
  ASSERT_TRUE(bits.ok()) << bits.error().message();
  std::istringstream lines(desk.read("bits.txt"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(Json::parse(line).size(), 3U);
  EXPECT_EQ(count, 4);
}

TEST(Randomize, FollowsTheLawOfItsMechanism) {
  // Hoeffding: sees a value that is mixed up, or an epsilon off by a tenth.
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("Randomize.FollowsTheLawOfItsMechanism", promise.false_alarm);
  Desk desk;
  desk.context.random_bits = [] { return Result<std::unique_ptr<exact::RandomBits>>(std::make_unique<test::InsecureSeededBits>(900)); };
  std::string values;
  for (std::uint64_t i = 0; i < plan.n; ++i) values += "b\n";
  desk.write("values.txt", values);
  ASSERT_TRUE(randomize(desk, "exp", {{"value", nullptr}, {"values", desk.path("values.txt")}, {"out", desk.path("reports.txt")}}).ok());
  const std::string text = desk.read("reports.txt");
  const auto kept = static_cast<double>(std::count(text.begin(), text.end(), 'b'));
  EXPECT_NEAR(kept / static_cast<double>(plan.n), std::exp(1.0) / (std::exp(1.0) + 2), plan.threshold);
}

TEST(Randomize, NeverRepeatsAValueInAnError) {
  const Desk desk;
  desk.write("values.txt", std::string("a\n") + kSecretOfAPerson + "\nb\n");
  const std::vector<Json> cases = {
      {{"value", kSecretOfAPerson}},
      {{"value", kSecretOfAPerson}, {"epsilon", "-1"}},
      {{"value", kSecretOfAPerson}, {"epsilon", "many"}},
      {{"value", kSecretOfAPerson}, {"categories", "a"}},
      {{"value", kSecretOfAPerson}, {"categories", "a,a"}},
      {{"value", kSecretOfAPerson}, {"other", "z"}},
      {{"value", kSecretOfAPerson}, {"values", desk.path("values.txt")}},
      {{"value", nullptr}, {"values", desk.path("values.txt")}},
      {{"value", nullptr}, {"values", desk.path("values.txt")}, {"out", desk.path("no/folder/x")}},
      {{"value", std::string(kSecretOfAPerson) + '\0'}},
      {{"value", Json::array({kSecretOfAPerson})}},
  };
  for (const Json& more : cases) {
    const auto refused = randomize(desk, "exp", more);
    ASSERT_FALSE(refused.ok()) << more;
    EXPECT_EQ(refused.error().message().find(kSecretOfAPerson), std::string::npos) << refused.error().message();
    EXPECT_EQ(refused.error().value().find(kSecretOfAPerson), std::string::npos);
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
  }
  EXPECT_EQ(
      randomize(desk, "exp", {{"value", kSecretOfAPerson}}).error().message(),
      "value is hidden, but must be one of the categories; list every category, or name the one for all other values with other = LABEL");
}

TEST(Randomize, NamesTheFieldThatIsWrong) {
  const Desk desk;
  desk.write("empty.txt", "");
  struct Case {
    std::string kind;
    Json more;
    std::string name;
  };
  const std::vector<Case> cases = {
      {"exp", {{"value", nullptr}}, "value"},
      {"exp", {{"value", nullptr}, {"values", desk.path("empty.txt")}}, "values"},
      {"exp", {{"categories", "a"}}, "categories"},
      {"exp", {{"categories", "a,b,b"}}, "categories"},
      {"exp", {{"categories", "a,,b"}}, "categories"},
      {"exp", {{"categories", Json::array({"a", "b\nc"})}}, "categories"},
      {"exp", {{"categories", nullptr}}, "categories"},
      {"exp", {{"epsilon", nullptr}}, "epsilon"},
      {"exp", {{"epsilon", "0"}}, "epsilon"},
      {"exp", {{"epsilon", "101"}}, "epsilon"},
      {"flip", {{"epsilon", "0.12345678901234567890"}}, "epsilon"},
      {"exp", {{"rho", "1"}}, "field"},
      {"exp", {{"other", "z"}}, "other"},
      {"gaussian", {{"rho", nullptr}}, "privacy"},
      {"gaussian", {{"rho", nullptr}, {"epsilon", "1"}}, "privacy"},
      {"laplace", {{"delta", "1e-6"}}, "privacy"},
      {"laplace", {{"epsilon", "1e-30"}}, "noise scale"},
  };
  for (const Case& c : cases) {
    const auto refused = randomize(desk, c.kind, c.more);
    ASSERT_FALSE(refused.ok()) << c.kind << c.more;
    EXPECT_EQ(refused.error().name(), c.name) << c.kind << c.more << refused.error().message();
  }
  EXPECT_EQ(randomize(desk, "exp", {{"value", nullptr}, {"values", desk.path("missing.txt")}}).error().code(), Code::NotFound);
  EXPECT_TRUE(randomize(desk, "gaussian", {{"rho", nullptr}, {"epsilon", "1"}, {"delta", "1e-6"}}).ok());
  EXPECT_TRUE(randomize(desk, "laplace", {{"epsilon", nullptr}, {"mu", "1"}}).ok());
}

TEST(Randomize, ReportsNothingWithoutRandomBits) {
  Desk desk;
  desk.context.random_bits = [] { return Result<std::unique_ptr<exact::RandomBits>>(std::make_unique<test::FailingBits>(0)); };
  for (const std::string kind : {"exp", "flip", "gaussian", "laplace"}) {
    EXPECT_EQ(randomize(desk, kind, {{"out", desk.path("r.txt")}}).error().code(), Code::EntropyUnavailable);
    EXPECT_FALSE(desk.has("r.txt"));
  }
}

}  // namespace
}  // namespace tacet::service
