#include "tacet/inference/level.h"

#include <fmt/format.h>

namespace tacet::inference {

Status check_alpha(double alpha) {
  if (alpha >= 1e-9 && alpha <= 0.5) return {};
  return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5", "for example: alpha = 0.05");
}

}  // namespace tacet::inference
