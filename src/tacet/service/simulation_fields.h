// tacet/service/simulation_fields.h: the fields draws and seed of a request that simulates.
//
//   struct Request { Simulation simulation; };
//   RequestTable<Request>().include(
//       std::identity(), simulation_table<Request>(&Request::simulation, "releases to simulate"));
//
// The default of draws is that of the member in Request{}. Progress is not a field: the typed call
// reports it to the context (workflow/simulation.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tacet/service/request_table.h"
#include "tacet/workflow/simulation.h"

namespace tacet::service {

/// `simulation` returns the member of a request; `draws` is the help of that field.
template <class Request, class Access>
RequestTable<Request> simulation_table(Access simulation, const std::string& draws) {
  return RequestTable<Request>()
      .whole(
          "draws", [simulation](Request& r) -> auto& { return std::invoke(simulation, r).draws; }, 1, kMostDraws, "B", draws)
      .whole(
          "seed", [simulation](Request& r) -> auto& { return std::invoke(simulation, r).seed; }, 0, kMostSeed, "S",
          "where the simulation starts");
}

}  // namespace tacet::service
