#include "tacet/service/json.h"

namespace tacet::service {

std::string dump(const Json& value, int indent) { return value.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace tacet::service
