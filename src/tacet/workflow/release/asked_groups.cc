#include "tacet/workflow/release/asked_groups.h"

#include <fmt/format.h>

#include "tacet/schemas/column_request.h"

namespace tacet {

Result<std::optional<data::Groups>> asked_groups(const data::Schema& schema, const std::optional<std::string>& column,
                                                 const std::optional<data::Membership>& membership) {
  using data::Membership;
  if (!column) {
    if (membership == Membership::Public) return Error::invalid("membership", "public", "goes with group-by");
    return std::optional<data::Groups>();
  }
  if (column->find(',') != std::string::npos && schema.find(*column) == nullptr) {
    return Error::invalid("group-by", fmt::format("\"{}\"", column->substr(0, 60)), "must be one column",
                          "release by each column alone, or add a column to the data that joins them and declare its categories");
  }
  TACET_CHECK(schemas::check_tabulated(schema, {*column}));
  return std::optional(
      data::Groups{*column, membership.value_or(schema.relation.is_public(*column) ? Membership::Public : Membership::Private)});
}

}  // namespace tacet
