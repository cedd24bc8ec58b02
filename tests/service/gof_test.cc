// infer gof, critical and plan gof.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/p_value_words.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

class Gof : public ::testing::Test {
 protected:
  Gof() {
    desk.write("null.json", "[0.5, 0.3, 0.2]");
    desk.write("alternative.json", "[0.52, 0.29, 0.19]");
    desk.write("square.json", "[[0.5, 0.3], [0.1, 0.1]]");
    desk.write("short.json", "[0.5, 0.5]");
    desk.write("zero.json", "[0.5, 0.5, 0]");
    desk.write("certain.json", "[1, 0, 0]");
    desk.write("heavy.json", "[0.5, 0.3, 0.3]");
    desk.write("values.json", "[505, 290, 203]");
    desk.write("far.json", "[700, 200, 100]");
    release("r.json", "values.json", "gaussian:8", 1000);
  }
  void release(const std::string& out, const std::string& values, const std::string& noise, const Json& n) const {
    Json request = {{"values", desk.path(values)}, {"noise", noise}, {"out", desk.path(out)}};
    if (!n.is_null()) request["n"] = n;
    const auto made = desk.call("import table", request);
    ASSERT_TRUE(made.ok()) << made.error().message();
  }
  Json asked(const Json& more, const std::string& file, const std::string& null) const {
    Json request = {{"release", desk.path(file)}, {"null", desk.path(null)}, {"alpha", "0.05"}};
    if (!more.is_null()) request.update(more);  // {} is null
    return request;
  }
  Result<Json> infer(const Json& more = Json::object(), const std::string& file = "r.json", const std::string& null = "null.json") const {
    return desk.call("infer gof", asked(more, file, null));
  }
  std::string said(const Json& more = Json::object(), const std::string& file = "r.json", const std::string& null = "null.json") const {
    return desk.words("infer gof", asked(more, file, null));
  }
  Desk desk;
};

TEST_F(Gof, AnswersWithTheFieldsThatOthersRelyOn) {
  for (const std::string statistic : {"classical", "projected", "nonprojected"}) {
    for (const std::string method : {"asymptotic", "montecarlo", "bootstrap", "auto"}) {
      const Json more = {{"statistic", statistic}, {"method", method}, {"seed", 3}};
      const auto result = infer(more);
      ASSERT_TRUE(result.ok()) << result.error().message();
      for (const std::string field : {"statistic", "df", "p_value", "critical"}) EXPECT_TRUE(result->at(field).is_number()) << field;
      EXPECT_EQ(result->at("outcome"), "retain");
      EXPECT_EQ(result->at("df"), statistic == "projected" ? 2 : 3);
      EXPECT_EQ(result->at("statistic_kind"), statistic);
      EXPECT_THAT(said(more), HasSubstr("No evidence against the probabilities at level 0.05"));
    }
  }
}

TEST_F(Gof, WritesNullWhereThereIsNothingToSay) {
  const auto asked = infer({{"statistic", "projected"}, {"method", "asymptotic"}});
  ASSERT_TRUE(asked.ok()) << asked.error().message();
  for (const std::string field : {"reason", "choice", "draws", "seed", "power_standard_error"})
    EXPECT_TRUE(asked->at(field).is_null()) << field << asked->at(field);
  EXPECT_TRUE(infer()->at("choice").is_string());
  EXPECT_GE(infer({{"method", "montecarlo"}})->at("draws"), 400);
}

TEST_F(Gof, AsksForAFileWhereNumbersAreGiven) {
  EXPECT_EQ(
      desk.call("infer gof", {{"release", desk.path("r.json")}, {"null", "0.5,0.3,0.2"}}).error().message(),
      "null is 0.5,0.3,0.2, but must be the name of a JSON file; write [0.5,0.3,0.2] into a file, and give its name: null = null.json");
  EXPECT_EQ(desk.call("infer gof", {{"release", desk.path("r.json")}, {"null", "nowhere.json"}}).error().code(), Code::NotFound);
}

