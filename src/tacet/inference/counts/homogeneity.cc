#include "tacet/inference/counts/homogeneity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/chi2_power.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/homogeneity_statistic.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseStructure;
using mechanisms::ReleaseAxis;
using numeric::ChiTerm;
using numeric::WeightedChi2;

/// With more simulated cells the normal limit replaces simulation if it is trusted: about ten
/// seconds of work.
constexpr double kMuchHomogeneityWork = 3e8;

bool total_public(const CountRelease& release) { return release.n || release.noise.structure == NoiseStructure::SumZero; }

bool all_gaussian(const std::vector<CountRelease>& groups) {
  return std::all_of(groups.begin(), groups.end(), [](const CountRelease& group) { return group.noise.family == NoiseFamily::Gaussian; });
}

bool same_labels(const std::vector<ReleaseAxis>& a, const std::vector<ReleaseAxis>& b) {
  return a.empty() || b.empty() || std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ReleaseAxis& x, const ReleaseAxis& y) {
           return x.labels == y.labels;
         });
}

Error bad_group(std::size_t i, const std::string& value, const std::string& rule, const std::string& remedy) {
  return Error::invalid(fmt::format("release {}", i + 1), value, rule, remedy);
}

Status check_groups(const std::vector<CountRelease>& groups) {
  if (groups.size() < 2 || groups.size() > kMostGroups) {
    return Error::invalid("releases", fmt::format("{} release{}", groups.size(), groups.size() == 1 ? "" : "s"),
                          fmt::format("must be 2 to {}: groups are compared with each other", kMostGroups),
                          "for one group against given probabilities: `infer gof`");
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const CountRelease& group = groups[i];
    if (group.shape != groups[0].shape) {
      return bad_group(i, fmt::format("a table of {}", fmt::join(group.shape, " x ")),
                       fmt::format("must have the shape of the first, {}", fmt::join(groups[0].shape, " x ")),
                       "release the same columns in every group");
    }
    if (!same_labels(groups[0].axes, group.axes)) {
      return bad_group(i, "a table with other labels", "must have the labels of the first in the same order",
                       "release the same columns, with the same categories, in every group");
    }
    if (group.values.size() < 2) return bad_group(i, "a single cell", "must have at least two cells", "");
    if (group.n && !(*group.n >= 1))
      return bad_group(i, fmt::format("n = {}", *group.n), "must be of at least 1 person: nothing can be tested without people", "");
  }
  return {};
}

/// What can be compared of tables that were denoised before they were published.
Status check_done(const std::vector<CountRelease>& groups, const DenoiseOptions& done) {
  if (done.shrink != Shrinkage::None) {
    return Error::of(
        Code::Unsupported,
        "tables that were shrunk before they were published are more alike than their people, so that the common probabilities, "
        "from which tables are drawn, cannot be estimated",
        "import the tables as they were before; infer homogeneity shrinks them with shrink");
  }
  const bool all_public = std::all_of(groups.begin(), groups.end(), [](const CountRelease& group) { return group.n.has_value(); });
  if (all_public) return {};
  return Error::of(Code::Unsupported, "n of a group is not public, and the total of a truncated table is too large by an unknown amount",
                   "import the tables with n, or as they were before they were truncated");
}

Status check_options(const std::vector<CountRelease>& groups, const GofOptions& options) {
  TACET_CHECK(check_alpha(options.alpha));
  if (options.statistic == GofStatistic::Nonprojected) {
    return Error::invalid("statistic", "nonprojected", "must be classical or projected where groups are compared",
                          "use statistic = projected");
  }
  if (options.method == GofMethod::MonteCarlo) {
    return Error::invalid("method", "montecarlo", "must be asymptotic, bootstrap or auto where groups are compared",
                          "the common probabilities have to be estimated: use method = bootstrap");
  }
  if (denoises(options.denoise)) TACET_CHECK(check_denoised(options, GofMethod::Bootstrap));
  if (options.denoise.done) TACET_CHECK(check_done(groups, options.denoise));
  if (options.method != GofMethod::Asymptotic) return {};
  if (options.statistic == GofStatistic::Classical) {
    return Error::invalid("method", "asymptotic", "must be bootstrap for the classical statistic, whose limit is not chi-square",
                          "use statistic = projected, or method = bootstrap");
  }
  if (!all_gaussian(groups)) {
    return Error::invalid("method", "asymptotic", "must be bootstrap or auto where some noise is not Gaussian", "use method = bootstrap");
  }
  return {};
}

/// The tables side by side, table i with the total people[i]: shifted to a public n, or denoised.
struct Tables {
  std::vector<double> values, people;
};

