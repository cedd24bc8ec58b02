#include "tacet/service/means_comparison.h"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/p_value_words.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/service/volume_words.h"

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
    for (const ComparedGroup& group : comparison.groups) {
      const bool date = comparison.dates.at(j);
      row.push_back(!group.mean ? "no answer" : date ? number_words(group.mean->at(j), date) : fmt::format("{:.5g}", group.mean->at(j)));
    }
    table.add(std::move(row));
  }
  return table.render();
}

/// "ldl -4, hdl 1".
std::string alternative_words(const MeansComparison& comparison) {
  std::string out;
  for (std::size_t j = 0; j < comparison.columns.size(); ++j) {
    const double one = (*comparison.asked.alternative)[j];
    if (one != 0) out += fmt::format("{}{} {:g}", out.empty() ? "" : ", ", report::printable(comparison.columns[j]), one);
  }
  return out;
}

std::string directional_words(const MeansComparison& comparison) {
  const MeansTest& test = comparison.test;
  const std::string toward =
      fmt::format("the difference {} minus {} is toward the alternative ({})", report::printable(comparison.groups[0].name),
                  report::printable(comparison.groups[1].name), alternative_words(comparison));
  std::string out =
      test.outcome == Outcome::Reject
          ? fmt::format("The groups have different means: {}; equality rejected at level {:.4g}.\n", toward, comparison.asked.alpha)
          : fmt::format("No evidence at level {:.4g} that {}.\n", comparison.asked.alpha, toward);
  if (test.power) out += fmt::format("A difference as large as the alternative would be found with probability {:.2f}.\n", *test.power);
  return out;
}

std::string outcome_words(const MeansComparison& comparison) {
  if (comparison.asked.alternative) return directional_words(comparison);
  const MeansTest& test = comparison.test;
  const double alpha = comparison.asked.alpha;
  if (test.outcome == Outcome::Reject) return fmt::format("The groups have different means: equality rejected at level {:.4g}.\n", alpha);
  std::string out = fmt::format("No evidence that the means differ at level {:.4g}", alpha);
  if (test.power && test.statistic > test.df)
    return out + fmt::format("; a difference of the size estimated here would be found with probability {:.2f}.\n", *test.power);
  return out + "; they differ by no more than sampling and noise explain.\n";
}

/// The difference of one column between two groups, with names in place of numbers.
struct DifferenceRow {
  std::string first, second, column;
  const inference::ColumnDifference& difference;
  bool dates;
};

std::vector<DifferenceRow> difference_rows(const MeansComparison& comparison) {
  std::vector<DifferenceRow> rows;
  if (!comparison.differences) return rows;
  for (const inference::PairDifference& pair : comparison.differences->pairs) {
    for (std::size_t j = 0; j < pair.columns.size(); ++j) {
      rows.push_back({comparison.groups[pair.first].name, comparison.groups[pair.second].name, comparison.columns[j], pair.columns[j],
                      comparison.dates.at(j)});
    }
  }
  return rows;
}

AnswerTable<DifferenceRow> difference_row_answer() {
  const auto of = [](auto member) { return [member](const DifferenceRow& row) { return row.difference.*member; }; };
  const auto in = [](auto interval, auto member) {
    return [interval, member](const DifferenceRow& row) { return (row.difference.*interval).*member; };
  };
  using inference::ColumnDifference;
  using inference::DifferenceInterval;
  return AnswerTable<DifferenceRow>()
      .value("first", &DifferenceRow::first, "the group with the mean from which the other is subtracted")
      .value("second", &DifferenceRow::second, "the other group")
      .value("column", &DifferenceRow::column, "the column")
      .value("estimate", of(&ColumnDifference::estimate), "the first mean minus the second, in the column's unit")
      .value("sd", in(&ColumnDifference::population, &DifferenceInterval::sd), "its standard deviation, from noise and sampling")
      .value("lower", in(&ColumnDifference::population, &DifferenceInterval::lower), "the lower end of the interval for the population")
      .value("upper", in(&ColumnDifference::population, &DifferenceInterval::upper), "its upper end")
      .value("file_sd", in(&ColumnDifference::file, &DifferenceInterval::sd), "the standard deviation from noise alone")
      .value("file_lower", in(&ColumnDifference::file, &DifferenceInterval::lower), "the lower end for the people in the file: noise alone")
      .value("file_upper", in(&ColumnDifference::file, &DifferenceInterval::upper), "its upper end")
      .value(
          "differs", [](const DifferenceRow& row) { return row.difference.differs(); },
          "whether the interval for the population excludes 0");
}

struct DistanceRow {
  std::string first, second;
  MahalanobisDistance distance;
};

std::vector<DistanceRow> distance_rows(const MeansComparison& comparison) {
  std::vector<DistanceRow> rows;
  for (const GroupDistance& one : comparison.distances)
    rows.push_back({comparison.groups[one.first].name, comparison.groups[one.second].name, one.distance});
  return rows;
}

