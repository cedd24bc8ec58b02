// tacet/mechanisms/release_file.h: the public file that a release leaves behind. Release once, infer for ever.
//
//   Release r = *read_release("smoking.json");
//   r.values;   // noisy, row-major, the last axis runs fastest
//   r.noise;    // the exact law of what was added
//
// A Release carries its values, their noise law, its privacy and its public facts, so that any later inference, by anyone,
// costs nothing. docs/reference/release_file.md describes the JSON.
// Domain   numbers of at most 1e100 in size, scales of at least 1e-100: what is read here never overflows later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/local_randomizer.h"

namespace tacet::mechanisms {

/// Independent over cells, or projected onto the tables that keep the total (covariance scale^2 (I - 11'/p)).
enum class NoiseStructure : std::uint8_t { Independent, SumZero };

struct NoiseDistribution {
  kernel::NoiseFamily family;
  double scale;  // standard deviation of a Gaussian, scale of a Laplace; of each cell before any projection. NaN in a local release
  NoiseStructure structure = NoiseStructure::Independent;
};

struct ReleaseAxis {
  std::string name;
  std::vector<std::string> labels;
};

/// What people reported who randomised their values themselves: the law of a report, and the reports altogether.
struct LocalReports {
  LocalRandomizer law;
  std::vector<double> reports;  // in the shape of the values: counts (exp), or the mean of each coordinate
};

struct Release {
  std::string kind = "counts";    // or "local", and then `local` is there
  nlohmann::json statement;       // what was asked for
  std::optional<double> n;        // the number of people, where it is public
  std::vector<ReleaseAxis> axes;  // empty: an imported table without names
  std::vector<std::size_t> shape;
  std::vector<double> values;
  std::optional<double> grid;  // values are multiples of this before any projection
  NoiseDistribution noise;
  std::optional<LocalReports> local;
  nlohmann::json privacy;  // currency, parameters, neighbours; {"currency": null} when nobody said
  std::string guarantee;   // "exact", "idealised" or "unknown"
  nlohmann::json ledger;   // the receipt; null for an imported table
  std::string time;        // RFC 3339, UTC; empty for an imported table

  /// "smoking=never, disease=yes", or "cell 3" where there are no names.
  std::string cell_name(std::size_t cell) const;
};

/// The most cells and dimensions that a file may have.
inline constexpr std::size_t kMostReleasedCells = 10'000'000;
inline constexpr std::size_t kMostAxes = 32;

/// For what knows counts with noise alone: InvalidArgument, naming the kind, for any other release.
Status check_counts(const Release& release);

/// Unbiased estimates of the true counts from n reports. `privacy` is what the collector says of them.
Result<Release> describe_local(LocalReports local, double n, std::vector<std::size_t> shape, nlohmann::json privacy);

/// A number of people: whole, and small enough for a double to count one by one.
Status check_people(double n);

nlohmann::json to_json(const Release& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<Release> release_from_json(const nlohmann::json& value);
Result<Release> read_release(const std::string& path);

/// Nested arrays, as deep as `shape` is long; and back. Every number must be finite and every row of equal length.
nlohmann::json nested(const std::vector<double>& values, const std::vector<std::size_t>& shape);
struct Flattened {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};
Result<Flattened> flatten(const nlohmann::json& value, const std::string& name);

}  // namespace tacet::mechanisms