/// Replaces a table by what the statistic takes, and gives its people.
Result<double> prepare(const CountRelease& group, const DenoiseOptions& options, std::vector<double>& table) {
  if (denoises(options)) {
    // Noise that keeps the total shows it.
    const bool shown = !group.n && group.noise.structure == NoiseStructure::SumZero;
    TACET_TRY(table, denoised_values(table, group.noise, shown ? std::optional(block_sum(table)) : group.n, options));
    return group.n.value_or(block_sum(table));
  }
  const double sum = block_sum(table);
  const double people = group.n.value_or(sum);
  const double excess = (sum - people) / static_cast<double>(table.size());
  for (double& value : table) value -= excess;
  return people;
}

Result<Tables> tables_of(const std::vector<CountRelease>& groups, const DenoiseOptions& options) {
  Tables tables;
  for (const CountRelease& group : groups) {
    std::vector<double> table = group.values;
    double people = 0;
    if (options.done) {
      people = *group.n;  // check_done
    } else {
      TACET_TRY(people, prepare(group, options, table));
    }
    tables.people.push_back(people);
    tables.values.insert(tables.values.end(), table.begin(), table.end());
  }
  return tables;
}

/// The people of each simulated table: the total as released has no bias, that of a truncated table
/// has one.
std::vector<double> drawn_people(const std::vector<CountRelease>& groups) {
  std::vector<double> people;
  for (const CountRelease& group : groups) people.push_back(std::nearbyint(group.n.value_or(block_sum(group.values))));
  return people;
}

GofMethod choose_for_groups(const std::vector<CountRelease>& groups, const GofTest& test, const GofOptions& options) {
  if (options.method != GofMethod::Automatic) return options.method;
  const double cells = static_cast<double>(groups.size()) * static_cast<double>(groups[0].values.size());
  const double work =
      cells * static_cast<double>(options.simulation.draws.value_or(usual_draws(groups.size() * groups[0].values.size(), options.alpha))) *
      std::max(1.0, static_cast<double>(groups.size()) / 8);
  const bool limit = test.statistic_kind == GofStatistic::Projected && all_gaussian(groups) && *test.least_expected >= kLeastExpected;
  return limit && (work > kMuchHomogeneityWork || cells > static_cast<double>(kMostSimulatedCells)) ? GofMethod::Asymptotic
                                                                                                    : GofMethod::Bootstrap;
}

std::optional<std::string> why(const GofTest& test, const GofOptions& options) {
  std::vector<std::string_view> reasons;
  if (!options.statistic) {
    reasons.emplace_back(denoises(options.denoise) ? "the classical statistic, since the tables are denoised"
                                                   : "the projected statistic, in which each group counts by what its noise leaves of it");
  }
  if (options.method == GofMethod::Automatic) {
    reasons.emplace_back(test.method == GofMethod::Bootstrap
                             ? "bootstrap, which serves every noise"
                             : "asymptotic, since every expected count is at least 5 and simulating so many cells takes long");
  }
  if (reasons.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(reasons, "; "));
}

/// Why the test cannot be made with so few people in some group; empty if it can.
std::string too_few(const std::vector<CountRelease>& groups, bool denoised) {
  const std::vector<double> people = drawn_people(groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!(people[i] >= 1)) {
      return fmt::format("the noisy counts of group {} sum to less than one person, so that no table of that size can be drawn", i + 1);
    }
    const double error = std::sqrt(cell_noise(groups[i].noise).variance * static_cast<double>(groups[i].values.size()));
    if (denoised && !total_public(groups[i]) && !(people[i] >= kLeastTotal * error)) {
      return fmt::format(
          "the noisy total {:.0f} of group {} has a standard error of {:.3g}, more than a twentieth, so that tables of its "
          "size would not be denoised as this one was; the test without denoising can be used",
          people[i], i + 1, error);
    }
  }
  return {};
}

}  // namespace

