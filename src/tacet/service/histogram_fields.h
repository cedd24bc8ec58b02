// tacet/service/histogram_fields.h: the fields of a request about a histogram.
//
//   struct Request { HistogramFields histogram; double confidence = 0.95; };
//   RequestTable<Request>().include(&Request::histogram, histogram_table());
//   const HistogramSource source = *read_histogram({"age.json", /*of=*/{}, /*given=*/{}});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/infer/histogram_source.h"

namespace tacet::service {

/// The column of a table and the people who are meant, as they are written.
struct HistogramFields {
  std::string release;
  std::optional<std::string> of, given;
};
RequestTable<HistogramFields> histogram_table();
Result<HistogramSource> read_histogram(const HistogramFields& fields);
Result<HistogramPart> histogram_part(const HistogramFields& fields);

}  // namespace tacet::service
