#include "tacet/service/null_file.h"

#include "tacet/mechanisms/json_file.h"
#include "tacet/service/request.h"

namespace tacet::service {

Result<mechanisms::Flattened> probabilities_field(const Json& request, const std::string& name) {
  TACET_TRY(const Json json, mechanisms::read_json_file(*text_field(request, name), name));
  return mechanisms::flatten(json, name);
}

Result<double> level_field(const Json& request, const std::string& name, double usual) {
  const auto text = number_field(request, name);
  if (!text) return usual;
  return plain_number(name, *text);
}

}  // namespace tacet::service