std::vector<double> simulate_homogeneity(const std::vector<CountRelease>& groups, const std::vector<double>& group_people,
                                         const std::vector<std::vector<double>>& probabilities, const HomogeneityStatistic& of,
                                         const DenoiseOptions& denoise, const Simulation& simulation, std::optional<double> observed) {
  const std::size_t cells = of.cells();
  std::vector<NoisyTables> drawn;
  for (std::size_t i = 0; i < groups.size(); ++i)
    drawn.emplace_back(group_people[i], probabilities[std::min(i, probabilities.size() - 1)], noise_source(groups[i]));
  const std::size_t tables = tables_in_a_block(groups.size() * cells);
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    return [&, cells, tables, statistic = of, deviations = std::vector<double>(groups.size() * cells * tables),
            sums = std::vector<double>(groups.size() * tables), values = std::vector<double>(groups.size() * cells),
            table = std::vector<double>(cells),
            people = std::vector<double>(groups.size())](numeric::InsecureStream& stream, std::span<double> out) mutable {
      for (std::size_t i = 0; i < groups.size(); ++i) {
        drawn[i].draw(stream, tables, std::span(deviations).subspan(i * cells * tables, cells * tables),
                      std::span(sums).subspan(i * tables, tables));
      }
      for (std::size_t t = 0; t < tables; ++t) {
        bool whole = true;
        for (std::size_t i = 0; i < groups.size() && whole; ++i) {
          for (std::size_t j = 0; j < cells; ++j) table[j] = drawn[i].expected()[j] + deviations[(i * cells + j) * tables + t];
          const auto total = prepare(groups[i], denoise, table);
          whole = total.ok();
          people[i] = whole ? *total : 0;
          std::copy(table.begin(), table.end(), values.begin() + static_cast<std::ptrdiff_t>(i * cells));
        }
        out[t] = whole ? statistic.evaluate(values, people) : std::numeric_limits<double>::infinity();
      }
    };
  });
}

Result<HomogeneityTest> test_homogeneity(const std::vector<CountRelease>& groups, const GofOptions& options) {
  TACET_CHECK(check_groups(groups));
  TACET_CHECK(check_options(groups, options));
  const bool denoised = denoises(options.denoise);
  std::vector<GroupNoise> noise;
  for (const CountRelease& group : groups) noise.push_back({cell_noise(group.noise).variance, total_public(group)});
  HomogeneityTest compared{};
  GofTest& test = compared.test;
  test.statistic_kind = options.statistic.value_or(denoised ? GofStatistic::Classical : GofStatistic::Projected);
  HomogeneityStatistic statistic(test.statistic_kind, groups[0].values.size(), noise);
  test.df = statistic.df();
  TACET_TRY(const Tables tables, tables_of(groups, options.denoise));
  compared.people = tables.people;
  if (std::string reason = too_few(groups, denoised); !reason.empty()) {
    test.method = options.method == GofMethod::Asymptotic ? GofMethod::Asymptotic : GofMethod::Bootstrap;
    leave_open(test, std::move(reason));
    return compared;
  }
  test.statistic = statistic.evaluate(tables.values, tables.people);
  compared.pooled = statistic.pooled();
  test.least_expected =
      *std::min_element(tables.people.begin(), tables.people.end()) * *std::min_element(compared.pooled.begin(), compared.pooled.end());
  test.method = choose_for_groups(groups, test, options);
  test.choice = why(test, options);
  if (test.statistic_kind == GofStatistic::Projected && all_gaussian(groups))
    test.power = power_of_excess(*test.statistic, test.df, options.alpha);
  if (test.method == GofMethod::Asymptotic) {
    TACET_TRY(const WeightedChi2 null, WeightedChi2::of(std::vector<ChiTerm>{{.weight = 1, .df = test.df}}));
    decide_by_limit(test, null, chi2_words(test.df), options.alpha, GofMethod::Bootstrap);
    return compared;
  }
  std::vector<double> drawn_from = compared.pooled;
  if (denoised && !options.denoise.done) {
    // Shrunken tables are more alike than the people are: drawn from what they have in common, the
    // test rejects in 0.09 of cases (two groups of 1000 people, noise 14, 18 cells, js).
    HomogeneityStatistic plain(GofStatistic::Projected, statistic.cells(), std::move(noise));
    TACET_TRY(const Tables as_released, tables_of(groups, {}));
    plain.evaluate(as_released.values, as_released.people);
    drawn_from = plain.pooled();
  }
  const std::vector<double> people = drawn_people(groups);
  for (const double one : people) TACET_CHECK(check_simulated(groups.size() * statistic.cells(), one));
  std::string drawn =
      fmt::format("lists of {} tables with the pooled probabilities, each with the people and the noise of its release", groups.size());
  if (denoised)
    drawn += fmt::format(", denoised like it (shrink {}, project {})", name(options.denoise.shrink), name(options.denoise.project));
  TACET_CHECK(decide_by_draws(
      test, options, groups.size() * statistic.cells(),
      [&](const Simulation& simulation, std::optional<double> observed) {
        return simulate_homogeneity(groups, people, {drawn_from}, statistic, options.denoise, simulation, observed);
      },
      drawn));
  return compared;
}

}  // namespace tacet::inference
