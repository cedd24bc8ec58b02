#include "tacet/service/volume_words.h"

#include <cmath>

#include <fmt/format.h>

namespace tacet::service {

std::optional<double> volume_of(double log_volume) {
  const double volume = std::exp(log_volume);
  if (volume > 0 && std::isfinite(volume)) return volume;
  return std::nullopt;
}

std::string volume_words(double log_volume) {
  const std::optional<double> volume = volume_of(log_volume);
  return volume ? fmt::format("{:.4g}", *volume) : fmt::format("e^{:.4g}", log_volume);
}

}  // namespace tacet::service
