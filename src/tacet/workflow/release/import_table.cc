#include "tacet/workflow/release/import_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/estimates/denoise.h"
#include "tacet/inference/noise_of_cells.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/workflow/release/declared_release.h"

namespace tacet {
namespace {

/// All values are whole numbers of steps, up to a millionth of a step.
bool multiples(const std::vector<double>& values, double step) {
  return std::all_of(values.begin(), values.end(), [step](double value) {
    const double steps = value / step;
    return std::abs(steps - std::nearbyint(steps)) <= 1e-6;
  });
}

/// Values that were printed with so few digits may sum to n by chance.
constexpr double kFewDigits = 1e-4;

/// Tables that were changed after their noise was added: their noise is not what was declared. Only
/// signs that continuous noise never shows are refused.
Status check_untouched(const TableImport& table) {
  if (table.noise.support == mechanisms::NoiseSupport::Integers || multiples(table.values, 1)) return {};
  if (std::count(table.values.begin(), table.values.end(), 0.0) > 1) {
    return Error::invalid("values", "a table with several cells that are exactly 0",
                          "must be as they were published with their noise; these look truncated at 0",
                          "import the table as it was before, or say what was done to it: project = nonnegative, or shrink");
  }
  const bool independent = table.noise.structure == NoiseStructure::Independent;
  if (table.n && independent && table.values.size() > 1 && !multiples(table.values, kFewDigits)) {
    double sum = 0;
    double size = *table.n;
    for (const double value : table.values) {
      sum += value;
      size += std::abs(value);
    }
    if (std::abs(sum - *table.n) <= 1e-12 * size) {
      return Error::invalid("values", "a table that sums to n exactly",
                            "must have independent noise in each cell, which changes the sum; these look projected, scaled or shrunk",
                            "for noise that keeps the total (covariance s^2 (I - 11'/p)) use structure = sum-zero; otherwise import the "
                            "table as it was before, or say what was done to it with shrink and project");
    }
  }
  return {};
}

bool means_a_total(std::string label) {
  std::transform(label.begin(), label.end(), label.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kWords[] = {"total", "totals", "sum", "all", "overall"};
  return std::find(std::begin(kWords), std::end(kWords), label) != std::end(kWords);
}

/// Whether the cells of one category are the sums of the others, as far as noise tells.
bool adds_up_others(const TableImport& table, std::size_t axis, std::size_t category) {
  constexpr double kNear = 6;  // standard deviations
  const std::size_t labels = table.axes[axis].labels.size();
  std::size_t inner = 1;
  for (std::size_t after = axis + 1; after < table.axes.size(); ++after) inner *= table.axes[after].labels.size();
  std::vector<double> apart(table.values.size() / labels);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    apart[i / (inner * labels) * inner + i % inner] += i / inner % labels == category ? table.values[i] : -table.values[i];
  const double most = kNear * std::sqrt(inference::noise_variance(table.noise) * static_cast<double>(labels));
  return std::all_of(apart.begin(), apart.end(), [most](double value) { return std::abs(value) <= most; });
}

/// A category called total that adds up the others counts everybody twice.
Status check_without_totals(const TableImport& table) {
  std::size_t cells = 1;
  for (const auto& axis : table.axes) cells *= axis.labels.size();
  if (table.axes.empty() || cells != table.values.size()) return {};
  for (std::size_t axis = 0; axis < table.axes.size(); ++axis) {
    const std::vector<std::string>& labels = table.axes[axis].labels;
    for (std::size_t category = 0; labels.size() > 2 && category < labels.size(); ++category) {
      if (!means_a_total(labels[category]) || !adds_up_others(table, axis, category)) continue;
      return Error::invalid("values", fmt::format("a table with totals (category {} of {})", category + 1, labels.size()),
                            "must count everybody once: this category is named as a total, and adds up the others",
                            "leave it out; everything that totals are good for follows from the cells");
    }
  }
  return {};
}

Status check_noise_and_people(const TableImport& table) {
  if (!(table.noise.scale >= 1e-100 && table.noise.scale <= 1e100)) {
    return Error::invalid("noise scale", fmt::format("{}", table.noise.scale),
                          "must be a finite number greater than 0, between 1e-100 and 1e100", "for example: noise = gaussian:2.83");
  }
  if (table.n) TACET_CHECK(mechanisms::check_people(*table.n));
  return {};
}

Result<CountRelease> declared_counts(const TableImport& table) {
  CountRelease release{};
  TACET_TRY(release.shape, imported_shape(table.values.size(), table.shape));
  release.axes = table.axes;
  release.values = table.values;
  release.n = table.n;
  release.noise = table.noise;
  return release;
}

constexpr const char* kImportStatement = R"({"import":"table"})";

}  // namespace

Result<CountRelease> import_table(const TableImport& table) {
  TACET_CHECK(check_noise_and_people(table));
  if (table.noise.support == mechanisms::NoiseSupport::Integers) TACET_CHECK(mechanisms::check_on_integers(table.values));
  TACET_CHECK(check_untouched(table));
  TACET_CHECK(check_without_totals(table));
  TACET_TRY(CountRelease release, declared_counts(table));
  release.header.statement = kImportStatement;
  return imported(std::move(release), table.out);
}

Result<DenoisedRelease> import_denoised_table(const TableImport& table, Shrinkage shrink, Projection project) {
  TACET_CHECK(check_noise_and_people(table));
  if (shrink == Shrinkage::None && project == Projection::None) {
    return Error::invalid("shrink", "none", "must be js0, js, js+ or rjs, or project nonnegative or simplex",
                          "import the table without them");
  }
  // Is this done to such tables at all?
  inference::DenoiseOptions done{.shrink = shrink, .project = project};
  if (project == Projection::Bounds)
    return Error::invalid("project", "bounds", "must be none, nonnegative or simplex for a published table", "use project = nonnegative");
  TACET_CHECK(inference::denoised_values(table.values, table.noise, table.n, done));
  TACET_CHECK(check_without_totals(table));
  DenoisedRelease release{};
  TACET_TRY(release.table, declared_counts(table));
  release.header.statement = kImportStatement;
  release.shrink = shrink;
  release.project = project;
  return imported(std::move(release), table.out);
}

}  // namespace tacet
