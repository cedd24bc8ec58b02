#include "tacet/planning/people_needed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacet::planning {

Result<double> people_needed(double wanted, double alpha, double most, const std::function<Result<double>(double people)>& power) {
  if (!(wanted > alpha && wanted < 1)) {
    return Error::invalid("power", fmt::format("{}", wanted), "must be greater than alpha and less than 1", "for example: --power 0.8");
  }
  double enough = 1;
  double too_few = 0;
  while (true) {
    TACET_TRY(const double reached, power(enough));
    if (reached >= wanted) break;
    too_few = enough;
    if (enough >= most) {
      return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not reach a power of {}", most, wanted),
                       "suppose a larger deviation, or allow less noise");
    }
    enough = std::min(2 * enough, most);
  }
  while (enough - too_few > 1) {
    const double middle = std::floor((enough + too_few) / 2);
    TACET_TRY(const double reached, power(middle));
    (reached >= wanted ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace tacet::planning
