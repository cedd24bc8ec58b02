#include "tacet/inference/level.h"

#include <fmt/format.h>

namespace tacet::inference {

Status check_alpha(double alpha, AlphaOf what) {
  const bool test = what == AlphaOf::Test;
  if (test ? alpha >= 1e-9 && alpha <= 0.5 : alpha >= 1e-300 && alpha < 1) return {};
  return Error::invalid("alpha", fmt::format("{}", alpha),
                        test ? "must be at least 1e-9 and at most 0.5" : "must be at least 1e-300 and less than 1",
                        "for example: alpha = 0.05");
}

Status check_confidence(double confidence) {
  if (confidence >= 0.5 && confidence <= 1 - 1e-9) return {};
  return Error::invalid("confidence", fmt::format("{}", confidence), "must be at least 0.5 and at most 1 - 1e-9",
                        "for example: confidence = 0.95");
}

}  // namespace tacet::inference
