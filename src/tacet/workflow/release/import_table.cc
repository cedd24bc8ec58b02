#include "tacet/workflow/release/import_table.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/release_header.h"
#include "tacet/workflow/release/declared_release.h"

namespace tacet {

Result<CountRelease> import_table(const TableImport& table) {
  if (!(table.noise.scale >= 1e-100 && table.noise.scale <= 1e100)) {
    return Error::invalid("noise scale", fmt::format("{}", table.noise.scale),
                          "must be a finite number greater than 0, between 1e-100 and 1e100", "for example: noise = gaussian:2.83");
  }
  if (table.n) TACET_CHECK(mechanisms::check_people(*table.n));
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