TEST_F(Gof, SaysThatASimulatedPValueIsAtMostWhatItsDrawsCanShow) {
  release("far_away.json", "far.json", "gaussian:8", 1000);
  const Json drawn = {{"method", "montecarlo"}, {"statistic", "projected"}};
  EXPECT_THAT(said(drawn, "far_away.json"),
              HasSubstr("p-value at most 0.0001 as none of 9,999 simulations reached the statistic, 2 degrees"));
  EXPECT_THAT(said(drawn), HasSubstr(fmt::format("p-value {:.2g}, 2 degrees", infer(drawn)->at("p_value").get<double>())));
  const Json limit = {{"method", "asymptotic"}, {"statistic", "projected"}};
  const double p_value = infer(limit, "far_away.json")->at("p_value").get<double>();
  EXPECT_THAT(said(limit, "far_away.json"), HasSubstr(fmt::format("p-value {:.4g}, 2 degrees", p_value)));
  EXPECT_EQ(p_value_words(0.0, {}), "p-value below 1e-300");
  EXPECT_EQ(p_value_words(std::nullopt, {}), "p-value unknown");
  EXPECT_EQ(p_value_words(400 / 1234.0, 1234), "p-value 0.32") << "the draws stopped, so the third digit is chance";
  EXPECT_EQ(p_value_words(401 / 1235.0, 1234), "p-value 0.3247");
}

TEST_F(Gof, IsTheSameForTheSameSeed) {
  const Json more = {{"method", "montecarlo"}, {"seed", 11}, {"draws", 499}};
  EXPECT_EQ(*infer(more), *infer(more));
  EXPECT_NE(infer(more)->at("p_value"), infer({{"method", "montecarlo"}, {"seed", 12}, {"draws", 499}})->at("p_value"));
}

TEST_F(Gof, RejectsSaysSoAndTellsProgress) {
  release("far_release.json", "far.json", "laplace:5", 1000);
  double last = 0;
  desk.context.progress = [&last](std::string_view, double fraction) { last = fraction; };
  const auto result = infer({}, "far_release.json");
  EXPECT_EQ(result->at("outcome"), "reject");
  EXPECT_EQ(result->at("method"), "montecarlo");
  EXPECT_GT(result->at("power").get<double>(), 0.9);
  EXPECT_GT(last, 0);
  EXPECT_THAT(said({}, "far_release.json"), HasSubstr("rejected at level 0.05"));
}

TEST_F(Gof, ServesReleasesWithoutAPublicNByTheBootstrap) {
  release("unknown.json", "values.json", "gaussian:8", nullptr);
  const auto result = infer({}, "unknown.json");
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("method"), "bootstrap");
  EXPECT_EQ(result->at("statistic_kind"), "classical");
  EXPECT_TRUE(result->at("n").is_null());
  EXPECT_EQ(infer({{"method", "asymptotic"}}, "unknown.json").error().name(), "method");
}

TEST_F(Gof, TestsWhatWasDenoisedAgainstTablesThatAreDenoisedToo) {
  desk.write("five.json", "[0.3, 0.3, 0.2, 0.1, 0.1]");
  desk.write("shown.json", "[310, 290, 195, 110, 96]");
  release("wide.json", "shown.json", "gaussian:20", 1000);
  release("hidden.json", "shown.json", "laplace:14", nullptr);
  for (const std::string shrink : {"js0", "js", "js+", "rjs", "none"}) {
    for (const std::string project : {"none", "nonnegative", "simplex"}) {
      const Json more = {{"shrink", shrink}, {"project", project}, {"draws", 499}};
      const auto result = infer(more, "wide.json", "five.json");
      ASSERT_TRUE(result.ok()) << result.error().message();
      EXPECT_EQ(result->at("outcome"), "retain");
      EXPECT_EQ(result->at("shrink"), shrink);
      EXPECT_EQ(result->at("project"), project);
      EXPECT_TRUE(result->at("power").is_number());
      const bool denoised = shrink != "none" || project != "none";
      EXPECT_EQ(said(more, "wide.json", "five.json").find("denoised like it") != std::string::npos, denoised);
    }
  }
  EXPECT_EQ(infer({{"project", "nonnegative"}}, "hidden.json", "five.json")->at("method"), "bootstrap");
  EXPECT_EQ(infer({{"project", "simplex"}}, "hidden.json", "five.json").error().name(), "project");
  EXPECT_EQ(infer({{"shrink", "js"}}, "hidden.json", "five.json").error().name(), "shrink");
  EXPECT_EQ(infer({{"shrink", "js"}}, "wide.json", "null.json").error().name(), "null");
  EXPECT_EQ(infer({{"project", "bounds"}}, "wide.json", "five.json").error().message(),
            "project is bounds, but must be none, nonnegative or simplex for a test; use project = nonnegative");
  EXPECT_EQ(infer({{"shrink", "js"}, {"statistic", "projected"}}, "wide.json", "five.json").error().name(), "statistic");
  EXPECT_EQ(infer({{"shrink", "js"}, {"method", "asymptotic"}}, "wide.json", "five.json").error().name(), "method");
}