AnswerTable<DistanceRow> distance_row_answer() {
  const auto of = [](auto member) { return [member](const DistanceRow& row) { return row.distance.*member; }; };
  return AnswerTable<DistanceRow>()
      .value("first", &DistanceRow::first, "a group")
      .value("second", &DistanceRow::second, "another group")
      .value("estimate", of(&MahalanobisDistance::estimate),
             "the Mahalanobis distance between their population means, as often too small as too large; null: unknown")
      .value("lower", of(&MahalanobisDistance::lower), "the lower end of its interval, which holds alone")
      .value("upper", of(&MahalanobisDistance::upper), "the upper end; null: no bound")
      .value("reason", of(&MahalanobisDistance::reason), "why something is unknown; null otherwise");
}

AnswerTable<DifferenceRegion> difference_region_answer() {
  return AnswerTable<DifferenceRegion>()
      .value("center", &DifferenceRegion::center, "the first mean minus the second, a number for each column")
      .value("shape", &DifferenceRegion::shape, "the matrix S of the region (x - center)' S^-1 (x - center) <= radius^2")
      .value("radius", &DifferenceRegion::radius, "in units of the shape")
      .value(
          "volume", [](const DifferenceRegion& region) { return volume_of(region.log_volume); },
          "of the region; null outside a double's range")
      .value("log_volume", &DifferenceRegion::log_volume, "the logarithm of the volume")
      .value("draws", &DifferenceRegion::draws, "how many possible pairs of groups were drawn");
}

constexpr std::size_t kMostRowsInWords = 40;

std::string differences_words(const MeansComparison& comparison) {
  const std::vector<DifferenceRow> rows = difference_rows(comparison);
  if (rows.empty()) return {};
  const bool one_pair = comparison.differences->pairs.size() == 1;
  std::vector<std::string> header = {"column"};
  if (!one_pair) header.emplace_back("groups");
  for (const char* title : {"difference", "sd", "population: from", "to", "file: from", "to", "differs"}) header.emplace_back(title);
  report::TextTable table(header);
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  for (std::size_t i = 0; i < rows.size() && i < kMostRowsInWords; ++i) {
    const DifferenceRow& row = rows[i];
    const inference::ColumnDifference& found = row.difference;
    std::vector<std::string> line = {report::printable(row.column) + (row.dates ? " (days)" : "")};
    if (!one_pair) line.push_back(report::printable(row.first) + " minus " + report::printable(row.second));
    for (const double value :
         {found.estimate, found.population.sd, found.population.lower, found.population.upper, found.file.lower, found.file.upper})
      line.push_back(number(value));
    line.emplace_back(found.differs() ? "yes" : "no");
    table.add(std::move(line));
  }
  const double confidence = 1 - comparison.asked.alpha;
  std::string out = one_pair
                        ? fmt::format("Differences of means, {} minus {}, with intervals that all hold together with probability {:g}:\n",
                                      report::printable(rows[0].first), report::printable(rows[0].second), confidence)
                        : fmt::format("Differences of means, with intervals that all hold together with probability {:g}:\n", confidence);
  out += table.render();
  if (rows.size() > kMostRowsInWords) out += fmt::format("  ... and {} more\n", rows.size() - kMostRowsInWords);
  std::string names;
  for (const std::string& name : comparison.differing_columns()) names += (names.empty() ? "" : ", ") + report::printable(name);
  return out + (names.empty() ? "No column differs for certain.\n" : fmt::format("Columns that differ: {}.\n", names));
}

std::string distance_words(const MeansComparison& comparison) {
  std::string out;
  for (const DistanceRow& row : distance_rows(comparison)) {
    const MahalanobisDistance& distance = row.distance;
    const std::string between = comparison.distances.size() == 1
                                    ? ""
                                    : fmt::format(" between {} and {}", report::printable(row.first), report::printable(row.second));
    if (!distance.estimate && !distance.upper) {
      out += fmt::format("The Mahalanobis distance{} is unknown: {}.\n", between, distance.reason.value_or("too little is known"));
      continue;
    }
    out += fmt::format("The Mahalanobis distance{} is {}, between {:.3g} and {}.\n", between,
                       distance.estimate ? fmt::format("about {:.3g}", *distance.estimate) : "unknown", distance.lower,
                       distance.upper ? fmt::format("{:.3g}", *distance.upper) : "any size, because " + distance.reason.value_or(""));
  }
  return out;
}

}  // namespace

std::string left_out_groups_words(const std::vector<std::string>& groups) {
  if (groups.empty()) return {};
  return fmt::format("Left out, as there may be nobody: {}.\n", report::printable(fmt::format("{}", fmt::join(groups, ", "))));
}

