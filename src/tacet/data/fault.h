// tacet/data/fault.h: why the rows of a file were not read: a number where they are read, a sentence where it is told. Private to the data room.
//
//   Scanning<CsvSource> source = CsvSource::open(file, schema);
//   if (!source.ok()) return error_of(source.error(), file, "smoking");
//
// Whether a file can be read may depend on what a person wrote into it, so there is one sentence for every failure to read rows: it does not
// tell the reason, not by words and not by a code. The other faults are about the names and types that a schema declares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::data {

struct Fault {
  enum Kind : std::uint32_t { Failed, NoNames, WrongTable, WrongColumn, NoNumbers, NoText, EngineBroken, NotConfined };
  Kind kind = Failed;
  std::uint32_t column = 0;  // which of those asked for, where one is at fault
};

template <class T>
using Scanning = Result<T, Fault>;

/// `column` is the name of the one at fault. A number that is no Kind counts as Failed.
Error error_of(const Fault& fault, const DataFile& file, const std::string& column = {});

}  // namespace tacet::data