TEST_F(Gof, TellsThePowerForAnyNoiseAndWithoutAPublicN) {
  desk.write("near.json", "[560, 270, 175]");
  release("two_sided.json", "near.json", "laplace:20", 1000);
  release("no_n.json", "near.json", "gaussian:28", nullptr);
  for (const std::string file : {"two_sided.json", "no_n.json"}) {
    const auto result = infer({}, file);
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(result->at("outcome"), "retain") << result->dump();
    EXPECT_GT(result->at("power").get<double>(), 0.1);
    EXPECT_GT(result->at("power_standard_error").get<double>(), 0);
    EXPECT_THAT(said({}, file), HasSubstr("a deviation of the size estimated here would be found with probability 0."));
  }
  EXPECT_THAT(said({}, "two_sided.json"), HasSubstr("with normal noise of the same variance"));
}

TEST_F(Gof, WordsOfAnInconclusiveTestSayWhy) {
  desk.write("negative.json", "[-5, 1, 2]");
  release("nobody.json", "negative.json", "gaussian:8", nullptr);
  const auto result = infer({}, "nobody.json");
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("outcome"), "inconclusive");
  EXPECT_TRUE(result->at("p_value").is_null());
  EXPECT_THAT(said({}, "nobody.json"), HasSubstr("Inconclusive: the noisy counts sum to less than one person"));
}

TEST_F(Gof, RefusesBadInputByName) {
  EXPECT_EQ(infer({}, "r.json", "short.json").error().message(), "null is a table of 2, but must have the shape of the release, 3");
  EXPECT_EQ(infer({}, "r.json", "square.json").error().name(), "null");
  EXPECT_EQ(infer({}, "r.json", "certain.json").error().name(), "null");
  EXPECT_EQ(infer({}, "r.json", "zero.json")->at("outcome"), "reject") << "people in a cell where nobody can be";
  desk.write("unused.json", "[512, 495, -4]");  // a cell of other values with nobody in it
  release("unused_release.json", "unused.json", "gaussian:8", 1000);
  release("unused_private.json", "unused.json", "gaussian:8", nullptr);
  for (const auto& [file, statistic] : {std::pair<std::string, std::string>{"unused_release.json", "classical"},
                                        {"unused_release.json", "projected"},
                                        {"unused_release.json", "nonprojected"},
                                        {"unused_private.json", "classical"}}) {
    const auto unused = infer({{"statistic", statistic}}, file, "zero.json");
    ASSERT_TRUE(unused.ok()) << unused.error().message();
    EXPECT_EQ(unused->at("outcome"), "retain") << file << " " << statistic;
    EXPECT_GT(unused->at("p_value").get<double>(), 0.05);
  }
  EXPECT_EQ(infer({}, "r.json", "heavy.json").error().name(), "null");
  EXPECT_EQ(infer({}, "r.json", "missing.json").error().code(), Code::NotFound);
  EXPECT_EQ(infer({{"statistic", "pearson"}}).error().name(), "statistic");
  EXPECT_EQ(infer({{"method", "exact"}}).error().name(), "method");
  EXPECT_EQ(infer({{"alpha", "0.6"}}).error().name(), "alpha");
  EXPECT_EQ(infer({{"alpha", "x"}}).error().name(), "alpha");
  EXPECT_EQ(infer({{"seed", "-1"}}).error().name(), "seed");
  EXPECT_EQ(infer({{"draws", 3}, {"method", "montecarlo"}}).error().name(), "draws");
}

