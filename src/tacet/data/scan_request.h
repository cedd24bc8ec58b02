// tacet/data/scan_request.h: what is asked of the rows of a file, as a value and as text. Private to the data room.
//
//   ScanRequest request{.numbers = {"height"}, .by = {"treated"}, .products = true};
//   std::string text = request_text({schema, request, file.kind()});         // for the process that reads the file
//   AskedScan asked = *read_request(text);
//
// Everything in it is public: the schema as its canonical text, names of columns, centres and maps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/data_file.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// Who is told how far a scan is. Always told from the thread that asked for the scan.
struct Progress {
  std::function<void(double)> tell{};    // the fraction done, from 0 to 1; none: nobody is told
  std::chrono::milliseconds after{500};  // a scan that is over by then is never spoken of
  std::chrono::milliseconds every{100};
};

struct CountOptions {
  Progress progress{};
  unsigned threads = 0;  // 0: as many as the machine has; the result does not depend on it
};

struct ScanRequest {
  std::vector<std::string> numbers{};  // bounded columns, whose integers are added up
  std::vector<std::string> by{};       // categorical columns: their cells, the last running fastest, are the groups of the sums
  bool products = false;               // also the sums of products of two columns
  std::vector<Decimal> centres{};      // one for each of the numbers; none: near the middle of each column's bounds
  std::optional<ClipRequest> clip{};   // rows are clipped in place of each column being cut to a grid

  /// The name of the i-th of all columns that are asked for.
  std::string column(std::size_t i) const;
};

inline constexpr std::size_t kMostNumbers = 64;
inline constexpr std::size_t kMostCells = 10'000'000;

/// SchemaInvalid if the schema does not declare the columns as needed, or there are more than kMostNumbers, or more groups than kMostCells.
Result<MomentShape> shape_of(const Schema& schema, const ScanRequest& request);

/// How numbers become integers, where `single` tells which columns the file stores in single precision.
Result<RowMap> row_map(const Schema& schema, const ScanRequest& request, std::uint64_t single);

struct AskedScan {
  Schema schema;
  std::optional<ScanRequest> request;  // nothing: the names of its columns are wanted
  FileForm form;
  unsigned threads;
};
std::string request_text(const AskedScan& asked);
std::optional<AskedScan> read_request(std::string_view text);

}  // namespace tacet::data
