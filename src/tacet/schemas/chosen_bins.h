// tacet/schemas/chosen_bins.h: the bins that a request chooses for a table, in place of declared
// ones.
//
//   const std::vector<ColumnEdges> asked = *parse_bins("age: 0, 40, 65, 120");
//   const std::vector<data::Bins> bins = *chosen_bins(schema, {"age"}, asked);
//
// Edges are public: the request names them, and they are checked against the schema without data.
// A column needs bounds for it, and all edges must lie between these. A cell has its lower edge and
// not its upper one, except the last, which has both; a number beyond the first or the last edge is
// in the nearest cell; one more cell has the missing numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"

namespace tacet::schemas {

/// The edges of the cells of one column: numbers, or dates such as 2024-05-31 if it has dates.
struct ColumnEdges {
  std::string column;
  std::vector<std::string> edges;
};

/// "age: 0, 40, 120; date: 2024-01-01, 2024-12-31". Spaces do not count.
Result<std::vector<ColumnEdges>> parse_bins(const std::string& text);

/// InvalidArgument, naming "bins", unless each column is one of `by`, once, with bounds, and has at
/// least two edges that increase between these bounds.
Result<std::vector<data::Bins>> chosen_bins(const data::Schema& schema, const std::vector<std::string>& by,
                                            const std::vector<ColumnEdges>& asked);

}  // namespace tacet::schemas