TEST_F(Gof, ServesLocalReleasesOfEveryKind) {
  desk.write("exp.json", "[412, 301, 287]");
  desk.write("flip.json", "[0.49, 0.46, 0.44]");
  desk.write("numbers.json", "[0.55, 0.24, 0.21]");
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"exp", "exp.json"}, {"flip", "flip.json"}, {"gaussian", "numbers.json"}, {"laplace", "numbers.json"}};
  for (const auto& [kind, reports] : kinds) {
    const std::string out = kind + "_release.json";
    Json request = {{"reports", desk.path(reports)}, {"kind", kind}, {"n", 1000}, {"out", desk.path(out)}};
    request[kind == "gaussian" ? "rho" : "epsilon"] = "1";
    ASSERT_TRUE(desk.call("import local", request).ok());
    const auto result = infer({}, out);
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(result->at("df"), 2);
    EXPECT_EQ(result->at("outcome"), "retain") << kind;
    EXPECT_EQ(result->at("method"), kind == "laplace" ? "montecarlo" : "asymptotic");
    EXPECT_EQ(result->at("n"), 1000);
    EXPECT_THAT(said({}, out), HasSubstr("No evidence against the probabilities at level 0.05"));
    EXPECT_EQ(infer({}, out, "short.json").error().name(), "null");
    EXPECT_EQ(infer({{"method", "montecarlo"}, {"draws", 3}}, out).error().name(), "draws");
  }
}

TEST_F(Gof, CriticalValuesAreThoseOfTheLaws) {
  const auto weighted = desk.call("critical weighted-chi2", {{"weights", "1,1,1"}, {"alpha", "0.05"}});
  EXPECT_NEAR(weighted->at("critical").get<double>(), 7.814727903251179, 1e-10);
  EXPECT_NEAR(desk.call("critical gwas", {{"n", 1000}, {"rho", "0.01"}, {"alpha", "0.05"}})->at("critical").get<double>(),
              48.552551771097889, 1e-7);
  desk.write("hundred.json", Json(std::vector<double>(100, 0.01)).dump());
  const Json request = {{"null", desk.path("hundred.json")}, {"n", 1000}, {"rho", "0.00125"}, {"alpha", "0.05"}};
  const auto table = desk.call("critical gof", request);
  EXPECT_NEAR(table->at("critical").get<double>(), 10070.47, 0.005);
  EXPECT_THAT(perform("critical gof", request, desk.context)->words(),
              HasSubstr("Critical value 10070.46943: the classical goodness-of-fit statistic of 100 cells for large n exceeds it"));
  EXPECT_EQ(desk.call("critical weighted-chi2", {{"weights", "1,-1"}, {"alpha", "0.05"}}).error().code(), Code::InvalidArgument);
  // A list of lists overflowed the stack where it was deep.
  for (const std::size_t depth : {2U, 100000U}) {
    const auto deep =
        desk.call("critical weighted-chi2", {{"weights", std::string(depth, '[') + std::string(depth, ']')}, {"alpha", "0.05"}});
    EXPECT_THAT(deep.error().message(), HasSubstr("must be numbers with commas between them, or a JSON list of numbers"));
  }
  EXPECT_EQ(desk.call("critical weighted-chi2", {{"weights", "1"}, {"alpha", "1"}}).error().name(), "alpha");
  EXPECT_EQ(desk.call("critical gwas", {{"n", 1000}, {"rho", "0"}, {"alpha", "0.05"}}).error().name(), "rho");
  EXPECT_EQ(desk.call("critical gwas", {{"n", 1}, {"rho", "1"}, {"alpha", "0.05"}}).error().name(), "n");
}

