#include "tacet/workflow/infer/histogram_source.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/inference/histograms/histogram_tree.h"

namespace tacet {
namespace {

Result<NoisyHistogram> found_in(const HistogramRelease& release, const HistogramPart& part) {
  if (part.given) {
    return Error::invalid("given", fmt::format("\"{}\"", text_of(*part.given)), "goes with a table of counts that has this column too",
                          "cross the columns with `release counts`, or release a histogram with a condition: where");
  }
  if (part.of && *part.of != release.column) {
    return Error::invalid("of", in_quotes(part.of->substr(0, 40)), fmt::format("must be the column of the histogram, {}", release.column));
  }
  return inference::noisy_histogram(release);
}

Result<NoisyHistogram> found_in(const CountRelease& release, const HistogramPart& part) {
  std::vector<std::size_t> binned;
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < release.axes.size(); ++axis) {
    if (release.axes[axis].edges.empty() || (part.of && release.axes[axis].name != *part.of)) continue;
    binned.push_back(axis);
    names.push_back(release.axes[axis].name);
  }
  if (binned.size() != 1) {
    return Error::invalid("of",
                          part.of ? in_quotes(part.of->substr(0, 40)) : fmt::format("missing, with {} columns of bins", binned.size()),
                          "must name one column of the release with bins and their edges",
                          names.size() > 1 ? fmt::format("choose one of: {}", fmt::join(names, ", "))
                                           : "release one: `release histogram`, or `release counts` by a column that declares bins");
  }
  std::vector<bool> chosen;
  if (part.given) {
    const auto& choices = part.given->all_of;
    if (std::any_of(choices.begin(), choices.end(), [&](const ColumnChoice& choice) { return choice.column == names[0]; }))
      return Error::invalid("given", fmt::format("\"{}\"", text_of(*part.given)), "must not be about the column of the histogram itself");
    TACET_TRY(chosen, cells_of(release, *part.given, "given"));
    if (std::count(chosen.begin(), chosen.end(), true) == 0)
      return Error::invalid("given", fmt::format("\"{}\"", text_of(*part.given)), "must have at least one cell of the table");
  }
  return inference::noisy_histogram(release, binned[0], chosen);
}

}  // namespace

Result<NoisyHistogram> histogram_in(const HistogramSource& source, const HistogramPart& part) {
  return std::visit(
      [&](const auto& release) -> Result<NoisyHistogram> {
        TACET_TRY(NoisyHistogram histogram, found_in(release, part));
        if (histogram.bins() <= inference::kMostTreeBins) return histogram;
        return Error::invalid("release", fmt::format("a histogram of {} bins", histogram.bins()),
                              fmt::format("must have at most {} bins", inference::kMostTreeBins), "release fewer and wider bins");
      },
      source);
}

AboutWhom about_whom(const HistogramSource& source) {
  return std::visit([](const auto& release) { return about_whom(release.header); }, source);
}

}  // namespace tacet
