#include "tacet/base/wide.h"

#include <algorithm>

namespace tacet {

std::string to_string(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  UInt128 rest = negative ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string digits;
  for (; rest != 0; rest /= 10) digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace tacet
