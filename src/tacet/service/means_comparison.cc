#include "tacet/service/means_comparison.h"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/p_value_words.h"
#include "tacet/service/simulation_fields.h"

namespace tacet::service {
namespace {

using inference::Outcome;

/// A list with one item for each group.
template <class T>
auto of_groups(T ComparedGroup::* member) {
  return [member](const MeansComparison& comparison) {
    std::vector<T> items;
    for (const ComparedGroup& group : comparison.groups) items.push_back(group.*member);
    return items;
  };
}
template <class T>
auto of_test(T MeansTest::* member) {
  return [member](const MeansComparison& comparison) -> const T& { return comparison.test.*member; };
}

std::string means_table(const MeansComparison& comparison) {
  std::vector<std::string> header = {"column"};
  for (const ComparedGroup& group : comparison.groups) header.push_back(report::printable(group.name));
  report::TextTable table(header);
  for (std::size_t j = 0; j < comparison.columns.size(); ++j) {
    std::vector<std::string> row = {report::printable(comparison.columns[j])};
    for (const ComparedGroup& group : comparison.groups) row.push_back(group.mean ? fmt::format("{:.5g}", group.mean->at(j)) : "no answer");
    table.add(std::move(row));
  }
  return table.render();
}

std::string outcome_words(const MeansTest& test, double alpha) {
  if (test.outcome == Outcome::Reject) return fmt::format("The groups have different means: equality rejected at level {:.4g}.\n", alpha);
  std::string out = fmt::format("No evidence that the means differ at level {:.4g}", alpha);
  if (test.power && test.statistic > test.df)
    return out + fmt::format("; a difference of the size estimated here would be found with probability {:.2f}.\n", *test.power);
  return out + "; they differ by no more than sampling and noise explain.\n";
}

}  // namespace

RequestTable<ComparisonFields> comparison_request() {
  const auto comparison = [](ComparisonFields& f) -> auto& { return f.comparison; };
  return RequestTable<ComparisonFields>()
      .required("releases", &ComparisonFields::releases, "a,b", "one covariance release with groups, or one release for each group")
      .field(
          "groups", [](ComparisonFields& f) -> auto& { return f.comparison.groups; }, "a,b",
          "with one release: the labels of the groups to compare; all if not given")
      .field(
          "covariances", [](ComparisonFields& f) -> auto& { return f.comparison.covariances; }, "C",
          "whether all groups have the same covariance, which the statistic then pools")
      .field(
          "alpha", [](ComparisonFields& f) -> auto& { return f.comparison.alpha; }, "A", "the level of the test")
      .include(comparison, simulation_table<ComparisonRequest>(&ComparisonRequest::simulation, "differences to simulate"));
}

Result<ComparisonInput> read_comparison(const ComparisonFields& fields) {
  ComparisonInput input{{}, fields.comparison};
  for (const std::string& path : fields.releases) {
    TACET_TRY(MomentRelease release, mechanisms::read_release_as<MomentRelease>(path));
    input.releases.push_back(std::move(release));
  }
  if (input.releases.size() > 1) input.comparison.names = fields.releases;
  return input;
}

AnswerTable<MeansComparison> comparison_answer() {
  return AnswerTable<MeansComparison>()
      .value("statistic", of_test(&MeansTest::statistic), "the test statistic; null where there is none")
      .value("df", of_test(&MeansTest::df), "the degrees of freedom")
      .value("p_value", of_test(&MeansTest::p_value), "null where there is none")
      .value("critical", of_test(&MeansTest::critical), "the statistic beyond which equality is rejected")
      .value("outcome", of_test(&MeansTest::outcome), "the decision")
      .value("reason", of_test(&MeansTest::reason), "why the test is inconclusive; null otherwise")
      .value(
          "alpha", [](const MeansComparison& c) { return c.asked.alpha; }, "the level of the test")
      .value(
          "method", [](const MeansComparison& /*c*/) { return std::string("bootstrap"); }, "how the null distribution is known")
      .value("null_law", of_test(&MeansTest::null_distribution),
             "the distribution of the statistic under the null, in words; null where there is none")
      .value(
          "covariances", [](const MeansComparison& c) { return c.asked.covariances; }, "whether all groups have the same covariance")
      .value("groups", of_groups(&ComparedGroup::name), "what was compared")
      .value("columns", &MeansComparison::columns, "what the means are of")
      .value("means", of_groups(&ComparedGroup::mean), "of each group, a number for each column; null if the group may be empty")
      .value("n", of_groups(&ComparedGroup::n), "the people in each group, noisy where they are private")
      .value("noise_share", of_test(&MeansTest::noise_share),
             "the part of the variance of the difference that is noise; null where it is unknown")
      .value("power", of_test(&MeansTest::power), "how often a difference of the estimated size is found")
      .value("draws", of_test(&MeansTest::draws), "how many differences were simulated; null: none")
      .value("seed", [](const MeansComparison& c) { return c.asked.simulation.seed; }, "where the simulation started");
}

std::string comparison_words(const MeansComparison& comparison) {
  const MeansTest& test = comparison.test;
  if (!test.statistic || !test.critical) {
    return fmt::format("Inconclusive: {}.\n", test.reason.value_or("the releases have too little information")) + means_table(comparison) +
           "This cost no privacy.\n";
  }
  std::string out = outcome_words(test, comparison.asked.alpha) + means_table(comparison);
  out += fmt::format("The statistic is {:.4g} (critical value {:.4g}, {}, {:.4g} {} of freedom).\n", *test.statistic, *test.critical,
                     p_value_words(test.p_value, test.draws), test.df, test.df == 1 ? "degree" : "degrees");
  if (test.null_distribution) out += fmt::format("Distribution under the null hypothesis: {}.\n", *test.null_distribution);
  if (test.noise_share)
    out += fmt::format("Noise accounts for {:.0f} % of the variance of the difference; the rest is sampling.\n", 100 * *test.noise_share);
  return out + "This cost no privacy.\n";
}

}  // namespace tacet::service
