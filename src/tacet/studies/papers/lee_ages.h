// tacet/studies/papers/lee_ages.h: what Lee's simulations of tests share: two populations by age,
// and tests by 5000 simulated tables that stop drawing when nothing can change any more.
//
//   const std::vector<double> korea = age_shares(Country::Korea, /*years=*/10);   // of 9 groups
//   const std::vector<double> null = {1.2, 0.3};   // in place of statistics of simulated tables
//   const bool rejected = rejects(/*statistic=*/2.3, /*seed=*/7, [&](const auto& simulation) {
//     return std::vector<double>(*simulation.draws, null[simulation.seed % 2]);
//   });
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/report/figure.h"
#include "tacet/studies/papers/lee_tables.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

using inference::Simulation;

enum class Country : std::uint8_t { Korea, UnitedStates };

/// The shares of age groups of 5 or 10 years in 2020.
std::vector<double> age_shares(Country country, std::size_t years);

/// A panel of the figures.
struct AgeSetting {
  std::size_t years;
  const char* mu;

  std::string name() const;  // "p=18 mu=0.1"
};
inline constexpr std::array<AgeSetting, 4> kAgeSettings = {{{5, "0.1"}, {5, "0.3"}, {10, "0.1"}, {10, "0.3"}}};

inline constexpr double kAgeAlpha = 0.05;

/// The mechanisms of the figures, truncated, and beside them our usual test of the noise of M_G.
const std::vector<std::string>& age_mechanisms();
inline constexpr const char* kOurAgeTest = "M_G, projected (ours)";
/// One of them; ours is not truncated.
Result<TableMechanism> age_mechanism(const AgeSetting& setting, const std::string& name);
/// What a table with these values says of its total, if its noise keeps it.
std::optional<double> shown_total(const TableMechanism& mechanism, std::span<const double> values);

/// The name of a cell.
std::string age_cell(const AgeSetting& setting, const std::string& mechanism, double n);

/// Calls `use` for each of `tables` released tables: multinomial counts of n people, with noise.
Status for_released(numeric::InsecureStream& stream, double n, const std::vector<double>& shares,
                    const mechanisms::NoiseDistribution& noise, std::size_t tables,
                    const std::function<Status(std::size_t table, std::span<const double> values)>& use);

/// Whether p = (1 + #{T* >= T})/(B + 1) is at most kAgeAlpha, B = 5000. It stops early when the
/// draws so far would have a chance below 2e-6 if all of them were to say otherwise.
/// Theorem  Hoeffding (1963), Theorem 4: the draws so far are a sample of all, without
///          replacement.
bool rejects(double statistic, std::uint64_t seed, const std::function<std::vector<double>(const Simulation& simulation)>& null);

/// How far `a` is above `b` in the errors that one of `count` comparisons may have by chance.
double excess(const Rate& a, const Rate& b, std::size_t count);
/// The same above a level that is known.
double excess_over_alpha(const Rate& rate, std::size_t count);

/// The numbers of people of a setting.
using PeopleOf = std::vector<double> (*)(const AgeSetting& setting);

/// The age cells of a mechanism with this mu ("": every one) and n from `low` to `high`.
std::vector<std::string> age_cells(PeopleOf people, const std::string& mechanism, std::string_view mu, double low = 0, double high = 1e9);
/// Calls `use` where the best power of the paper's mechanisms, sum 1 of their cells, is neither
/// small nor near 1: 0.25 to 0.98.
void for_telling(PeopleOf people, const Measured& measured, const std::function<void(const AgeSetting& setting, double n)>& use);

/// Figures with a panel for each setting: type I errors, sum 0 of the age cells, and powers, sum
/// 1. The first has lines at 0.05, and where a share of 1000 trials has 0.05 within two errors.
/// A table has both in rows.
Findings age_findings(PeopleOf people, const Measured& measured, const std::string& levels, const std::string& powers);

}  // namespace tacet::studies
