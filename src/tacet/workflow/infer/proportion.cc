#include "tacet/workflow/infer/proportion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/level.h"

namespace tacet {
namespace {

constexpr std::size_t kMostProportions = 10'000;

Status mark(std::vector<inference::GroupMask>& masks, const CountRelease& release, const ProportionOf& asked, const std::string& parameter,
            unsigned event) {
  TACET_TRY(std::vector<bool> of, cells_of(release, asked.of, parameter));
  std::vector<bool> among(of.size(), true);
  if (asked.given) {
    TACET_TRY(among, cells_of(release, *asked.given, parameter));
  }
  bool possible = false;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (among[i]) masks[i] |= static_cast<inference::GroupMask>(2U << event);
    if (among[i] && of[i]) masks[i] |= static_cast<inference::GroupMask>(1U << event);
    possible = possible || (among[i] && of[i]);
  }
  if (possible) return {};
  return Error::invalid(parameter, fmt::format("\"{}\"", text_of(asked.of)),
                        "must have at least one cell of the table among the people given",
                        "the conditions exclude each other: choose others");
}

}  // namespace

Result<inference::GroupedCells> grouped(const CountRelease& release, const ProportionOf& first, const std::string& parameter,
                                        const std::optional<ProportionOf>& second, const std::string& second_parameter) {
  std::vector<inference::GroupMask> masks(release.values.size());
  TACET_CHECK(mark(masks, release, first, parameter, 0));
  if (second) TACET_CHECK(mark(masks, release, *second, second_parameter, 2));
  return inference::GroupedCells(release, masks);
}

ProportionRow row_of(const inference::Proportion& proportion, const ProportionOf& asked, const AboutWhom& about) {
  return {proportion.estimate,
          proportion.file,
          about.population(proportion.population),
          proportion.people,
          proportion.reason,
          text_of(asked.of),
          asked.given ? std::optional(text_of(*asked.given)) : std::nullopt};
}

std::optional<std::string> reason_of(const inference::Comparison& comparison, const AboutWhom& about) {
  const bool shown = !comparison.estimate || !about.no_population || std::isinf(comparison.file.upper);
  return shown ? comparison.reason : std::nullopt;
}

Result<ProportionAnswer> infer_proportions(const CountRelease& release, const ProportionOptions& options) {
  TACET_CHECK(inference::check_confidence(options.confidence));
  if (options.of.empty() || options.of.size() > kMostProportions || (options.minus && options.of.size() != 1)) {
    return Error::invalid(
        "of", fmt::format("a list of {}", options.of.size()),
        options.minus ? "must be one proportion where another is subtracted" : fmt::format("must be 1 to {} proportions", kMostProportions),
        "for example: of = smoking=current");
  }
  ProportionAnswer answer{{}, {}, options.confidence, options.intervals, about_whom(release.header)};
  double alpha = 1 - options.confidence;
  if (options.minus) {
    TACET_TRY(const inference::GroupedCells cells, grouped(release, options.of[0], "of", options.minus, "minus"));
    const inference::Comparison found = inference::compare_proportions(cells, {0, 1}, {2, 3}, inference::Measure::Difference, alpha);
    answer.difference = {found.estimate, found.file, answer.about.population(found.population), reason_of(found, answer.about)};
    answer.rows = {row_of(found.first, options.of[0], answer.about), row_of(found.second, *options.minus, answer.about)};
    return answer;
  }
  if (options.intervals == IntervalKind::Simultaneous) alpha /= static_cast<double>(options.of.size());
  for (const ProportionOf& asked : options.of) {
    TACET_TRY(const inference::GroupedCells cells, grouped(release, asked, "of"));
    answer.rows.push_back(row_of(inference::estimate_proportion(cells, {0, 1}, alpha), asked, answer.about));
  }
  return answer;
}

}  // namespace tacet
