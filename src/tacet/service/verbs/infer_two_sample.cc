#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/means/equal_means.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/printed_figure.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/test_answer.h"

namespace tacet::service {
namespace {

using inference::MeansOptions;
using inference::MeansTest;
using inference::MeanSummary;
using mechanisms::MomentRelease;

struct Samples {
  std::vector<MeanSummary> groups;
  std::vector<std::string> names;
  std::vector<Json> means;  // in the columns' units; null where there may be nobody
  std::vector<mechanisms::ReleasedColumn> columns;
};

Status add(Samples& samples, const MomentRelease& release, std::size_t group, std::string name) {
  TACET_TRY(MeanSummary summary, inference::summarise_mean(release, group));
  samples.groups.push_back(std::move(summary));
  samples.names.push_back(std::move(name));
  samples.means.push_back(mechanisms::why_no_answer(release, group) ? Json(nullptr) : Json(release.mean(group)));
  return {};
}

Result<std::size_t> group_named(const MomentRelease& release, const std::string& label) {
  const auto& labels = release.groups->labels;
  const auto at = std::find(labels.begin(), labels.end(), label);
  if (at != labels.end()) return static_cast<std::size_t>(at - labels.begin());
  return Error::invalid("groups", label.substr(0, 40), "must be groups of the release", fmt::format("it has: {}", fmt::join(labels, ", ")));
}

/// The groups of one release, all or those named.
Result<Samples> groups_of(const Json& request, const std::string& path) {
  TACET_TRY(const MomentRelease release, mechanisms::read_release_as<MomentRelease>(path));
  if (!release.groups) {
    return Error::invalid("releases", "one release of everybody", "must be one release with groups, or one for each group",
                          "release with --group-by, or give two: --releases a.json,b.json");
  }
  Samples samples;
  samples.columns = release.columns;
  std::vector<std::string> labels = release.groups->labels;
  if (request.contains("groups")) {
    TACET_TRY(labels, list_field(request, "groups"));
  }
  for (const std::string& label : labels) {
    if (std::count(labels.begin(), labels.end(), label) > 1)
      return Error::invalid("groups", label.substr(0, 40) + ", twice", "must be different groups");
    TACET_TRY(const std::size_t group, group_named(release, label));
    TACET_CHECK(add(samples, release, group, fmt::format("{}={}", release.groups->column, label)));
  }
  return samples;
}

bool same(const mechanisms::ReleasedColumn& a, const mechanisms::ReleasedColumn& b) {
  return a.name == b.name && a.lower == b.lower && a.upper == b.upper && a.centre == b.centre;
}

Result<Samples> samples_of(const Json& request) {
  TACET_TRY(const std::vector<std::string> paths, list_field(request, "releases"));
  if (paths.size() == 1) return groups_of(request, paths.front());
  if (request.contains("groups")) return Error::invalid("groups", "given with several releases", "go with one release that has groups");
  Samples samples;
  for (const std::string& path : paths) {
    TACET_TRY(const MomentRelease release, mechanisms::read_release_as<MomentRelease>(path));
    if (release.groups) {
      return Error::invalid("releases", "a release with groups among several", "must be releases of everybody",
                            "give the one with groups alone");
    }
    if (samples.columns.empty()) samples.columns = release.columns;
    const bool alike = std::equal(samples.columns.begin(), samples.columns.end(), release.columns.begin(), release.columns.end(), same);
    if (!alike) {
      return Error::invalid("releases", "columns or bounds that differ", "must have the same columns with the same bounds",
                            "release both with one schema: means over different bounds have different noise and clipping");
    }
    TACET_CHECK(add(samples, release, 0, path));
  }
  return samples;
}

Result<MeansOptions> options_of(const Json& request, const Context& context) {
  MeansOptions options{.alpha = 0.05};
  TACET_TRY(options.alpha, level_field(request, "alpha", options.alpha));
  const std::string covariances = text_field(request, "covariances").value_or("equal");
  if (covariances != "equal" && covariances != "unequal")
    return Error::invalid("covariances", covariances.substr(0, 40), "must be equal or unequal");
  options.equal_covariances = covariances == "equal";
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(options.simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(options.simulation.draws, whole_number("draws", *draws, 1, inference::kMostDraws));
  }
  options.simulation.progress = [&context](double fraction) { context.tell("simulating differences", fraction); };
  return options;
}

Result<Json> run(bool two, const Json& request, const Context& context) {
  TACET_TRY(const MeansOptions options, options_of(request, context));
  TACET_TRY(const Samples samples, samples_of(request));
  if (two && samples.groups.size() != 2) {
    return Error::invalid("releases", fmt::format("{} groups", samples.groups.size()), "must be two groups",
                          "name two with --groups a,b, or compare all with tacet infer k-sample");
  }
  TACET_TRY(const MeansTest test, inference::test_equal_means(samples.groups, options));
  Json columns = Json::array();
  for (const auto& column : samples.columns) columns.push_back(column.name);
  Json people = Json::array();
  for (const MeanSummary& group : samples.groups) people.push_back(group.people);
  return Json{{"statistic", finite_json(test.statistic)},
              {"df", test.df},
              {"p_value", finite_json(test.p_value)},
              {"critical", finite_json(test.critical)},
              {"outcome", name(test.outcome)},
              {"reason", test.reason},
              {"alpha", options.alpha},
              {"method", "bootstrap"},
              {"null_law", test.null_law},
              {"covariances", options.equal_covariances ? "equal" : "unequal"},
              {"groups", samples.names},
              {"columns", columns},
              {"means", samples.means},
              {"n", people},
              {"noise_share", test.noise_share},
              {"power", finite_json(test.power)},
              {"draws", test.draws},
              {"seed", options.simulation.seed}};
}

std::string means_table(const Json& result) {
  std::vector<std::string> header = {"column"};
  for (const Json& group : result.at("groups")) header.push_back(report::printable(group.get<std::string>()));
  report::TextTable table(header);
  for (std::size_t j = 0; j < result.at("columns").size(); ++j) {
    std::vector<std::string> row = {report::printable(result.at("columns")[j].get<std::string>())};
    for (const Json& mean : result.at("means")) row.push_back(mean.is_null() ? "no answer" : fmt::format("{:.5g}", mean[j].get<double>()));
    table.add(std::move(row));
  }
  return table.render();
}

std::string words(const Json& result) {
  const auto number = [&result](const char* field) { return fmt::format("{:.4g}", result.at(field).get<double>()); };
  if (result.at("outcome") == "inconclusive")
    return fmt::format("Inconclusive: {}.\n", result.at("reason").get<std::string>()) + means_table(result) + "This cost no privacy.\n";
  std::string out;
  if (result.at("outcome") == "reject") {
    out = fmt::format("The groups have different means: equality rejected at level {}.\n", number("alpha"));
  } else {
    out = fmt::format("No evidence that the means differ at level {}", number("alpha"));
    if (result.at("statistic") > result.at("df")) {
      out += fmt::format("; a difference of the size estimated here would be found with probability {:.2f}.\n",
                         result.at("power").get<double>());
    } else {
      out += "; they differ by no more than sampling and noise explain.\n";
    }
  }
  out += means_table(result);
  out += fmt::format("The statistic is {} (critical value {}, {}, {} {} of freedom).\nNull law: {}.\n", number("statistic"),
                     number("critical"), p_value_words(result), number("df"), number("df") == "1" ? "degree" : "degrees",
                     result.at("null_law").get<std::string>());
  out += fmt::format("Noise is {:.0f} % of what the difference varies by; the rest is sampling.\n",
                     100 * result.at("noise_share").get<double>());
  return out + "This cost no privacy.\n";
}

std::vector<Field> fields() {
  return {{"releases", "a,b", "one covariance release with groups, or one release for each group", FieldKind::List, true},
          {"groups", "a,b", "with one release: the labels of the groups to compare; all if not given", FieldKind::List},
          {"covariances", "C", "equal (the default: the statistic pools them) or unequal"},
          {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
          {"draws", "B", "differences to simulate; 1999 if not given", FieldKind::Number},
          {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number}};
}

}  // namespace

Verb infer_two_sample_verb() {
  return {"infer two-sample",
          "Test whether two groups have the same mean of several columns, knowing the noise (Hotelling)",
          "tacet infer two-sample --releases by_smoking.json --groups never,current",
          fields(),
          [](const Json& request, const Context& context) { return run(true, request, context); },
          words};
}

Verb infer_k_sample_verb() {
  return {"infer k-sample",
          "Test whether two or more groups all have the same mean of several columns, knowing the noise",
          "tacet infer k-sample --releases by_smoking.json",
          fields(),
          [](const Json& request, const Context& context) { return run(false, request, context); },
          words};
}

}  // namespace tacet::service
