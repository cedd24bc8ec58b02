#include "tacet/mechanisms/histogram_release.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kHistogramFields("give a file written by `release histogram`");

Status read_levels(const json& value, HistogramRelease& release) {
  TACET_TRY(const json* levels, kHistogramFields.member(value, "values"));
  const std::vector<std::size_t> sizes = level_sizes(release.edges.size() - 1, release.branching);
  if (!levels->is_array() || levels->size() != sizes.size()) {
    return kHistogramFields.bad("values", levels->is_array() ? fmt::format("{} levels", levels->size()) : words_for(*levels),
                                fmt::format("must be a list of {} levels, for these edges and this branching", sizes.size()));
  }
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const json& list = (*levels)[level];
    if (!list.is_array() || list.size() != sizes[level]) {
      return kHistogramFields.bad("values", list.is_array() ? fmt::format("a level of {}", list.size()) : words_for(list),
                                  fmt::format("must have {} numbers at level {}", sizes[level], level + 1));
    }
    std::vector<double>& numbers = release.values.emplace_back();
    for (const json& item : list) {
      TACET_TRY(const double number, kHistogramFields.finite(item, "values"));
      numbers.push_back(number);
    }
  }
  return {};
}

Status read_noise(const json& value, HistogramRelease& release) {
  TACET_TRY(const json* noise, kHistogramFields.member(value, "noise"));
  if (!noise->is_object()) return kHistogramFields.bad("noise", words_for(*noise), "must be an object with family, scale and structure");
  TACET_TRY(release.noise.family, kHistogramFields.choice<kernel::NoiseFamily>(*noise, "family", "noise family"));
  TACET_TRY(const json* scale, kHistogramFields.member(*noise, "scale"));
  TACET_TRY(release.noise.scale, kHistogramFields.positive(*scale, "noise scale"));
  TACET_TRY(release.noise.structure, kHistogramFields.choice<NoiseStructure>(*noise, "structure", "noise structure"));
  if (release.noise.structure != NoiseStructure::Independent)
    return kHistogramFields.bad("noise structure", std::string(name(release.noise.structure)), "must be independent in a histogram");
  TACET_TRY(const json* grid, kHistogramFields.member(value, "grid"));
  if (grid->is_null()) return {};
  TACET_TRY(release.grid, kHistogramFields.positive(*grid, "grid"));
  if (*release.grid <= release.noise.scale) return {};
  return kHistogramFields.bad("grid", fmt::format("{}", *release.grid),
                              fmt::format("must be at most the noise scale, {}", release.noise.scale));
}

}  // namespace

std::vector<std::size_t> level_sizes(std::size_t bins, std::size_t branching) {
  std::vector<std::size_t> sizes{bins};
  if (branching < 2) return sizes;
  while (sizes.back() > branching) sizes.push_back((sizes.back() + branching - 1) / branching);
  return sizes;
}

HistogramRelease describe_histogram(const kernel::Released<kernel::NoisyVector>& released, HistogramBins bins,
                                    const std::optional<kernel::PublicFact<std::int64_t>>& n, std::string statement) {
  const kernel::NoisyVector& noisy = released.value();
  HistogramRelease release{};
  release.header = charged_header(noisy.loss, noisy.relation, noisy.receipt, std::move(statement));
  if (n) release.n = static_cast<double>(n->value());
  release.column = std::move(bins.column);
  release.edges = std::move(bins.edges);
  release.dates = bins.dates;
  release.branching = bins.branching;
  release.grid = std::ldexp(1.0, -noisy.plan.grid_log2);
  release.noise = {noisy.plan.family, noisy.plan.scale, NoiseStructure::Independent};
  std::size_t next = 0;
  const auto take = [&] { return std::ldexp(static_cast<double>(noisy.ticks.at(next++)), -noisy.plan.grid_log2); };
  for (const std::size_t size : level_sizes(release.edges.size() - 1, release.branching)) {
    std::vector<double>& level = release.values.emplace_back();
    for (std::size_t i = 0; i < size; ++i) level.push_back(take());
    if (release.values.size() == 1) release.missing = take();
  }
  return release;
}

json to_json(const HistogramRelease& release) {
  json file = header_json(release.header, "histogram");
  file.update(
      {{"n", release.n ? json(static_cast<std::int64_t>(*release.n)) : json(nullptr)},
       {"column", release.column},
       {"edges", release.edges},
       {"branching", release.branching},
       {"values", release.values},
       {"missing", release.missing},
       {"grid", release.grid ? json(*release.grid) : json(nullptr)},
       {"noise", {{"family", name(release.noise.family)}, {"scale", release.noise.scale}, {"structure", name(release.noise.structure)}}}});
  if (release.dates) file["dates"] = true;
  return file;
}

Result<HistogramRelease> histogram_release_from_json(const json& value) {
  TACET_CHECK(kHistogramFields.check_kind(value, "histogram"));
  HistogramRelease release{};
  TACET_TRY(const json* n, kHistogramFields.member(value, "n"));
  if (!n->is_null()) {
    TACET_TRY(release.n, kHistogramFields.finite(*n, "n"));
    TACET_CHECK(check_people(*release.n));
  }
  TACET_TRY(release.column, kHistogramFields.text(value, "column"));
  TACET_TRY(const json* edges, kHistogramFields.member(value, "edges"));
  TACET_TRY(release.edges, kHistogramFields.edges(*edges));
  TACET_TRY(release.dates, kHistogramFields.dates(value));
  if (release.edges.size() > kMostReleasedCells)
    return kHistogramFields.bad("edges", fmt::format("{}", release.edges.size()), fmt::format("must be at most {}", kMostReleasedCells));
  TACET_TRY(const json* branching, kHistogramFields.member(value, "branching"));
  if (!branching->is_number_unsigned() || branching->get<std::size_t>() < 1 || branching->get<std::size_t>() > kMostReleasedCells) {
    return kHistogramFields.bad("branching", branching->dump().substr(0, 40),
                                fmt::format("must be a whole number from 1 to {}", kMostReleasedCells));
  }
  release.branching = branching->get<std::size_t>();
  TACET_CHECK(read_levels(value, release));
  TACET_TRY(const json* missing, kHistogramFields.member(value, "missing"));
  TACET_TRY(release.missing, kHistogramFields.finite(*missing, "missing"));
  TACET_CHECK(read_noise(value, release));
  TACET_TRY(release.header, kHistogramFields.header(value));
  return release;
}

}  // namespace tacet::mechanisms
