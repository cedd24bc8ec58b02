#include "tacet/data/fault.h"

#include <fmt/format.h>

#include "tacet/data/text.h"

namespace tacet::data {

Error error_of(const Fault& fault, const DataFile& file, const std::string& column) {
  const std::string shown = in_quotes(file.path());
  const std::string named = in_quotes(column);
  const auto error = [&](Code code, const std::string& sentence, const char* remedy) { return Error::of(code, sentence, remedy); };
  switch (fault.kind) {
    case Fault::NoNames:
      return error(Code::DataUnreadable, shown + " is empty",
                   "its first line must be the names of the columns, unless the schema says under [csv]: header = false");
    case Fault::NoTable: return error(Code::NotFound, shown + " holds no table", "views do not count; store their rows as a table");
    case Fault::TableNotNamed:
      return Error::schema("table", "not written", fmt::format("must name one of the tables of {}, which has several", shown),
                           "write in the schema: table = \"...\"");
    case Fault::NoSuchTable:
      return error(Code::NotFound, shown + " has no table of the name that the schema declares",
                   "views do not count, and names are compared exactly; a table of a schema s is written s.table");
    case Fault::SameTables:
      return error(Code::Unsupported, shown + " has two tables that a schema would write alike", "rename one of them");
    case Fault::NoSuchColumn:
      return error(Code::NotFound, fmt::format("column {}, which the schema declares, is not in {}", named, shown),
                   file.kind() != FileKind::Csv
                       ? "names are compared exactly, letter case included"
                       : "names are compared exactly, in UTF-8; if the file has no line of names, write under [csv]: header = false");
    case Fault::SameColumns:
      return error(Code::DataUnreadable, fmt::format("{} has two columns named {}", shown, named), "rename one of them");
    case Fault::NoNumbers:
      return error(Code::Unsupported, fmt::format("column {} of {} has a type whose values are no numbers", named, shown),
                   "store what is to be summed as a column of numbers");
    case Fault::NoText:
      return error(Code::Unsupported, fmt::format("column {} of {} has a type whose values have no agreed text", named, shown),
                   "store what is to be tabulated, or tells groups apart, as a column of its own");
    case Fault::EngineBroken:
      return error(Code::EngineFailed, "the embedded engine could not be started", "run `make setup`, which fetches and verifies it");
    case Fault::NotConfined:
      return error(Code::EngineFailed, "the process that reads data could not confine itself, and reads nothing without",
                   "it needs a Linux kernel with seccomp filters; a container may have to be told to allow them");
    case Fault::Failed: break;
  }
  return error(Code::DataUnreadable, shown + " cannot be read as declared",
               "it may be damaged, cut short, encrypted, not what its name says, in use by another program, too large for the memory, or "
               "a CSV file with a quote that is never closed; which of these is not told, because it may depend on a person");
}

}  // namespace tacet::data
