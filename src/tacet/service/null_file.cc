#include "tacet/service/null_file.h"

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
  if (matrix.shape.size() == 2 && matrix.shape[0] == matrix.shape[1]) return matrix;
  return Error::invalid(name, fmt::format("a table of {}", fmt::join(matrix.shape, " x ")), "must be a square matrix",
                        "for example a file that holds [[4, 1], [1, 2]]");
}

Result<double> level_field(const Json& request, const std::string& name, double usual) {
  const auto text = number_field(request, name);
  if (!text) return usual;
  return plain_number(name, *text);
}

}  // namespace tacet::service
