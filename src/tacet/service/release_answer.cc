#include "tacet/service/release_answer.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service {

RequestTable<ReleaseFields> data_table() {
  return RequestTable<ReleaseFields>()
      .required("data", &ReleaseFields::data, "FILE", "the data: .csv, .tsv, .parquet, .duckdb")
      .required("schema", &ReleaseFields::schema, "S", "the schema file, which must agree with the terms in the ledger");
}

RequestTable<ReleaseFields> file_table() {
  return RequestTable<ReleaseFields>()
      .required("out", &ReleaseFields::out, "FILE", "the release file to write")
      .field("analyst", &ReleaseFields::analyst, "NAME", "who is charged, if not you; for the custodian")
      .field("ledger", &ReleaseFields::ledger, "FILE", "the ledger, if not the schema's")
      .field("dataset", &ReleaseFields::dataset, "NAME", "the dataset, if not the schema's");
}

const char* const kWhereHelp = "count only rows like these, for example: age >= 40 and smoking in (current, former)";

std::string rows_words(const mechanisms::ReleaseHeader& header) {
  std::string out;
  if (header.where) out += fmt::format("Among rows where {}; their number is private.\n", report::printable(*header.where));
  if (const auto& contributions = header.contributions; contributions && contributions->most() > 1) {
    const bool people = header.counted() == mechanisms::Counted::People;
    out += people ? fmt::format(
                        "A person counts once in each cell where they have a row, in up to {} cells: counts add up to more than the "
                        "people there are, and nothing follows for a population by the usual tests.\n",
                        contributions->most())
                  : fmt::format("A person counts up to {} times, so nothing follows for a population by the usual tests.\n",
                                contributions->most());
  }
  return out;
}

std::string missing_words(const mechanisms::ReleaseHeader& header) {
  const Json statement = Json::parse(header.statement, nullptr, /*allow_exceptions=*/false);
  if (!statement.is_object() || !statement.contains("missing_numbers") || !statement["missing_numbers"].is_object()) return {};
  std::vector<std::string> left_out;
  std::vector<std::string> counted;
  for (const auto& [column, rule] : statement["missing_numbers"].items()) {
    const std::string name = report::printable(column);
    if (rule == "left out") {
      left_out.push_back(name);
    } else if (rule.is_number() || rule.is_string()) {
      counted.push_back(fmt::format(
          "{} ({})", rule.is_number() ? fmt::format("{:g}", rule.get<double>()) : report::printable(rule.get<std::string>()), name));
    }
  }
  constexpr std::size_t kMostNamed = 3;
  std::string out;
  if (left_out.size() > kMostNamed) {
    const bool all = counted.empty();
    out += fmt::format("Rows without a number in one of {}{} columns are left out.\n", all ? "the " : "",
                       all ? fmt::format("{}", left_out.size()) : fmt::format("these {}", left_out.size()));
  } else if (!left_out.empty()) {
    out += fmt::format("Rows without a number in {} are left out.\n", fmt::join(left_out, ", or in "));
  }
  if (!counted.empty()) out += fmt::format("Missing numbers count as {}.\n", fmt::join(counted, ", "));
  return out;
}

Result<Dataset> open_dataset(const ReleaseFields& fields, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place({fields.schema, fields.ledger, fields.dataset}));
  place.data = fields.data;
  place.on_behalf_of = fields.analyst;
  return Dataset::open(std::move(place), context);
}

std::vector<AnswerField> release_answer_fields(std::vector<AnswerField> own) {
  std::vector<AnswerField> fields = {{"tacet_release", "the version of the file format", {{"type", "integer"}}},
                                     {"kind", "what was released", {{"type", "string"}}},
                                     {"statement", "what was asked for, as the ledger hashed it", {{"type", "object"}}}};
  for (AnswerField& field : own) fields.push_back(std::move(field));
  for (AnswerField& field : std::vector<AnswerField>{{"noise", "the distribution of the noise", {{"type", "object"}}},
                                                     {"privacy", "how private the release is, and what was charged", {{"type", "object"}}},
                                                     {"guarantee", "exact or idealised", {{"type", "string"}}},
                                                     {"ledger", "the receipt of the charge", {{"type", {"object", "null"}}}},
                                                     {"time", "when it was charged, UTC", {{"type", "string"}}}}) {
    fields.push_back(std::move(field));
  }
  return fields;
}

std::vector<AnswerField> rows_answer_fields() {
  return {{"where", "the condition on the rows that count, if there is one", {{"type", "string"}}, /*always=*/false},
          {"contributions", "how often a person may count, if a person may have several rows", {{"type", "object"}}, /*always=*/false}};
}

std::vector<AnswerField> table_answer_fields(const std::string& values) {
  return {{"n", "the number of people, or of rows where these are counted; null where it is private", {{"type", {"integer", "null"}}}},
          {"axes", "the columns and their labels", {{"type", "array"}}},
          {"values", values + ", nested as deep as there are axes", {{"type", "array"}}},
          {"grid", "the values are multiples of this before any projection", {{"type", {"number", "null"}}}}};
}

AnswerTable<PaidBefore> paid_before_table() {
  return AnswerTable<PaidBefore>()
      .value("entry", &PaidBefore::entry, "its number in the history of the budget")
      .value("time", &PaidBefore::time, "when it was charged, UTC")
      .value("analyst", &PaidBefore::analyst, "who asked")
      .value("release_hash", &PaidBefore::release_hash, "the hash of its file; null if none was written")
      .value("file", &PaidBefore::file, "a file with that hash beside the new one; null if there is none");
}

std::string paid_before_words(const std::optional<PaidBefore>& before) {
  if (!before) return {};
  const std::string file = before->file           ? fmt::format("its file is {}", report::shell_word(*before->file))
                           : before->release_hash ? fmt::format("its file has the hash {}", *before->release_hash)
                                                  : "the ledger knows no file of it";
  const std::string advice = before->release_hash ? "Unless the data have changed since, that file would have served at no cost.\n" : "";
  return fmt::format("Warning: the same release was paid for already, by {} at {} (entry {} of the history); {}.\n{}",
                     report::printable(before->analyst), before->time, before->entry, file, advice);
}

std::string charged_words(const mechanisms::ReleaseHeader& header, const std::optional<BudgetSummary>& budget,
                          const std::optional<std::string>& file, const std::string& next) {
  std::string out = fmt::format("Charged: {}.", header.receipt ? short_amounts(header.receipt->charged) : "nothing");
  if (budget) {
    const std::string own = asker_words(*budget);
    out += fmt::format(" Remaining: {}{}.", words(budget->remaining), own.empty() ? "" : fmt::format(" in all, {}", own));
  }
  if (file) {
    const std::string shown = report::shell_word(*file);
    out +=
        fmt::format("\nWrote {}; all inference on it is free{}", shown, next.empty() ? "." : fmt::format(": {} --release {}", next, shown));
  }
  return out + "\n";
}

}  // namespace tacet::service
