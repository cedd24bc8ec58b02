// tacet/data/fault.h: why rows were not read: numbers inside, messages outside. Private to data.
//
//   Scanning<std::string> text = Fault{Fault::NoNames};
//   if (!text.ok()) return error_of(text.error(), "people.csv", "smoking");
//
// Whether a file can be read may depend on one person's data. So all failures to read rows share
// one message and code. The other faults concern the names and types that a schema declares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tacet/base/result.h"

namespace tacet::data {

struct Fault {
  enum Kind : std::uint32_t { Failed, NoNames, WrongTable, WrongColumn, NoNumbers, NoText, EngineBroken, OtherBuild, NotConfined };
  Kind kind = Failed;
  std::uint32_t column = 0;  // the requested column at fault, if there is one
};

template <class T>
using Scanning = Result<T, Fault>;

/// `source` and `column` are their names. An unknown Kind counts as Failed.
Error error_of(const Fault& fault, const std::string& source, const std::string& column = {});

}  // namespace tacet::data
