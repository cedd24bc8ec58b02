#include "tacet/mechanisms/count_release.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kCountFields("give a file written by `release` or `import`");
constexpr double kTotalSlack = 1e-9;

Result<NoiseDistribution> noise_from(const json& value) {
  if (!value.is_object()) return kCountFields.bad("noise", words_for(value), "must be an object with family, scale and structure");
  NoiseDistribution noise{};
  TACET_TRY(noise.family, kCountFields.choice<kernel::NoiseFamily>(value, "family", "noise family"));
  TACET_TRY(const json* scale, kCountFields.member(value, "scale"));
  TACET_TRY(noise.scale, kCountFields.positive(*scale, "noise scale"));
  TACET_TRY(noise.structure, kCountFields.choice<NoiseStructure>(value, "structure", "noise structure"));
  if (noise.structure == NoiseStructure::SumZero && noise.family != kernel::NoiseFamily::Gaussian)
    return kCountFields.bad("noise structure", std::string(name(noise.structure)), "must be independent for Laplace noise");
  return noise;
}

/// Noise that keeps the total leaves a table with total n, up to the rounding of its sum.
Status check_total(const CountRelease& release) {
  if (!release.n) return kCountFields.bad("noise structure", "sum-zero", "keeps the total n, which must be there then");
  double sum = 0;
  double size = *release.n;
  for (const double value : release.values) {
    sum += value;
    size += std::abs(value);
  }
  if (std::abs(sum - *release.n) <= kTotalSlack * size) return {};
  return kCountFields.bad("values", fmt::format("a table of {}", sum),
                          fmt::format("must sum to n, {}, as noise of structure sum-zero keeps it", *release.n));
}

}  // namespace

json to_json(const CountRelease& release) {
  json file = header_json(release.header, "counts");
  file.update(
      {{"n", release.n ? json(static_cast<std::int64_t>(*release.n)) : json(nullptr)},
       {"grid", release.grid ? json(*release.grid) : json(nullptr)},
       {"noise", {{"family", name(release.noise.family)}, {"scale", release.noise.scale}, {"structure", name(release.noise.structure)}}}});
  write_table(release, file);
  return file;
}

Result<CountRelease> count_release_from_json(const json& value) {
  TACET_CHECK(kCountFields.check_kind(value, "counts"));
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
    TACET_TRY(release.grid, kCountFields.positive(*grid, "grid"));
    if (*release.grid > release.noise.scale) {
      return kCountFields.bad("grid", fmt::format("{}", *release.grid),
                              fmt::format("must be at most the noise scale, {}", release.noise.scale));
    }
  }
  if (release.noise.structure == NoiseStructure::SumZero) TACET_CHECK(check_total(release));
  TACET_TRY(release.header, kCountFields.header(value));
  return release;
}

}  // namespace tacet::mechanisms
