#include "tacet/workflow/custody/terms_check.h"

#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/data_file.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/check_columns.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_difference.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/schemas/words.h"
#include "tacet/workflow/custody/source_register.h"

namespace tacet {
namespace {

Status check_name_in_memory(const std::string& source) {
  if (schemas::source_kind(source) != schemas::SourceKind::Memory) return {};
  const auto named = source_named(source.substr(schemas::kMemory.size()));
  if (named.ok()) return {};
  return Error::invalid("source", in_quotes(source), "must be memory: and a name", named.error().remedy());
}

SourceFindings findings_of(const schemas::ColumnCheck& check, const std::string& source) {
  SourceFindings findings;
  const std::string hint = check.hint.empty() ? "names are compared exactly, letter case included" : check.hint;
  if (check.found == 0 && !check.missing.empty()) {
    findings.refusal = Error::of(
        Code::SchemaInvalid,
        fmt::format("none of the columns that are declared is in the source {}: {}", in_quotes(source), schemas::listed(check.missing)),
        hint);
    return findings;
  }
  for (const std::string& name : check.missing) {
    findings.warnings.push_back(fmt::format("column {}, which the terms declare, is not in the source; {}", in_quotes(name), hint));
  }
  for (const std::string& name : check.repeated) {
    findings.warnings.push_back(fmt::format("column {} is in the source more than once, so that it cannot be read", in_quotes(name)));
  }
  return findings;
}

/// Texts with one form stand for one value where the bytes of neither are in the data (the rule of
/// data/coder.h): outer spaces do not count, and 1 and 1.0 are equal for each whole number.
std::string form_of(std::string_view text) {
  const std::string_view inner = data::trimmed(text);
  const std::string_view whole = inner.substr(0, inner.size() - (inner.ends_with(".0") ? 2 : 0));
  const bool number =
      !whole.empty() && whole != "-" && whole.find_first_not_of("0123456789", whole.front() == '-' ? 1 : 0) == std::string_view::npos;
  return std::string(number ? whole : inner);
}

}  // namespace

std::vector<std::string> texts_alike(const data::Schema& schema) {
  std::vector<std::string> warnings;
  for (const data::Column& column : schema.columns) {
    std::vector<std::string> texts = column.missing_values;
    if (column.categories) {
      const std::vector<std::string> declared = column.categories->declared_labels();
      texts.insert(texts.begin(), declared.begin(), declared.end());
    }
    std::map<std::string, std::string> first;
    for (const std::string& text : texts) {
      const auto [known, is_new] = first.emplace(form_of(text), text);
      if (is_new) continue;
      warnings.push_back(
          fmt::format("column {} declares {} and {}, which differ only in outer spaces or as 1 and 1.0 do; a file that "
                      "writes such values in another way cannot tell them apart, so declare one of them",
                      in_quotes(column.name), in_quotes(known->second), in_quotes(text)));
    }
  }
  return warnings;
}

Result<std::string> agreed_source(const std::optional<std::string>& named, const std::optional<data::Schema>& schema) {
  const std::string written = resolved_source(named.value_or(""));
  const std::string declared = resolved_source(schema ? schema->source.value_or("") : "");
  if (written.empty() || declared.empty() || written == declared) {
    const std::string& source = written.empty() ? declared : written;
    TACET_CHECK(check_name_in_memory(source));
    return source;
  }
  return Error::invalid("source", in_quotes(written), fmt::format("must be what the schema says, {}", in_quotes(declared)),
                        "leave it out, or change the schema");
}

std::optional<std::string> difference_from_terms(const data::Schema& asked, const data::Declared& terms) {
  if (auto difference = schemas::first_difference(asked, terms.schema())) return difference;
  const std::string& kept = terms.terms().declared().source;
  const std::string named = resolved_source(asked.source.value_or(""));
  if (named.empty() || kept.empty() || named == kept) return std::nullopt;
  return fmt::format("source is {}, but the terms say {}", in_quotes(named), in_quotes(kept));
}

SourceFindings check_source(const std::string& source, const data::Schema& schema) {
  SourceFindings findings;
  const schemas::SourceKind kind = schemas::source_kind(source);
  if (kind == schemas::SourceKind::Memory) {  // whoever holds the rows knows their columns
    if (Status named = check_name_in_memory(source); !named.ok()) findings.refusal = std::move(named).error();
    return findings;
  }
  if (kind == schemas::SourceKind::Uri) {
    findings.warnings.push_back(fmt::format("the source {} is no file, and this version of Tacet reads files only", in_quotes(source)));
    return findings;
  }
  const auto file = schemas::open_data(path_of_source(source));
  if (!file && file.error().code() == Code::InvalidArgument) {
    findings.refusal = Error::invalid("source", file.error().value(), file.error().rule(), file.error().remedy());
    return findings;
  }
  if (!file) {
    findings.warnings.push_back(file.error().code() == Code::NotFound ? file.error().rule() + " yet" : file.error().message());
    return findings;
  }
  const auto check = schemas::check_columns(*file, schema);
  if (!check) {
    const bool as_written = check.error().code() == Code::NotFound || check.error().code() == Code::SchemaInvalid;
    if (as_written) findings.refusal = check.error();
    if (!as_written) findings.warnings.push_back(check.error().message());
    return findings;
  }
  return findings_of(*check, source);
}

SourceFindings check_source(const MemoryTable& table, const data::Schema& schema) {
  return findings_of(schemas::check_columns(table.table().columns, schema), table.source());
}

Result<std::vector<std::string>> check_new_terms(const data::Schema& schema, const std::string& source) {
  TACET_CHECK(schemas::check_usable(schema));
  std::vector<std::string> warnings = texts_alike(schema);
  if (source.empty()) return warnings;
  SourceFindings findings = check_source(source, schema);
  if (findings.refusal) return *std::move(findings.refusal);
  warnings.insert(warnings.end(), findings.warnings.begin(), findings.warnings.end());
  return warnings;
}

}  // namespace tacet
