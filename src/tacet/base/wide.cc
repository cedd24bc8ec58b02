#include "tacet/base/wide.h"

#include <fmt/format.h>

namespace tacet {

std::string to_string(Int128 value) { return fmt::format("{}", value); }

}  // namespace tacet
