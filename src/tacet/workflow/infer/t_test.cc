#include "tacet/workflow/infer/t_test.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/moment_result.h"
#include "tacet/workflow/infer/date_columns.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/infer/told_groups.h"

namespace tacet {
namespace {

using inference::ReleasedGroup;

constexpr std::size_t kShownOfAName = 60;

Result<std::size_t> column_named(const MomentRelease& release, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const mechanisms::ReleasedColumn& column : release.columns) names.push_back(column.name);
  if (!name && names.size() == 1) return std::size_t{0};
  const auto found = std::find(names.begin(), names.end(), name.value_or(""));
  if (name && found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return Error::invalid("column", name ? name->substr(0, kShownOfAName) : "missing",
                        fmt::format("must be a column of the release: {}", fmt::join(names, ", ")),
                        fmt::format("for example: column = {}", names.front()));
}

Error wrong_groups(const std::string& value, const std::vector<std::string>& labels) {
  constexpr std::size_t kMostLabels = 20;
  const std::vector<std::string> shown(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(std::min(kMostLabels, labels.size())));
  return Error::invalid(
      "groups", value,
      fmt::format("must be one or two groups of the release: {}{}", fmt::join(shown, ", "), labels.size() > kMostLabels ? ", ..." : ""),
      fmt::format("for example: groups = {}",
                  fmt::join(shown.begin(), shown.begin() + std::min<std::ptrdiff_t>(2, std::ssize(shown)), ",")));
}

struct NamedGroup {
  ReleasedGroup group;
  std::string name;
};

/// Those asked for. If none are, all but those that may be empty, which then stand in `left_out`.
Result<std::vector<NamedGroup>> groups_in(const MomentRelease& release, const std::vector<std::string>& asked,
                                          std::vector<std::string>& left_out) {
  if (!release.groups) {
    if (!asked.empty()) {
      return Error::invalid("groups", asked.front().substr(0, kShownOfAName), "goes with a release that has groups", "leave groups out");
    }
    return std::vector<NamedGroup>{{{&release, 0}, release.header.counted() == mechanisms::Counted::Rows ? "all rows" : "everybody"}};
  }
  const std::vector<std::string>& labels = release.groups->labels;
  std::vector<std::string> chosen = asked;
  if (asked.empty()) {
    const std::vector<bool> has_people = told_groups(release);
    for (std::size_t i = 0; i < has_people.size(); ++i) {
      if (has_people[i]) {
        chosen.push_back(labels[i]);
      } else {
        left_out.push_back(fmt::format("{}={}", release.groups->column, labels[i]));
      }
    }
  }
  if (chosen.size() > 2) return wrong_groups(fmt::format("{} groups", chosen.size()), labels);
  std::vector<NamedGroup> groups;
  for (const std::string& label : chosen) {
    const auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end()) return wrong_groups(label.substr(0, kShownOfAName), labels);
    groups.push_back({{&release, static_cast<std::size_t>(at - labels.begin())}, fmt::format("{}={}", release.groups->column, label)});
  }
  if (groups.size() == 2 && groups[0].group.group == groups[1].group.group) return wrong_groups(chosen[0] + ", twice", labels);
  return groups;
}

/// One or two groups of the releases.
Result<std::vector<NamedGroup>> tested_groups(const std::vector<MomentRelease>& releases, const TTestRequest& request,
                                              std::vector<std::string>& left_out) {
  if (releases.empty() || releases.size() > 2) {
    return Error::invalid("release", fmt::format("{} files", releases.size()), "must be one release, or one for each of two groups",
                          "for example: release = old.json,new.json");
  }
  if (releases.size() == 1) return groups_in(releases.front(), request.groups, left_out);
  std::vector<NamedGroup> groups;
  for (std::size_t i = 0; i < 2; ++i) {
    if (releases[i].groups || !request.groups.empty()) {
      return Error::invalid("release", "two releases with groups", "must be two releases of everybody, or one with groups",
                            "give the one with groups alone");
    }
    groups.push_back({{&releases[i], 0}, request.names.size() == 2 ? request.names[i] : fmt::format("release {}", i + 1)});
  }
  return groups;
}

Error other_columns() {
  return Error::invalid("release", "columns or bounds that differ", "must have the same columns with the same bounds",
                        "release both with one schema: means over different bounds have different noise and clipping");
}

bool same_column(const mechanisms::ReleasedColumn& a, const mechanisms::ReleasedColumn& b) {
  return a.name == b.name && a.lower == b.lower && a.upper == b.upper;
}

/// What is tested: a weight for each column, and its name.
struct TestedColumn {
  std::string name;
  std::vector<double> weights;
  bool dates = false;
};

/// One combination of all columns, which a second release must have with the same bounds.
Result<TestedColumn> tested_combination(const std::vector<MomentRelease>& releases, const TTestRequest& request) {
  if (request.column)
    return Error::invalid("direction", "given with a column", "must be given alone: it is of all columns", "leave column out");
  const std::vector<mechanisms::ReleasedColumn>& columns = releases.front().columns;
  const std::vector<mechanisms::ReleasedColumn>& others = releases.back().columns;
  if (!std::equal(columns.begin(), columns.end(), others.begin(), others.end(), same_column)) return other_columns();
  std::vector<std::string> names;
  for (const mechanisms::ReleasedColumn& column : columns) names.push_back(column.name);
  if (request.direction->size() != names.size()) {
    return Error::invalid("direction", fmt::format("{} numbers", request.direction->size()),
                          fmt::format("must be one for each of the columns {}", fmt::join(names, ", ")),
                          "a column that does not count has 0");
  }
  return TestedColumn{inference::combination_name(names, *request.direction), *request.direction};
}

/// The column of the first release, which the second must have with the same bounds.
Result<TestedColumn> tested_column(const std::vector<MomentRelease>& releases, const TTestRequest& request) {
  if (request.direction) return tested_combination(releases, request);
  const std::vector<mechanisms::ReleasedColumn>& columns = releases.front().columns;
  TACET_TRY(const std::size_t column, column_named(releases.front(), request.column));
  if (releases.size() > 1) {
    TACET_TRY(const std::size_t other, column_named(releases.back(), columns[column].name));
    if (other != column || !same_column(columns[column], releases.back().columns[other])) return other_columns();
  }
  std::vector<double> weights(columns.size());
  weights[column] = 1;
  return TestedColumn{columns[column].name, std::move(weights), date_columns(releases.front())[column]};
}

}  // namespace

