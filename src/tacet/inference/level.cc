#include "tacet/inference/level.h"

#include <fmt/format.h>

namespace tacet::inference {

Status check_alpha(double alpha) {
  if (alpha >= 1e-9 && alpha <= 0.5) return {};
  return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5", "for example: alpha = 0.05");
}

Status check_confidence(double confidence) {
  if (confidence >= 0.5 && confidence <= 1 - 1e-9) return {};
  return Error::invalid("confidence", fmt::format("{}", confidence), "must be at least 0.5 and at most 1 - 1e-9",
                        "for example: confidence = 0.95");
}

}  // namespace tacet::inference
