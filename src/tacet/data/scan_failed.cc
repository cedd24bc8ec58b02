#include "tacet/data/scan_failed.h"

#include <fmt/format.h>

namespace tacet::data {

Error scan_failed(const std::string& shown) {
  return Error::of(
      Code::DataUnreadable, fmt::format("{} cannot be read as declared", shown),
      "it may be damaged, cut short, encrypted, not what its name says, in use by another program, too large for the memory, or "
      "a CSV file with a quote that is never closed; which of these is not told, because it may depend on a person");
}

}  // namespace tacet::data
