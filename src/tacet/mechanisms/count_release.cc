#include "tacet/mechanisms/count_release.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kCountFields("give a file written by `release` or `import`");
constexpr double kTotalSlack = 1e-9;

struct NoiseName {
  kernel::NoiseFamily family;
  NoiseSupport support;
  std::string_view name;
};
constexpr NoiseName kNoiseNames[] = {{kernel::NoiseFamily::Gaussian, NoiseSupport::Continuous, "gaussian"},
                                     {kernel::NoiseFamily::Laplace, NoiseSupport::Continuous, "laplace"},
                                     {kernel::NoiseFamily::Gaussian, NoiseSupport::Integers, "discrete-gaussian"},
                                     {kernel::NoiseFamily::Laplace, NoiseSupport::Integers, "geometric"}};

Result<NoiseDistribution> noise_from(const json& value) {
  if (!value.is_object()) return kCountFields.bad("noise", words_for(value), "must be an object with family, scale and structure");
  TACET_TRY(const std::string family, kCountFields.text(value, "family"));
  std::optional<NoiseDistribution> noise = noise_named(family, 1);
  if (!noise) return kCountFields.bad("noise family", family, "must be gaussian, laplace, discrete-gaussian or geometric");
  TACET_TRY(const json* scale, kCountFields.member(value, "scale"));
  TACET_TRY(noise->scale, kCountFields.positive(*scale, "noise scale"));
  TACET_TRY(noise->structure, kCountFields.choice<NoiseStructure>(value, "structure", "noise structure"));
  if (noise->structure == NoiseStructure::SumZero && family != kNoiseNames[0].name) {
    return kCountFields.bad("noise structure", std::string(name(noise->structure)),
                            fmt::format("must be independent for {} noise", family));
  }
  return *noise;
}

}  // namespace

std::string_view noise_name(const NoiseDistribution& noise) {
  const auto* found = std::find_if(std::begin(kNoiseNames), std::end(kNoiseNames),
                                   [&](const NoiseName& one) { return one.family == noise.family && one.support == noise.support; });
  return found->name;
}

std::optional<NoiseDistribution> noise_named(std::string_view name, double scale) {
  const auto* found = std::find_if(std::begin(kNoiseNames), std::end(kNoiseNames), [&](const NoiseName& one) { return one.name == name; });
  if (found == std::end(kNoiseNames)) return std::nullopt;
  return NoiseDistribution{found->family, scale, NoiseStructure::Independent, found->support};
}

Status check_on_integers(const std::vector<double>& values) {
  for (const double value : values) {
    if (value == std::nearbyint(value)) continue;
    return Error::invalid("values", "a table with a fraction", "must be whole numbers, as noise on the integers leaves them",
                          "give the table as it was before anything was subtracted, shrunk or projected, or its continuous noise");
  }
  return {};
}

json to_json(const CountRelease& release) {
  json file = header_json(release.header, "counts");
  file.update(
      {{"n", release.n ? json(static_cast<std::int64_t>(*release.n)) : json(nullptr)},
       {"grid", release.grid ? json(*release.grid) : json(nullptr)},
       {"noise", {{"family", noise_name(release.noise)}, {"scale", release.noise.scale}, {"structure", name(release.noise.structure)}}}});
  write_table(release, file);
  return file;
}

Status check_keeps_total(const CountRelease& release) {
  if (!release.n) return kCountFields.bad("n", "null", "must be there, as the table keeps the total");
  double sum = 0;
  double size = *release.n;
  for (const double value : release.values) {
    sum += value;
    size += std::abs(value);
  }
  if (std::abs(sum - *release.n) <= kTotalSlack * size) return {};
  return kCountFields.bad("values", fmt::format("a table of {}", sum), fmt::format("must sum to n, {}, as the table keeps it", *release.n));
}

Result<CountRelease> changed_counts_from_json(const json& value, std::string_view kind) {
  TACET_CHECK(kCountFields.check_kind(value, kind));
  CountRelease release{};
  TACET_TRY(const json* n, kCountFields.member(value, "n"));
  if (!n->is_null()) {
    TACET_TRY(release.n, kCountFields.finite(*n, "n"));
    TACET_CHECK(check_people(*release.n));
  }
  TACET_CHECK(kCountFields.read_table(value, release));
  TACET_TRY(const json* noise, kCountFields.member(value, "noise"));
  TACET_TRY(release.noise, noise_from(*noise));
  TACET_TRY(const json* grid, kCountFields.member(value, "grid"));
  if (!grid->is_null()) {
    if (release.noise.support == NoiseSupport::Integers)
      return kCountFields.bad("grid", words_for(*grid), "must be null for noise on the integers");
    TACET_TRY(release.grid, kCountFields.positive(*grid, "grid"));
    if (*release.grid > release.noise.scale) {
      return kCountFields.bad("grid", fmt::format("{}", *release.grid),
                              fmt::format("must be at most the noise scale, {}", release.noise.scale));
    }
  }
  TACET_TRY(release.header, kCountFields.header(value));
  return release;
}

Result<CountRelease> count_release_from_json(const json& value) {
  TACET_TRY(CountRelease release, changed_counts_from_json(value, "counts"));
  if (release.noise.support == NoiseSupport::Integers) TACET_CHECK(check_on_integers(release.values));
  if (release.noise.structure == NoiseStructure::SumZero) {
    if (!release.n) return kCountFields.bad("noise structure", "sum-zero", "keeps the total n, which must be there then");
    TACET_CHECK(check_keeps_total(release));
  }
  return release;
}

}  // namespace tacet::mechanisms
