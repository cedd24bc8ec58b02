#include "tacet/service/p_value_words.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/monte_carlo.h"
#include "tacet/report/text_table.h"

namespace tacet::service {

std::string p_value_words(std::optional<double> p_value, std::optional<std::size_t> draws) {
  if (!p_value) return "p-value unknown";
  if (*p_value == 0) return "p-value below 1e-300";
  if (!draws) return fmt::format("p-value {:.4g}", *p_value);
  const auto simulated = static_cast<double>(*draws);
  if (std::abs(*p_value * (simulated + 1) - 1) < 1e-6)
    return fmt::format("p-value at most {:.4g} as none of {} simulations reached the statistic", *p_value, report::readable(simulated));
  // The draws stopped once enough had reached the statistic: the relative error is about 1/20.
  const bool stopped = std::abs(*p_value * simulated - static_cast<double>(inference::kEnoughReached)) < 1e-6;
  return stopped ? fmt::format("p-value {:.2g}", *p_value) : fmt::format("p-value {:.4g}", *p_value);
}

}  // namespace tacet::service