Result<TTestAnswer> t_test(const std::vector<MomentRelease>& releases, const TTestRequest& request, const Context& context) {
  std::vector<std::string> left_out;
  TACET_TRY(const std::vector<NamedGroup> groups, tested_groups(releases, request, left_out));
  std::vector<const mechanisms::ReleaseHeader*> headers;
  for (const MomentRelease& release : releases) {
    if (request.target == MeanTarget::Population) TACET_CHECK(check_one_each(release.header));
    headers.push_back(&release.header);
  }
  TACET_TRY(const Disjoint disjoint, check_disjoint(headers, request.disjoint));
  TACET_TRY(const TestedColumn column, tested_column(releases, request));
  TTestAnswer answer{column.name, {}, {}, {}, disjoint, request, releases.front().header.counted(), std::move(left_out), column.dates};
  std::vector<ReleasedGroup> tested;
  for (const NamedGroup& one : groups) {
    const MomentRelease& release = *one.group.release;
    TestedGroup group{one.name, release.parts[one.group.group].people.value, {}};
    // Of a sum there is always an answer, but not of the mean in it.
    MomentRelease as_mean = release;
    as_mean.kind = mechanisms::MomentKind::Mean;
    const auto nobody = mechanisms::why_no_answer(as_mean, one.group.group);
    if (nobody && !answer.reason) answer.reason = fmt::format("{} has no mean to test: {}", one.name, *nobody);
    const std::vector<double> means = nobody ? std::vector<double>() : release.mean(one.group.group);
    if (!nobody) group.mean = std::inner_product(means.begin(), means.end(), column.weights.begin(), 0.0);
    const bool too_few = request.target == MeanTarget::Population && group.n < 2;
    if (!nobody && too_few && !answer.reason)
      answer.reason = fmt::format("{} has {:.3g} people, and at least 2 are needed to say how they vary", one.name, group.n);
    answer.groups.push_back(std::move(group));
    tested.push_back(one.group);
  }
  const inference::TTestOptions options{.alpha = request.alpha,
                                        .alternative = request.alternative,
                                        .null = request.null,
                                        .target = request.target,
                                        .simulation = told(request.simulation, context, "simulating means")};
  if (answer.reason) {
    TACET_CHECK(inference::check_alpha(request.alpha));
    return answer;
  }
  TACET_TRY(answer.test, inference::t_test(tested, column.weights, options));
  return answer;
}

}  // namespace tacet
