#include "tacet/service/table_file.h"

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/service/request.h"

namespace tacet::service {

Result<mechanisms::Flattened> probabilities_field(const Json& request, const std::string& name) {
  TACET_TRY(const Json json, mechanisms::read_json_file(*text_field(request, name), name));
  return mechanisms::flatten(json, name);
}

Result<mechanisms::Flattened> square_matrix_field(const Json& request, const std::string& name) {
  TACET_TRY(mechanisms::Flattened matrix, probabilities_field(request, name));
  constexpr std::size_t kMostColumns = 64;
  if (matrix.shape.size() == 2 && matrix.shape[0] == matrix.shape[1] && matrix.shape[0] <= kMostColumns) return matrix;
  return Error::invalid(name, fmt::format("a table of {}", fmt::join(matrix.shape, " x ")),
                        fmt::format("must be a square matrix of at most {0} x {0}", kMostColumns),
                        "for example a file that holds [[4, 1], [1, 2]]");
}

}  // namespace tacet::service
