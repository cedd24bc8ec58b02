#include "tacet/workflow/infer/compare_means.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/means/directional_means.h"
#include "tacet/inference/means/equal_means_as_published.h"
#include "tacet/inference/means/possible_means.h"
#include "tacet/mechanisms/moment_result.h"
#include "tacet/workflow/infer/date_columns.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/told_groups.h"

namespace tacet {
namespace {

using inference::MeanSummary;
using inference::ReleasedGroup;
using mechanisms::ReleasedColumn;

constexpr std::size_t kShown = 40;
constexpr std::size_t kMostGroupsForAllPairs = 10;

struct Samples {
  std::vector<MeanSummary> summaries;
  std::vector<ReleasedGroup> released;
  std::vector<ComparedGroup> groups;
  std::optional<std::string> reason;  // why these groups cannot be compared
  std::vector<std::string> left_out = {};
};

Status add(Samples& samples, const MomentRelease& release, std::size_t group, std::string name) {
  const mechanisms::GroupMoments& part = release.parts[group];
  ComparedGroup compared{std::move(name), part.people.value, {}};
  const auto nobody = part.products.empty() ? std::nullopt : mechanisms::why_no_answer(release, group);
  if (nobody) {
    if (!samples.reason) samples.reason = fmt::format("group {} has no mean to compare: {}", compared.name, *nobody);
  } else {
    TACET_TRY(MeanSummary summary, inference::summarise_mean(release, group));
    samples.summaries.push_back(std::move(summary));
    samples.released.push_back({&release, group});
    compared.mean = release.mean(group);
  }
  samples.groups.push_back(std::move(compared));
  return {};
}

/// The test, or none if a group may be empty.
Result<MeansTest> tested(const Samples& samples, std::size_t columns, const ComparisonRequest& request,
                         const inference::MeansOptions& options) {
  const MeansMethod method = request.method;
  if (!samples.reason && request.alternative)
    return inference::test_direction(samples.released[0], samples.released[1], *request.alternative, options);
  if (!samples.reason && method == MeansMethod::Bootstrap) return inference::test_equal_means(samples.summaries, options);
  if (!samples.reason) {
    const auto rule = method == MeansMethod::PaperBootstrap ? inference::PublishedRule::Bootstrap : inference::PublishedRule::Asymptotic;
    return inference::equal_means_as_published(samples.summaries, {.rule = rule, .alpha = options.alpha, .simulation = options.simulation});
  }
  TACET_CHECK(inference::check_alpha(options.alpha));
  TACET_CHECK(inference::check_draws(options.simulation.draws.value_or(inference::kUsualDraws), options.alpha));
  MeansTest test{};
  test.df = request.alternative ? 1 : static_cast<double>(columns * (samples.groups.size() - 1));
  test.outcome = inference::Outcome::Inconclusive;
  test.reason = samples.reason;
  return test;
}

Result<std::size_t> group_named(const MomentRelease& release, const std::string& label) {
  const auto& labels = release.groups->labels;
  const auto at = std::find(labels.begin(), labels.end(), label);
  if (at != labels.end()) return static_cast<std::size_t>(at - labels.begin());
  return Error::invalid("groups", label.substr(0, kShown), "must be groups of the release",
                        fmt::format("it has: {}", fmt::join(labels, ", ")));
}

/// The groups of one release, all or those named.
Result<Samples> groups_of(const MomentRelease& release, const ComparisonRequest& request) {
  if (!release.groups) {
    return Error::invalid("releases", "one release of everybody", "must be one release with groups, or one for each group",
                          "release by groups, or give a release for each: releases = a.json,b.json");
  }
  Samples samples;
  std::vector<std::string> labels = request.groups;
  if (labels.empty()) {
    const std::vector<bool> has_people = told_groups(release);
    for (std::size_t i = 0; i < has_people.size(); ++i) {
      const std::string& label = release.groups->labels[i];
      if (has_people[i]) {
        labels.push_back(label);
      } else {
        samples.left_out.push_back(fmt::format("{}={}", release.groups->column, label));
      }
    }
  }
  for (const std::string& label : labels) {
    if (std::count(labels.begin(), labels.end(), label) > 1)
      return Error::invalid("groups", label.substr(0, kShown) + ", twice", "must be different groups");
    TACET_TRY(const std::size_t group, group_named(release, label));
    TACET_CHECK(add(samples, release, group, fmt::format("{}={}", release.groups->column, label)));
  }
  return samples;
}

bool same(const ReleasedColumn& a, const ReleasedColumn& b) {
  return a.name == b.name && a.lower == b.lower && a.upper == b.upper && a.centre == b.centre;
}

/// One group for each release.
Result<Samples> releases_of(const std::vector<MomentRelease>& releases, const ComparisonRequest& request) {
  if (!request.groups.empty()) return Error::invalid("groups", "given with several releases", "go with one release that has groups");
  if (!request.names.empty() && request.names.size() != releases.size()) {
    return Error::invalid("names", fmt::format("{}", request.names.size()),
                          fmt::format("must be one for each of the {} releases", releases.size()));
  }
  Samples samples;
  const std::vector<ReleasedColumn>& columns = releases.front().columns;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const MomentRelease& release = releases[i];
    if (release.groups) {
      return Error::invalid("releases", "a release with groups among several", "must be releases of everybody",
                            "give the one with groups alone");
    }
    if (!std::equal(columns.begin(), columns.end(), release.columns.begin(), release.columns.end(), same)) {
      return Error::invalid("releases", "columns or bounds that differ", "must have the same columns with the same bounds",
                            "release both with one schema: means over different bounds have different noise and clipping");
    }
    TACET_CHECK(add(samples, release, 0, request.names.empty() ? fmt::format("release {}", i + 1) : request.names[i]));
  }
  return samples;
}

/// How far apart the groups are: in each column, by distances, and of two groups with a region.
Status add_differences(MeansComparison& comparison, const Samples& samples, const Context& context) {
  const ComparisonRequest& asked = comparison.asked;
  const bool few = samples.groups.size() <= kMostGroupsForAllPairs;
  const ComparedPairs pairs = asked.pairs.value_or(few ? ComparedPairs::All : ComparedPairs::First);
  Simulation running = told(asked.simulation, context, "computing intervals");
  const std::size_t usual = inference::MeansOptions{}.simulation.draws.value_or(inference::kUsualDraws);
  if (running.draws == usual) running.draws = std::nullopt;  // nobody asked for a number
  TACET_TRY(comparison.differences,
            inference::mean_differences(samples.released, {.alpha = asked.alpha, .pairs = pairs, .simulation = running}));
  if (!few) return {};
  for (const auto& [first, second] : inference::compared_pairs(samples.groups.size(), pairs)) {
    TACET_TRY(DifferenceRegion region, inference::difference_region(samples.released[first], samples.released[second],
                                                                    {.alpha = asked.alpha, .draws = running.draws, .simulation = running}));
    if (region.no_answer) region.distance.reason = region.no_answer;
    comparison.distances.push_back({first, second, region.distance});
    if (samples.groups.size() == 2 && !region.no_answer) comparison.region = std::move(region);
  }
  return {};
}

/// What is wrong with a method of the paper.
std::optional<std::string> warning_about(MeansMethod method) {
  if (method == MeansMethod::Bootstrap) return std::nullopt;
  return fmt::format(
      "the {} test of Dunsche, Kutta and Dette (2022) does not keep its level: it forgets a factor in the correction for noise{}; it is "
      "here "
      "for comparison, and the method bootstrap is the test to use",
      name(method), method == MeansMethod::Asymptotic ? ", and in their example rejects 19 % of true hypotheses at level 5 %" : "");
}

Status check_alternative(const ComparisonRequest& request, std::size_t groups) {
  if (!request.alternative) return {};
  if (groups != 2) {
    return Error::invalid("alternative", fmt::format("given for {} groups", groups), "goes with two groups, whose difference it is",
                          "name two with groups = a,b");
  }
  if (request.method == MeansMethod::Bootstrap) return {};
  return Error::invalid("alternative", fmt::format("given with method = {}", name(request.method)),
                        "goes with bootstrap: the tests of the paper are against all differences", "leave method out");
}

Result<MeansComparison> compare(const std::vector<MomentRelease>& releases, const ComparisonRequest& request, const Context& context,
                                bool two) {
  for (const MomentRelease& release : releases) TACET_CHECK(check_one_each(release.header));
  if (releases.empty()) return Error::invalid("releases", "missing", "must be one release with groups, or one for each group");
  std::vector<const mechanisms::ReleaseHeader*> headers;
  for (const MomentRelease& release : releases) headers.push_back(&release.header);
  TACET_TRY(const Disjoint disjoint, check_disjoint(headers, request.disjoint));
  TACET_TRY(Samples samples, releases.size() == 1 ? groups_of(releases.front(), request) : releases_of(releases, request));
  if (two && samples.groups.size() != 2) {
    return Error::invalid("releases", fmt::format("{} groups", samples.groups.size()), "must be two groups",
                          "name two with groups = a,b, or compare all as k samples");
  }
  TACET_CHECK(check_alternative(request, samples.groups.size()));
  TACET_TRY(MeansTest test, tested(samples, releases.front().dimension(), request,
                                   {.alpha = request.alpha,
                                    .equal_covariances = request.covariances == Covariances::Equal,
                                    .simulation = told(request.simulation, context, "simulating differences")}));
  MeansComparison comparison{std::move(test), {}, samples.groups, request, disjoint, {}, {}, {}, warning_about(request.method),
                             samples.left_out};
  for (const ReleasedColumn& column : releases.front().columns) comparison.columns.push_back(column.name);
  comparison.dates = date_columns(releases.front());
  const auto no_intervals = [](const MomentRelease& release) { return inference::why_no_population(release).has_value(); };
  if (!samples.reason && std::none_of(releases.begin(), releases.end(), no_intervals))
    TACET_CHECK(add_differences(comparison, samples, context));
  return comparison;
}

}  // namespace

std::vector<std::string> MeansComparison::differing_columns() const {
  std::vector<std::string> names;
  for (std::size_t j = 0; differences && j < columns.size(); ++j) {
    const auto differs = [j](const inference::PairDifference& pair) { return pair.columns[j].differs(); };
    if (std::any_of(differences->pairs.begin(), differences->pairs.end(), differs)) names.push_back(columns[j]);
  }
  return names;
}

Result<MeansComparison> compare_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request,
                                      const Context& context) {
  return compare(releases, request, context, /*two=*/false);
}

Result<MeansComparison> compare_two_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request,
                                          const Context& context) {
  return compare(releases, request, context, /*two=*/true);
}

}  // namespace tacet