RequestTable<ComparisonFields> comparison_request() {
  const auto comparison = [](ComparisonFields& f) -> auto& { return f.comparison; };
  return RequestTable<ComparisonFields>()
      .required("releases", &ComparisonFields::releases, "a,b", "one covariance release with groups, or one release for each group")
      .field(
          "groups", [](ComparisonFields& f) -> auto& { return f.comparison.groups; }, "a,b",
          "with one release: the labels of the groups to compare; all but those that may be empty if not given")
      .field(
          "covariances", [](ComparisonFields& f) -> auto& { return f.comparison.covariances; }, "C",
          "whether all groups have the same covariance, which the statistic then pools")
      .field(
          "alpha", [](ComparisonFields& f) -> auto& { return f.comparison.alpha; }, "A",
          "the level of the test; intervals hold with probability 1 - alpha")
      .field(
          "alternative", [](ComparisonFields& f) -> auto& { return f.comparison.alternative; }, "a,b",
          "of two groups: test against this difference, first minus second, alone (one-sided in its direction, with the best weights by "
          "the covariance that the release shows); against all differences if not given")
      .field(
          "pairs", [](ComparisonFields& f) -> auto& { return f.comparison.pairs; }, "P",
          "which differences: of all pairs of groups, or of the first with each other one; by default all of up to 10 groups")
      .field(
          "method", [](ComparisonFields& f) -> auto& { return f.comparison.method; }, "M",
          "how the null distribution is found; asymptotic and paper-bootstrap are those of the paper, and do not keep their level")
      .field(
          "disjoint", [](ComparisonFields& f) -> auto& { return f.comparison.disjoint; }, "",
          "nobody is in two of the releases, which is asked where they are of one dataset")
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
          "method", [](const MeansComparison& c) { return c.asked.method; }, "how the null distribution is known")
      .value(
          "alternative", [](const MeansComparison& c) { return c.asked.alternative; },
          "the difference that was tested against; null: all differences")
      .value("warning", &MeansComparison::warning, "what is wrong with a method of the paper; null for bootstrap")
      .value("null_law", of_test(&MeansTest::null_distribution),
             "the distribution of the statistic under the null, in words; null where there is none")
      .value(
          "covariances", [](const MeansComparison& c) { return c.asked.covariances; }, "whether all groups have the same covariance")
      .value("groups", of_groups(&ComparedGroup::name), "what was compared")
      .value("left_out", &MeansComparison::left_out, "groups that are left out, as there may be nobody; empty: none")
      .value("columns", &MeansComparison::columns, "what the means are of")
      .value("means", of_groups(&ComparedGroup::mean), "of each group, a number for each column; null if the group may be empty")
      .value("n", of_groups(&ComparedGroup::n), "the people in each group, noisy where they are private")
      .value("noise_share", of_test(&MeansTest::noise_share),
             "the part of the variance of the difference that is noise; null where it is unknown")
      .value("power", of_test(&MeansTest::power),
             "how often a difference of the estimated size is found; with an alternative, how often that is")
      .value("draws", of_test(&MeansTest::draws), "how many differences were simulated; null: none")
      .value(
          "seed", [](const MeansComparison& c) { return c.asked.simulation.seed; }, "where the simulation started")
      .list("differences", difference_rows, difference_row_answer(),
            "each column of each pair of groups, with intervals that all hold together; empty if inconclusive")
      .value("differing_columns", &MeansComparison::differing_columns, "columns in which the intervals show that some groups differ")
      .list("distances", distance_rows, distance_row_answer(), "of each pair of groups; empty if inconclusive, or beyond 10 groups")
      .object("region", &MeansComparison::region, difference_region_answer(),
              "a confidence region for the difference of two means; null for more groups, or where there is none")
      .value("disjoint", &MeansComparison::disjoint, "how it is known that nobody is in two groups");
}

std::string comparison_words(const MeansComparison& comparison) {
  const MeansTest& test = comparison.test;
  if (!test.statistic || !test.critical) {
    return fmt::format("Inconclusive: {}.\n", test.reason.value_or("the releases have too little information")) + means_table(comparison) +
           left_out_groups_words(comparison.left_out) + differences_words(comparison) + "This cost no privacy.\n";
  }
  std::string out = comparison.warning ? fmt::format("Warning: {}.\n", *comparison.warning) : "";
  out += outcome_words(comparison) + means_table(comparison) + left_out_groups_words(comparison.left_out) + differences_words(comparison) +
         distance_words(comparison);
  out += fmt::format("The statistic is {:.4g} (critical value {:.4g}, {}, {:.4g} {} of freedom).\n", *test.statistic, *test.critical,
                     p_value_words(test.p_value, test.draws), test.df, test.df == 1 ? "degree" : "degrees");
  if (test.null_distribution) out += fmt::format("Distribution under the null hypothesis: {}.\n", *test.null_distribution);
  if (test.noise_share)
    out += fmt::format("Noise accounts for {:.0f} % of the variance of the difference; the rest is sampling.\n", 100 * *test.noise_share);
  if (comparison.disjoint == Disjoint::Declared) out += disjoint_words(comparison.disjoint);
  return out + "This cost no privacy.\n";
}

}  // namespace tacet::service
