// What a custodian's look makes of the texts of a column: the input has one in each line. They are
// tallied as a column of each kind, and once more to be learnt.
//
// Holds    every row is counted, in one place at most; the answer of the process that reads is
//          understood, whatever the texts are; what is proposed is harmless on a terminal, is no
//          schema before it is confirmed, and is one afterwards, in which nothing is public that
//          was not before.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/schemas/profile/advice.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/profile/proposals.h"
#include "tacet/schemas/profile/row_tally.h"
#include "tacet/schemas/schema_text.h"

#include "support.h"

namespace {

using tacet::fuzz::must;
using tacet::schemas::FileProfile;
using tacet::schemas::RowTally;

const char* const kDeclared = R"(tacet = 1
dataset = "d"
ledger = "d.ledger"
contributions = { person = "person", rows = 2, groups = 2 }
[columns.person]
missing_values = ["NA"]
categories = ["P1", "P2"]
[columns.smoking]
categories = ["never", 1, "it's"]
missing = "gone"
missing_values = ["?", -9]
lower = 0
upper = 12.5
resolution = 0.1
[columns.age]
lower = 18
upper = 120
resolution = 1
bins = [20, 40, 60.5]
thousands = "."
decimal = ","
unit = "kg"
[columns.day]
date = true
lower = 1900-01-01
upper = 2025-12-31
)";

FileProfile tallied(const tacet::data::Schema& schema, const std::vector<std::string>& names, const std::vector<std::string_view>& texts,
                    bool learn) {
  std::vector<tacet::schemas::SourceField> fields;
  for (const std::string& name : names) fields.push_back({.name = name});
  RowTally tally(schema, fields, learn);
  FileProfile profile{.rows = static_cast<std::int64_t>(texts.size())};
  for (const std::size_t at : tally.wanted()) {
    for (const std::string_view text : texts) tally.add(at, text.empty() ? std::nullopt : std::optional(text), 1);
  }
  tally.finish(profile);
  const auto read = tacet::schemas::read_profile(tacet::schemas::profile_text(profile));
  must(read.has_value(), "an answer is understood");
  must(tacet::schemas::profile_text(*read) == tacet::schemas::profile_text(profile), "an answer is read as it was given");
  return *read;
}

void check_proposal(const tacet::schemas::LearntColumn& column, std::int64_t rows) {
  const std::string lines = tacet::schemas::proposed_lines(column, rows);
  must(tacet::fuzz::harmless_on_a_terminal(lines), "a draft is harmless on a terminal");
  const std::string start = "tacet = 1\ndataset = \"d\"\nledger = \"d.ledger\"\n[columns.x]\n";
  constexpr std::string_view kWaits = "\nconfirmed = false";
  const std::size_t at = lines.find(kWaits);
  if (at == std::string::npos) {
    must(tacet::schemas::parse_schema(start + lines, false, "").ok(), "comments are comments");
    return;
  }
  must(!tacet::schemas::parse_schema(start + lines, false, "").ok(), "a proposal waits for a person");
  std::string confirmed = lines;
  confirmed.erase(at, lines.find('\n', at + 1) - at);
  const auto schema = tacet::schemas::parse_schema(start + confirmed, false, "");
  must(schema.ok(), "a proposal is a schema once it is confirmed");
  must(schema->columns.size() == 1 && !schema->columns.front().public_membership && !schema->contributions &&
           schema->relation.kind() == tacet::kernel::Relation::ReplaceOne,
       "a text cannot leave its quotes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tacet::data::Schema schema = *tacet::schemas::parse_schema(kDeclared, false, "");
  std::vector<std::string_view> texts;
  for (std::string_view rest = tacet::fuzz::as_text(data, size); !rest.empty();) {
    texts.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), texts.back().size() + 1));
  }
  const FileProfile profile = tallied(schema, schema.names(), texts, /*learn=*/false);
  for (const tacet::schemas::ColumnProfile& column : profile.columns) {
    must(column.missing >= 0 && column.missing + column.other.value_or(0) <= profile.rows, "a row is missing or other, not both");
    if (const auto& numbers = column.numbers)
      must(numbers->below + numbers->above + numbers->not_numbers <= profile.rows, "a row is in one place");
  }
  must(profile.people.has_value() && profile.people->people + profile.people->nameless <= profile.rows, "people have rows");
  for (const std::string& sentence : tacet::schemas::advice_on(profile, schema)) must(!sentence.empty(), "advice says something");
  // A hundred rows and more leave rare texts out: half of the inputs have more rows of the first.
  constexpr std::size_t kMany = 100;
  if (!texts.empty() && size % 2 == 0) texts.resize(texts.size() + kMany, texts.front());
  const FileProfile learnt = tallied(schema, {"x"}, texts, /*learn=*/true);
  for (const tacet::schemas::LearntColumn& column : learnt.learnt) check_proposal(column, learnt.rows);
  return 0;
}
