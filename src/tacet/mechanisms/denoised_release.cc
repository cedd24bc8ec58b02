#include "tacet/mechanisms/denoised_release.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr const char* kDenoisedKind = "denoised-counts";
constexpr ReleaseFields kDenoisedFields("give a file written by `import table`");

/// What the values of such a table show.
Status check_denoised_values(const DenoisedRelease& release) {
  if (release.shrink == Shrinkage::None && release.project == Projection::None)
    return kDenoisedFields.bad("denoised", "with nothing done", "must shrink or project");
  if (release.project == Projection::Bounds) return kDenoisedFields.bad("project", "bounds", "must be none, nonnegative or simplex");
  const bool gaussian =
      release.table.noise.family == kernel::NoiseFamily::Gaussian && release.table.noise.support == NoiseSupport::Continuous;
  if (release.shrink != Shrinkage::None && !gaussian) {
    return kDenoisedFields.bad("shrink", fmt::format("{} of {} noise", name(release.shrink), noise_name(release.table.noise)),
                               "must be of gaussian noise");
  }
  const bool negative = std::any_of(release.table.values.begin(), release.table.values.end(), [](double value) { return value < 0; });
  if (release.project != Projection::None && negative) {
    return kDenoisedFields.bad("values", "a table with a negative cell",
                               fmt::format("must not be negative where project is {}", name(release.project)));
  }
  if (release.project == Projection::Simplex || (release.shrink == Shrinkage::RankDeficient && release.project == Projection::None))
    return check_keeps_total(release.table);
  return {};
}

}  // namespace

json to_json(const DenoisedRelease& release) {
  json file = to_json(release.table);
  file.update(header_json(release.header, kDenoisedKind));
  file["denoised"] = {{"shrink", name(release.shrink)}, {"project", name(release.project)}};
  return file;
}

Result<DenoisedRelease> denoised_release_from_json(const json& value) {
  DenoisedRelease release{};
  TACET_TRY(release.table, changed_counts_from_json(value, kDenoisedKind));
  std::swap(release.header, release.table.header);
  TACET_TRY(const json* done, kDenoisedFields.member(value, "denoised"));
  TACET_TRY(release.shrink, kDenoisedFields.choice<Shrinkage>(*done, "shrink", "shrink"));
  TACET_TRY(release.project, kDenoisedFields.choice<Projection>(*done, "project", "project"));
  TACET_CHECK(check_denoised_values(release));
  return release;
}

}  // namespace tacet::mechanisms
