#include "tacet/data/fault.h"

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::data {

Error error_of(const Fault& fault, const std::string& source, const std::string& column) {
  const std::string shown = in_quotes(source);
  const std::string named = in_quotes(column);
  switch (fault.kind) {
    case Fault::NoNames:
      return Error::of(Code::DataUnreadable, shown + " is empty",
                       "its first line must be the names of the columns, unless the schema says under [csv]: header = false");
    case Fault::WrongTable:
      return Error::of(
          Code::NotFound, shown + " does not have the table that the schema declares, or has several and the schema declares none",
          "write in the schema: table = \"...\"; names are compared exactly, views do not count, and a table of a schema s is s.table");
    case Fault::WrongColumn:
      return Error::of(
          Code::NotFound, fmt::format("column {}, which the schema declares, is not in {}, or is there twice", named, shown),
          "names are compared exactly, letter case included; if a CSV file has no line of names, write under [csv]: header = false");
    case Fault::NoNumbers:
      return Error::of(Code::Unsupported, fmt::format("column {} of {} has a type whose values are no numbers", named, shown),
                       "store what is to be summed as a column of numbers");
    case Fault::NoText:
      return Error::of(Code::Unsupported, fmt::format("column {} of {} has a type whose values have no agreed text", named, shown),
                       "store what is to be tabulated, or tells groups apart, as a column of its own");
    case Fault::EngineBroken:
      return Error::of(Code::EngineFailed, "the program that reads data files, or the engine in it, could not be started",
                       "install Tacet whole, or run `make setup`, which fetches and verifies the engine");
    case Fault::NotConfined:
      return Error::of(Code::EngineFailed, "the process that reads data could not confine itself, and reads nothing without",
                       "it needs a Linux kernel with seccomp filters; a container may have to be told to allow them");
    case Fault::Failed: break;
  }
  return Error::of(
      Code::DataUnreadable, shown + " cannot be read as declared",
      "it may be damaged, cut short, encrypted, not what its name says, in use by another program, too large for the memory, or "
      "a CSV file with a quote that is never closed, or of one column whose last line lacks its line feed; which of these is not "
      "told, because it may depend on a person");
}

}  // namespace tacet::data
