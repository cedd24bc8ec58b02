#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/eigen/simulate_eigen.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/inference/means/released_group.h"
#include "tacet/studies/cube_groups.h"
#include "tacet/studies/levels/drawn_rows.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::levels_of_equal_means {
namespace {

using inference::MeanSummary;
using kernel::Membership;
using kernel::Relation;
using mechanisms::MomentRelease;

constexpr double kAlpha = 0.05;
constexpr std::size_t kDraws = 199;

/// Half the width of uniform rows of variance 1 in the cube of half width sqrt 3 + 1.
const double kWidth = std::sqrt(3.0) / (std::sqrt(3.0) + 1);
/// Rows off the centre: 2.2 -+ 0.5 within bounds of 2.75.
constexpr double kOffCentre = 0.8, kOffCentreWidth = 0.5 / 2.75;

enum class Noise : std::uint8_t { Pure, Gaussian, Ed };

struct Design {
  RowDesign rows;
  double epsilon;
  Noise noise;
  Relation relation = Relation::ReplaceOne;
  Membership membership = Membership::Public;
};

Result<MomentRelease> blank_of(const Design& design) {
  // rho = epsilon^2/2 is mu = epsilon.
  const PrivacyAmount loss = design.noise == Noise::Gaussian ? PrivacyAmount(Mu{design.epsilon}) : PrivacyAmount(Epsilon{design.epsilon});
  return blank_cube_groups({.columns = design.rows.dimension,
                            .people = design.rows.people,
                            .loss = loss,
                            .relation = design.relation,
                            .membership = design.membership});
}

/// The covariance by the mechanism ED, as the test would see it if it forgot what the directions
/// are: it refuses such a release. Every sum and every product has an equal share of epsilon, as in
/// `release covariance --mechanism ed` (eigen/release_eigen.h), without rounding.
Result<MeanSummary> ed_summary(const Design& design, const RowMoments& moments, numeric::InsecureStream& stream) {
  const std::size_t d = design.rows.dimension, products = d * (d + 1) / 2;
  const auto n = static_cast<double>(design.rows.people), columns = static_cast<double>(d);
  const double part = design.epsilon / static_cast<double>(d + products), share = static_cast<double>(products) * part;
  MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = mechanisms::MomentMechanism::Eigen;
  release.columns.assign(d, {"x", -1, 1, 0.001, 0});
  mechanisms::GroupMoments group{{n, 0}, {}, {}};
  std::vector<double> noise(d);
  stream.fill_laplace(noise);
  for (std::size_t j = 0; j < d; ++j)
    group.sums.push_back({n * moments.mean[static_cast<Eigen::Index>(j)] + 2 / part * noise[j], 2 / part});
  // n/d times the second moments, which one person changes by `change` at most.
  const double change = d == 1 ? 1 : 2, concentration = share / columns / change;
  const Eigen::MatrixXd scaled = n / columns * moments.second;
  TACET_TRY(const mechanisms::Matrix noisy, eigen::simulate_eigen({d, d, {scaled.data(), scaled.data() + scaled.size()}},
                                                                  {.scale = 1 / concentration, .concentration = concentration}, stream));
  const double scale = change * columns * columns / share;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) group.products.push_back({columns * noisy.at(j, k), scale});
  }
  release.parts.push_back(std::move(group));
  TACET_TRY(MeanSummary summary, inference::summarise_mean(release, 0));
  summary.drawn_directions = false;
  return summary;
}

Result<MeanSummary> own_summary(const MomentRelease& blank, std::size_t group, const RowMoments& moments, numeric::InsecureStream& stream) {
  const inference::RowAverages rows{{moments.mean.begin(), moments.mean.end()},
                                    {moments.second.data(), moments.second.data() + moments.second.size()}};
  MomentRelease release = blank;
  release.parts = {draw_group(blank, group, rows, stream)};
  return inference::summarise_mean(release, 0);
}

Status count(const Design& design, std::size_t kind, Piece& piece, ErrorTally& tally) {
  TACET_TRY(const MomentRelease blank, blank_of(design));
  for (std::size_t i = 0; i < piece.trials; ++i) {
    std::vector<MeanSummary> groups;
    for (std::size_t g = 0; g < 2; ++g) {
      const RowMoments moments = draw_moments(piece.stream, design.rows, /*shift=*/0);
      auto group = design.noise == Noise::Ed ? ed_summary(design, moments, piece.stream) : own_summary(blank, g, moments, piece.stream);
      if (group) groups.push_back(*std::move(group));
    }
    // A group that may be empty has no summary, as in use.
    const inference::Simulation simulation{.draws = kDraws, .seed = piece.stream.word() >> 12, .threads = 1};
    const bool answered = groups.size() == 2;
    const auto test = answered ? test_equal_means(groups, {.alpha = kAlpha, .with_power = false, .simulation = simulation})
                               : Result<inference::MeansTest>(Error::invalid("group", "empty", "must have people"));
    tally.add(kind, test && test->p_value.value_or(1) <= kAlpha, !test);
  }
  return {};
}

