#include "tacet/workflow/release/import_table.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

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
                          "import the table before it was truncated; `infer estimate` truncates with project = nonnegative");
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
                            "table before it was changed");
    }
  }
  return {};
}

}  // namespace

Result<CountRelease> import_table(const TableImport& table) {
  if (!(table.noise.scale >= 1e-100 && table.noise.scale <= 1e100)) {
    return Error::invalid("noise scale", fmt::format("{}", table.noise.scale),
                          "must be a finite number greater than 0, between 1e-100 and 1e100", "for example: noise = gaussian:2.83");
  }
  if (table.n) TACET_CHECK(mechanisms::check_people(*table.n));
  if (table.noise.support == mechanisms::NoiseSupport::Integers) TACET_CHECK(mechanisms::check_on_integers(table.values));
  TACET_CHECK(check_untouched(table));
  CountRelease release{};
  TACET_TRY(release.shape, imported_shape(table.values.size(), table.shape));
  release.header.statement = R"({"import":"table"})";
  release.axes = table.axes;
  release.values = table.values;
  release.n = table.n;
  release.noise = table.noise;
  return imported(std::move(release), table.out);
}

}  // namespace tacet