TEST_F(Gof, PlansPowerAndPeople) {
  Json request = {{"null", desk.path("null.json")}, {"alternative", desk.path("alternative.json")}, {"rho", "0.00125"}, {"alpha", "0.05"}};
  request["power"] = "0.8";
  const auto people = desk.call("plan gof", request);
  ASSERT_TRUE(people.ok()) << people.error().message();
  EXPECT_GE(people->at("power").get<double>(), 0.8);
  EXPECT_THAT(desk.words("plan gof", request), HasSubstr("people are needed"));
  EXPECT_EQ(desk.call("plan gof",
                      [&] {
                        Json both = request;
                        both["n"] = 5;
                        return both;
                      }())
                .error()
                .name(),
            "n");
  request.erase("power");
  EXPECT_EQ(desk.call("plan gof", request).error().name(), "n");
  request["n"] = people->at("n").get<std::uint64_t>();
  EXPECT_EQ(desk.call("plan gof", request)->at("power"), people->at("power"));
  request["alternative"] = desk.path("short.json");
  EXPECT_EQ(desk.call("plan gof", request).error().name(), "alternative");
}

TEST_F(Gof, PlansForEveryPromiseAndBySimulation) {
  const Json request = {{"null", desk.path("null.json")}, {"alternative", desk.path("alternative.json")}, {"n", 5000}};
  const auto with = [&request](const Json& more) {
    Json all = request;
    all.update(more);
    return all;
  };
  const auto plan = [&](const Json& more) { return desk.call("plan gof", with(more)); };
  const auto plan_words = [&](const Json& more) { return desk.words("plan gof", with(more)); };
  const Json rho = *plan({{"rho", "0.01"}});
  EXPECT_TRUE(rho.at("standard_error").is_null());
  EXPECT_NEAR(rho.at("noise").at("scale").get<double>(), 10, 1e-9);
  const std::string mu = fmt::format("{:.15g}", std::sqrt(0.02));
  EXPECT_NEAR(plan({{"mu", mu}})->at("power").get<double>(), rho.at("power").get<double>(), 1e-9);
  const auto pure = plan({{"epsilon", "0.2"}});
  EXPECT_EQ(pure->at("noise").at("family"), "laplace");
  EXPECT_NEAR(pure->at("noise").at("scale").get<double>(), 10, 1e-9);
  EXPECT_THAT(plan_words({{"epsilon", "0.2"}}), HasSubstr("normal noise of the variance of the Laplace noise"));
  EXPECT_EQ(plan({{"epsilon", "0.2"}, {"delta", "1e-6"}})->at("noise").at("family"), "gaussian");
  EXPECT_GT(plan({{"rho", "0.01"}, {"mechanism", "rank-deficient"}})->at("powers").at("nonprojected"), rho.at("powers").at("nonprojected"));

  const Json simulated = {{"epsilon", "0.2"}, {"method", "simulation"}, {"draws", 4999}, {"seed", 4}};
  const auto drawn = plan(simulated);
  EXPECT_EQ(*drawn, *plan(simulated));
  EXPECT_NEAR(drawn->at("power").get<double>(), pure->at("power").get<double>(), 0.1);
  EXPECT_THAT(plan_words(simulated), HasSubstr("From 4999 simulated tables under each hypothesis."));
  EXPECT_THAT(plan_words(simulated), HasSubstr("(standard error 0.0"));
  EXPECT_THAT(plan_words({{"rho", "0.01"}, {"n", 20}}), HasSubstr("fewer than 5 people"));

  EXPECT_EQ(plan({{"rho", "0.01"}, {"method", "exact"}}).error().name(), "method");
  EXPECT_EQ(plan({{"rho", "0.01"}, {"method", "simulation"}, {"draws", 3}}).error().name(), "draws");
  EXPECT_FALSE(plan({{"rho", "0.01"}, {"mu", "1"}}).ok());
  EXPECT_FALSE(plan({{"epsilon", "1"}, {"mechanism", "staircase"}}).ok());
  EXPECT_FALSE(plan({{"n", 5000}}).ok());
}

