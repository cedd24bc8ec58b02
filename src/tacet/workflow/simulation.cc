#include "tacet/workflow/simulation.h"

#include <utility>

namespace tacet {

Simulation told(Simulation simulation, const Context& context, std::string doing) {
  if (!simulation.progress) simulation.progress = [&context, doing = std::move(doing)](double fraction) { context.tell(doing, fraction); };
  return simulation;
}

}  // namespace tacet
