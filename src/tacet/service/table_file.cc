#include "tacet/service/table_file.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/service/request.h"

namespace tacet::service {

Result<mechanisms::Flattened> read_table(const std::string& path, const std::string& name) {
  TACET_TRY(const Json json, mechanisms::read_json_file(path, name));
  return mechanisms::flatten(json, name);
}

Result<mechanisms::Matrix> read_square_matrix(const std::string& path, const std::string& name) {
  TACET_TRY(mechanisms::Flattened table, read_table(path, name));
  constexpr std::size_t kMostColumns = 64;
  if (table.shape.size() == 2 && table.shape[0] == table.shape[1] && table.shape[0] <= kMostColumns)
    return mechanisms::Matrix{table.shape[0], table.shape[1], std::move(table.values)};
  return Error::invalid(name, fmt::format("a table of {}", fmt::join(table.shape, " x ")),
                        fmt::format("must be a square matrix of at most {0} x {0}", kMostColumns),
                        "for example a file that holds [[4, 1], [1, 2]]");
}

Result<mechanisms::Flattened> probabilities_field(const Json& request, const std::string& name) {
  return read_table(*text_field(request, name), name);
}

Result<mechanisms::Flattened> square_matrix_field(const Json& request, const std::string& name) {
  TACET_TRY(mechanisms::Matrix matrix, read_square_matrix(*text_field(request, name), name));
  return mechanisms::Flattened{{matrix.rows, matrix.columns}, std::move(matrix.values)};
}

}  // namespace tacet::service