TEST_F(Gof, PlansForLocalReportsDenoisedTablesAndTheHardestDeviation) {
  const Json request = {{"null", desk.path("null.json")}, {"alternative", desk.path("alternative.json")}, {"n", 5000}};
  const auto with = [&request](const Json& more) {
    Json all = request;
    all.update(more);
    return all;
  };
  const Json local = with({{"local", "exp"}, {"epsilon", 1}});
  const auto reports = desk.call("plan gof", local);
  ASSERT_TRUE(reports.ok()) << reports.error().message();
  EXPECT_TRUE(reports->at("noise").is_null());
  EXPECT_EQ(reports->at("randomizer").at("kind"), "exp");
  EXPECT_TRUE(reports->at("randomizers").at("flip").is_number());
  EXPECT_TRUE(reports->at("randomizers").at("gaussian").is_null());
  EXPECT_THAT(desk.words("plan gof", local), HasSubstr("Power by randomizer, for the same loss: exp 0."));
  EXPECT_THAT(desk.words("plan gof", local), HasSubstr("Reports of the kind exp keep their total, so all three statistics coincide."));

  const Json denoised = with({{"rho", "0.01"}, {"project", "nonnegative"}, {"draws", 499}});
  EXPECT_EQ(desk.call("plan gof", denoised)->at("method"), "simulation");
  EXPECT_THAT(desk.words("plan gof", denoised),
              HasSubstr("The classical statistic is that of denoised tables (shrink none, project nonnegative)"));

  Json hardest = with({{"rho", "0.00125"}, {"hardest", "0.01"}});
  EXPECT_EQ(desk.call("plan gof", hardest).error().message(),
            "alternative is given with hardest, but must be given, or hardest in its place: the size of the deviation that is hardest to "
            "find; for example: hardest = 0.01");
  hardest.erase("alternative");
  const auto found = desk.call("plan gof", hardest);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->at("alternative").size(), 3);
  EXPECT_TRUE(found->at("variances").at("projected").is_number());
  EXPECT_THAT(desk.words("plan gof", hardest),
              HasSubstr("which forgets the noise, would reject a true null hypothesis with probability 0."));
}

TEST_F(Gof, PlansComparisonsOfGroups) {
  desk.write("groups.json", "[[0.5, 0.3, 0.2], [0.45, 0.33, 0.22]]");
  const Json request = {{"alternative", desk.path("groups.json")}, {"n", 4000}, {"rho", "0.01"}};
  const auto plan = desk.call("plan homogeneity", request);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  EXPECT_GT(plan->at("power"), 0.5);
  EXPECT_TRUE(plan->at("powers").at("classical").is_null()) << "it has no formula";
  EXPECT_THAT(desk.words("plan homogeneity", request), HasSubstr("the projected statistic finds this difference with probability"));
  Json one = request;
  one["one-release"] = true;
  one["shares"] = "2,1";
  EXPECT_LT(desk.call("plan homogeneity", one)->at("power"), plan->at("power"));
}

TEST_F(Gof, PowerCurvesGoIntoFiles) {
  const Json request = {{"null", desk.path("null.json")},
                        {"alternative", desk.path("alternative.json")},
                        {"n", 5000},
                        {"rho", "0.01"},
                        {"csv", desk.path("power.csv")},
                        {"html", desk.path("power.html")}};
  const auto result = perform("plan gof", request, desk.context);
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->json().at("csv"), desk.path("power.csv"));
  const std::string csv = desk.read("power.csv");
  EXPECT_THAT(csv, ::testing::StartsWith("n,classical,projected,nonprojected\n250,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 42);
  EXPECT_THAT(desk.read("power.html"), HasSubstr("How often the supposed deviation is found"));
  EXPECT_THAT(result->words(), HasSubstr("power.html"));
  EXPECT_EQ(desk.call("plan gof", request).error().code(), Code::AlreadyExists);
}

}  // namespace
}  // namespace tacet::service