struct Counts {
  const char* name;
  Relation relation;
  Membership membership;
};
const std::array kCounts = {Counts{"public groups", Relation::ReplaceOne, Membership::Public},
                            Counts{"private groups, replace-one", Relation::ReplaceOne, Membership::Private},
                            Counts{"private groups, add-or-remove-one", Relation::AddOrRemoveOne, Membership::Private}};

struct Law {
  const char* name;
  RowLaw law;
};
constexpr std::array kLaws = {Law{"uniform", RowLaw::Uniform}, Law{"equicorrelated", RowLaw::Equicorrelated},
                              Law{"spiked", RowLaw::Spiked},   Law{"small", RowLaw::Small},
                              Law{"far", RowLaw::Far},         Law{"off centre", RowLaw::Uniform}};

/// Private counts are measured where they matter: at means away from the middle, as an error in the
/// number of people moves those.
bool is_of_interest(const Law& law, const Counts& counts, std::size_t d) {
  if (d == 1 && (law.law == RowLaw::Equicorrelated || law.law == RowLaw::Spiked)) return false;
  return counts.membership == Membership::Public || law.name == std::string("uniform") || law.law == RowLaw::Far;
}

RowDesign rows_of(std::size_t d, std::size_t n, const Law& law, bool is_public) {
  RowDesign rows{.dimension = d, .people = n, .law = law.law, .width = kWidth};
  if (!is_public && law.law == RowLaw::Uniform) rows.mean = 1 - kWidth;
  if (law.name == std::string("off centre")) {
    rows.width = kOffCentreWidth;
    rows.mean = kOffCentre;
  }
  return rows;
}

/// The kinds: for each of kCounts pure and Gaussian noise, and at last ED.
std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  for (const Counts& counts : kCounts) {
    for (const char* noise : {"pure", "gaussian"})
      all.push_back({fmt::format("infer two-sample keeps its level, {}", counts.name), fmt::format("{} noise", noise), kAlpha});
  }
  all.push_back({"a test on covariances by ED", "without regard to their directions", kAlpha});
  return all;
}

LevelGrid grid() {
  LevelGrid grid{.title = "infer two-sample: levels over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 100,
                 .in_a_hurry = 60,
                 .every = 53,
                 .planted = 600};
  for (const std::size_t d : {std::size_t{30}, std::size_t{10}, std::size_t{1}}) {
    for (std::size_t c = 0; c < kCounts.size(); ++c) {
      const Counts& counts = kCounts[c];
      for (const std::size_t n : {100U, 1000U, 10'000U, 100'000U}) {
        for (const double epsilon : {0.1, 0.5, 1.0, 5.0}) {
          for (const Law& law : kLaws) {
            if (!is_of_interest(law, counts, d)) continue;
            for (const Noise noise : {Noise::Pure, Noise::Gaussian}) {
              const std::size_t kind = 2 * c + (noise == Noise::Pure ? 0 : 1);
              const Design design{rows_of(d, n, law, counts.membership == Membership::Public), epsilon, noise, counts.relation,
                                  counts.membership};
              grid.settings.push_back({fmt::format("{}, {}, {}, d {}, n {}, epsilon {}", counts.name,
                                                   noise == Noise::Pure ? "pure" : "gaussian", law.name, d, n, epsilon),
                                       [design, kind](Piece& piece, ErrorTally& tally) { return count(design, kind, piece, tally); }});
            }
          }
        }
      }
    }
  }
  struct OffCentre {
    std::size_t d, n;
    double epsilon;
  };
  for (const OffCentre& one : {OffCentre{2, 5000, 5}, {2, 2000, 10}, {4, 2000, 20}, {2, 30'000, 2}}) {
    for (const Noise noise : {Noise::Ed, Noise::Pure}) {
      const bool is_ed = noise == Noise::Ed;
      const std::size_t kind = is_ed ? 2 * kCounts.size() : 0;
      const Design design{rows_of(one.d, one.n, kLaws.back(), true), one.epsilon, noise};
      grid.settings.push_back(
          {.name = fmt::format("{}, off centre, d {}, n {}, epsilon {}", is_ed ? "ed" : "pure", one.d, one.n, one.epsilon),
           .count = [design, kind](Piece& piece, ErrorTally& tally) { return count(design, kind, piece, tally); },
           .planted = is_ed});
    }
  }
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "levels_of_equal_means",
          .title = "Levels of the test of equal means",
          .paper = "Tacet's own promise (docs/explanation/two_samples.md)",
          .shows =
              "How often infer two-sample rejects equal means at alpha 0.05: 1 to 30 columns, 100 to 100,000 people in each group, "
              "noise of epsilon 0.1 to 5 or Gaussian noise of rho = epsilon^2/2, six kinds of rows, public and private groups.",
          .version = 1,
          .seconds = 29,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::levels_of_equal_means
