// import local: the collector's side of local privacy.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"
#include "support/promise.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

Result<Answer> answer_of(const Desk& desk, const std::string& reports, const Json& more = Json::object()) {
  desk.write("reports.json", reports);
  Json request = {{"reports", desk.path("reports.json")}, {"kind", "exp"}, {"epsilon", "1"}, {"n", 1000}, {"out", desk.path("local.json")}};
  for (const auto& [key, value] : more.items()) {
    if (value.is_null()) {
      request.erase(key);
    } else {
      request[key] = value;
    }
  }
  return perform("import local", request, desk.context);
}

Result<Json> import_local(const Desk& desk, const std::string& reports, const Json& more = Json::object()) {
  const auto answer = answer_of(desk, reports, more);
  if (!answer) return answer.error();
  return answer->json();
}

TEST(ImportLocal, GivesTheEstimatesOfRandomisedResponse) {
  const Desk desk;
  const auto answer = answer_of(desk, "[412, 301, 287]", {{"categories", "never,former,current"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  const Json made = answer->json();
  EXPECT_EQ(made.at("kind"), "local");
  EXPECT_EQ(made.at("n"), 1000);
  EXPECT_EQ(made.at("privacy"), Json::parse(R"({"currency": "epsilon", "epsilon": 1.0, "delta": 0, "neighbours": "local"})"));
  EXPECT_EQ(made.at("guarantee"), "unknown");
  EXPECT_EQ(made.at("axes").at(0).at("labels"), Json::parse(R"(["never", "former", "current"])"));
  const double e = std::exp(1.0);
  EXPECT_NEAR(made.at("values").at(0).get<double>(), (412 * (e + 2) - 1000) / (e - 1), 1e-9);
  const auto read = mechanisms::read_release_as<mechanisms::LocalRelease>(desk.path("local.json"));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->reports, (std::vector<double>{412, 301, 287}));
  EXPECT_EQ(answer->words().substr(0, 50), "Estimated true counts, and their standard errors:\n");
  EXPECT_THAT(answer->words(), HasSubstr("from 1,000 reports (exp, epsilon 1 each)"));
}

TEST(ImportLocal, TakesMeansForBitsAndNoise) {
  const Desk desk;
  const auto flip = import_local(desk, "[0.5, 0.4]", {{"kind", "flip"}});
  ASSERT_TRUE(flip.ok()) << flip.error().message();
  const double root = std::exp(0.5);
  EXPECT_NEAR(flip->at("values").at(0).get<double>(), 1000 * (0.5 * (root + 1) - 1) / (root - 1), 1e-9);
  EXPECT_NEAR(flip->at("noise").at("standard_errors").at(0).get<double>(), std::sqrt(1000 * root) / (root - 1), 1e-9);
  const auto gaussian =
      import_local(desk, "[0.5, -0.4]", {{"kind", "gaussian"}, {"epsilon", nullptr}, {"rho", "0.25"}, {"out", desk.path("g.json")}});
  ASSERT_TRUE(gaussian.ok()) << gaussian.error().message();
  EXPECT_EQ(gaussian->at("values"), Json::parse("[500.0, -400.0]"));
  EXPECT_NEAR(gaussian->at("noise").at("standard_errors").at(1).get<double>(), std::sqrt(4000), 1e-9);  // n/rho, Rogers (8.1)
  const auto laplace = import_local(desk, "[0.5, 0.4]", {{"kind", "laplace"}, {"out", desk.path("l.json")}});
  ASSERT_TRUE(laplace.ok()) << laplace.error().message();
  EXPECT_NEAR(laplace->at("noise").at("standard_errors").at(0).get<double>(), std::sqrt(8000), 1e-9);  // n 8/epsilon^2, Rogers 8.2.2
}

TEST(ImportLocal, TakesTablesWithNames) {
  const Desk desk;
  desk.write("axes.json", R"([{"name": "sex", "labels": ["f", "m"]}, {"name": "ill", "labels": ["yes", "no"]}])");
  const auto made = import_local(desk, "[[400, 300], [200, 100]]", {{"axes", desk.path("axes.json")}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("values").at(1).size(), 2U);
  EXPECT_EQ(made->at("axes").at(1).at("name"), "ill");
}

TEST(ImportLocal, CountsTheLinesThatRandomizeWrites) {
  const Desk desk;
  test::declare_false_alarm("ImportLocal.CountsTheLinesThatRandomizeWrites", 3e-10);  // 15 bits, each flipped with probability 1.4e-11
  desk.write("values.txt", "a\nb\nb\nc\nb\n");
  for (const std::string kind : {"exp", "flip", "laplace"}) {
    const std::string lines = desk.path(kind + ".txt");
    ASSERT_TRUE(
        desk.call("randomize " + kind, {{"values", desk.path("values.txt")}, {"categories", "a,b,c"}, {"epsilon", "50"}, {"out", lines}})
            .ok());
    const auto made = desk.call(
        "import local",
        {{"reports", lines}, {"kind", kind}, {"epsilon", "50"}, {"n", "5"}, {"categories", "a,b,c"}, {"out", desk.path(kind + ".json")}});
    ASSERT_TRUE(made.ok()) << made.error().message();
    // At epsilon 50 coins hardly ever lie; noise of scale 1/25 is no constant, and its values are
    // tested elsewhere.
    if (kind == "laplace") continue;
    EXPECT_NEAR(made->at("values").at(0).get<double>(), 1, 1e-6) << kind;
    EXPECT_NEAR(made->at("values").at(1).get<double>(), 3, 1e-6) << kind;
  }
  desk.write("wrong.txt", "a\nz\n");
  desk.write("ragged.txt", "[1,0,1]\n[1,0]\n");
  const auto wrong = [&](const std::string& file, const std::string& kind, const std::string& n) {
    return desk
        .call("import local", {{"reports", desk.path(file)},
                               {"kind", kind},
                               {"epsilon", "1"},
                               {"n", n},
                               {"categories", "a,b,c"},
                               {"out", desk.path("x.json")}})
        .error()
        .name();
  };
  EXPECT_EQ(wrong("wrong.txt", "exp", "2"), "reports");
  EXPECT_EQ(wrong("ragged.txt", "flip", "2"), "reports");
  EXPECT_EQ(wrong("wrong.txt", "flip", "2"), "reports");
  EXPECT_EQ(wrong("exp.txt", "exp", "6"), "reports");
}

TEST(ImportLocal, NamesTheFieldThatIsWrong) {
  const Desk desk;
  struct Case {
    std::string reports;
    Json more;
    std::string name;
  };
  const std::vector<Case> cases = {
      {"[412, 301, 286]", {}, "reports"},
      {"[412.5, 301, 286.5]", {}, "reports"},
      {"[-1, 1001]", {}, "reports"},
      {"{\"a\": 1}", {}, "reports"},
      {"[[500], [400, 100]]", {}, "reports"},
      {"[1000]", {}, "categories"},
      {"[600, 400]", {{"n", "1000.5"}}, "n"},
      {"[600, 400]", {{"n", 0}}, "n"},
      {"[600, 400]", {{"n", nullptr}}, "n"},
      {"[600, 400]", {{"kind", "rappor"}}, "kind"},
      {"[600, 400]", {{"kind", nullptr}}, "kind"},
      {"[600, 400]", {{"epsilon", nullptr}}, "privacy"},
      {"[600, 400]", {{"epsilon", nullptr}, {"rho", 1}}, "privacy"},
      {"[600, 400]", {{"epsilon", "0"}}, "epsilon"},
      {"[600, 400]", {{"epsilon", "1000"}}, "epsilon"},
      {"[0.6, 1.4]", {{"kind", "flip"}}, "reports"},
      {"[600, 400]", {{"categories", "a,b,c"}}, "labels"},
      {"[600, 400]", {{"categories", "a,b"}, {"axes", "axes.json"}}, "axes"},
  };
  for (const Case& c : cases) {
    const auto refused = import_local(desk, c.reports, c.more);
    ASSERT_FALSE(refused.ok()) << c.reports << c.more;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_EQ(refused.error().name(), c.name) << c.reports << c.more << refused.error().message();
    EXPECT_FALSE(desk.has("local.json"));
  }
}

TEST(ImportLocal, NeverReplacesAFile) {
  const Desk desk;
  ASSERT_TRUE(import_local(desk, "[600, 400]").ok());
  EXPECT_EQ(import_local(desk, "[500, 500]").error().code(), Code::AlreadyExists);
}

TEST(InferEstimate, RefusesALocalReleaseAndSaysWhy) {
  const Desk desk;
  ASSERT_TRUE(import_local(desk, "[600, 400]").ok());
  const auto refused = desk.call("infer estimate", {{"release", desk.path("local.json")}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "release");
  EXPECT_THAT(refused.error().message(), HasSubstr("of the kind local, but must be of the kind counts; for local reports use `infer gof`"));
}

}  // namespace
}  // namespace tacet::service
