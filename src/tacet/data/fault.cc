#include "tacet/data/fault.h"

#include <array>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::data {

namespace {

struct Words {
  Code code;
  const char* sentence;  // {0} is the source, {1} the column
  const char* remedy;
};

constexpr auto kWords = std::to_array<Words>({
    // In the order of Fault::Kind.
    {Code::DataUnreadable, "{0} cannot be read as declared",
     "it may be damaged, cut short, encrypted, not what its name says, in use by another program, too large for the memory, or "
     "a CSV file with a quote that is never closed, or of one column whose last line lacks its line feed; which of these is not "
     "told, because it may depend on a person"},
    {Code::DataUnreadable, "{0} is empty",
     "its first line must be the names of the columns, unless the schema says under [csv]: header = false"},
    {Code::NotFound, "{0} does not have the table that the schema declares, or has several and the schema declares none",
     "write in the schema: table = \"...\"; names are compared exactly, views do not count, and a table of a schema s is s.table"},
    {Code::NotFound, "column {1}, which the schema declares, is not in {0}, or is there twice",
     "names are compared exactly, letter case included; if a CSV file has no line of names, write under [csv]: header = false"},
    {Code::Unsupported, "column {1} of {0} has a type whose values are no numbers", "store what is to be summed as a column of numbers"},
    {Code::Unsupported, "column {1} of {0} has a type whose values have no agreed text",
     "store what is to be tabulated, or tells groups apart, as a column of its own"},
    {Code::EngineFailed, "the program that reads data files, or the engine in it, could not be started",
     "install Tacet whole, or run `make setup`, which fetches and verifies the engine"},
    {Code::EngineFailed, "tacet-scan, the program that reads data files, is of another build than this program",
     "install Tacet whole; both come with one package, and with one make"},
    {Code::EngineFailed, "the process that reads data could not confine itself, and reads nothing without",
     "it needs a Linux kernel with seccomp filters; a container may have to be told to allow them"},
});

}  // namespace

Error error_of(const Fault& fault, const std::string& source, const std::string& column) {
  const auto& [code, sentence, remedy] = kWords[fault.kind < kWords.size() ? fault.kind : Fault::Failed];
  return Error::of(code, fmt::format(fmt::runtime(sentence), in_quotes(source), in_quotes(column)), remedy);
}

}  // namespace tacet::data
