#include "tacet/accounting/check.h"

#include <cmath>

#include <fmt/format.h>

namespace tacet::accounting {

Status check_between(const char* name, double value, double least, const char* least_text, double most, const char* most_text,
                     const char* remedy) {
  if (value >= least && value <= most) return {};
  return Error::invalid(name, fmt::format("{}", value), fmt::format("must be a finite number, at least {} and {}", least_text, most_text),
                        remedy);
}

}  // namespace tacet::accounting
