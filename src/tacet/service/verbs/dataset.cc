#include <optional>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/column_request.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/request.h"
#include "tacet/service/source_register.h"
#include "tacet/service/terms_check.h"

namespace tacet::service {
namespace {

using kernel::Custody;

std::vector<Field> with(std::vector<Field> fields, const std::vector<Field>& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Json column_json(const data::Column& column) {
  Json json = {{"name", column.name}, {"membership", column.public_membership ? "public" : "private"}};
  if (column.categories) {
    json["categories"] = column.categories->labels;
    json["other"] = column.categories->labels[column.categories->other];
    json["missing"] = column.categories->labels[column.categories->missing];
  }
  if (column.bounds) {
    json["lower"] = column.bounds->lower.to_string();
    json["upper"] = column.bounds->upper.to_string();
    json["resolution"] = column.bounds->resolution.to_string();
    json["missing"] = column.bounds->missing.to_string();
  }
  if (!column.missing_values.empty()) json["missing_values"] = column.missing_values;
  return json;
}

std::string character(const std::optional<char>& c) { return c ? std::string(1, *c) : std::string(); }

/// How CSV files are read. Without a delimiter the name of the file tells it; an empty quote makes quotes ordinary characters.
Json csv_json(const data::CsvDialect& csv) {
  return {{"delimiter", csv.delimiter ? Json(character(csv.delimiter)) : Json(nullptr)},
          {"quote", character(csv.quote)},
          {"escape", character(csv.escape ? csv.escape : csv.quote)},
          {"header", csv.header},
          {"line_breaks_in_quotes", csv.line_breaks_in_quotes}};
}

Result<Json> terms_json(const kernel::Terms& terms, const std::string& ledger) {
  const kernel::Declaration& declared = terms.declared();
  Json shares = Json::array();
  for (const kernel::Share& share : terms.shares()) {
    shares.push_back({{"analyst", share.analyst},
                      {"most", amount_json(declared.budget.currency, share.limit)},
                      {"words", amount_words(declared.budget.currency, share.limit)}});
  }
  Json json = {{"dataset", terms.dataset()},
               {"ledger", ledger},
               {"origin_hash", terms.origin_hash()},
               {"custodian", declared.custodian},
               {"neighbours", name(declared.relation.kind())},
               {"neighbours_words", kernel::describe(declared.relation)},
               {"public_columns", declared.relation.public_columns()},
               {"budget", amount_json(declared.budget.currency, declared.budget.total)},
               {"budget_words", amount_words(declared.budget.currency, declared.budget.total)},
               {"rule", name(declared.rule)},
               {"shares", shares},
               {"others", declared.others ? amount_json(declared.budget.currency, *declared.others) : Json(nullptr)},
               {"others_words", declared.others ? Json(amount_words(declared.budget.currency, *declared.others)) : Json(nullptr)},
               {"idealised", declared.idealised},
               {"source", declared.source.empty() ? Json(nullptr) : Json(declared.source)},
               {"again", declared.again.empty() ? Json(nullptr) : Json(declared.again)},
               {"schema", nullptr},
               {"csv", nullptr},
               {"columns", Json::array()}};
  if (declared.schema.empty()) return json;
  TACET_TRY(const data::Declared known, data::Declared::of(terms));
  json["schema"] = Json::parse(declared.schema, nullptr, /*allow_exceptions=*/false);
  json["csv"] = csv_json(known.schema().csv);
  for (const data::Column& column : known.schema().columns) json["columns"].push_back(column_json(column));
  return json;
}

Result<Json> run_show(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const Custody ledger, Custody::open(place.ledger));
  TACET_TRY(const kernel::Terms terms, ledger.terms(place.dataset));
  return terms_json(terms, place.ledger);
}

std::string joined(const Json& texts) {
  std::string out;
  for (const Json& text : texts) {
    const auto written = report::printable(text.get<std::string>());
    out += (out.empty() ? "" : ", ") + (written.empty() ? "\"\"" : written);
  }
  return out;
}

/// What is unusual about CSV files, and the delimiter in any case.
std::string csv_words(const Json& csv) {
  std::string out = csv.at("delimiter").is_null() ? "fields are parted by a comma (in .tsv files by a tab)"
                                                  : "fields are parted by " + in_quotes(csv.at("delimiter").get<std::string>());
  const auto quote = csv.at("quote").get<std::string>();
  const auto escape = csv.at("escape").get<std::string>();
  if (quote.empty()) out += ", quotes are ordinary characters";
  if (!quote.empty() && quote != "\"") out += ", the quote is " + in_quotes(quote);
  if (escape != quote) out += ", quotes are escaped by " + in_quotes(escape);
  if (!csv.at("header").get<bool>()) out += ", the first line is a person";
  if (csv.at("line_breaks_in_quotes").get<bool>()) out += ", fields in quotes may hold line breaks";
  return out;
}

std::string columns_words(const Json& columns) {
  report::TextTable table({"column", "declared", "other values count as", "missing ones as", "what is missing", "membership"});
  for (const Json& column : columns) {
    std::string declared = "nothing, so it is not published";
    std::string other;
    if (column.contains("categories")) {
      declared = joined(column.at("categories"));
      other = column.at("other");
    }
    if (column.contains("lower")) {
      declared = fmt::format("{} to {} in steps of {}", column.at("lower").get<std::string>(), column.at("upper").get<std::string>(),
                             column.at("resolution").get<std::string>());
      other = "missing, or the nearer bound";
    }
    const std::string missing = column.value("missing", "");
    const std::string absent = column.contains("missing_values") ? "empty, " + joined(column.at("missing_values")) : "empty";
    table.add({column.at("name"), declared, other, missing, missing.empty() ? "" : absent, column.at("membership")});
  }
  return table.render();
}

std::string show_words(const Json& result) {
  std::string out =
      fmt::format("The terms of \"{}\", declared by {}:\n", result.at("dataset").get<std::string>(),
                  result.at("custodian").get<std::string>().empty() ? "nobody by name" : result.at("custodian").get<std::string>());
  out += fmt::format("  budget      {} (rule {})\n", result.at("budget_words").get<std::string>(), result.at("rule").get<std::string>());
  for (const Json& share : result.at("shares"))
    out += fmt::format("  share       {}: at most {}\n", share.at("analyst").get<std::string>(), share.at("words").get<std::string>());
  if (!result.at("shares").empty()) {
    out += fmt::format("  others      {}\n", result.at("others").is_null() ? "nothing for whoever has no share"
                                                                           : "at most " + result.at("others_words").get<std::string>() +
                                                                                 " for all without a share together");
  }
  out += fmt::format("  neighbours  {}\n", result.at("neighbours_words").get<std::string>());
  out += fmt::format("  source      {}\n",
                     result.at("source").is_null() ? "that of the first release" : result.at("source").get<std::string>());
  if (!result.at("csv").is_null()) out += fmt::format("  csv         {}\n", csv_words(result.at("csv")));
  out += fmt::format("  mechanisms  {}\n", result.at("idealised").get<bool>() ? "exact and idealised" : "exact only");
  if (!result.at("columns").empty()) out += columns_words(result.at("columns"));
  return out;
}

/// Does the request's schema agree with the terms, and does the source have the declared columns? Reads names and types, and no row.
Result<Json> run_check(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const Custody ledger, Custody::open(place.ledger));
  TACET_TRY(kernel::Terms terms, ledger.terms(place.dataset));
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  TACET_TRY(const data::Declared declared, data::Declared::of(std::move(terms)));
  std::vector<std::string> findings;
  if (const auto difference = place.schema ? difference_from_terms(*place.schema, declared) : std::nullopt) findings.push_back(*difference);
  if (!state.sealed) findings.emplace_back("the custodian's key is not here, so nothing can be charged");
  if (const Status usable = schemas::check_usable(declared.schema()); !usable.ok()) findings.push_back(usable.error().message());
  // The first release fixes the source of terms without one; until then it is what the schema says.
  const std::string of_schema = resolved_source(place.schema ? place.schema->source.value_or("") : "");
  const std::string source = text_field(request, "data").value_or(state.terms.source.empty() ? of_schema : state.terms.source);
  if (!source.empty()) {
    const SourceFindings found = check_source(source, declared.schema());
    if (found.refusal) findings.push_back(found.refusal->message());
    findings.insert(findings.end(), found.warnings.begin(), found.warnings.end());
  }
  return Json{{"dataset", place.dataset},
              {"ledger", place.ledger},
              {"source", source.empty() ? Json(nullptr) : Json(source)},
              {"agrees", findings.empty()},
              {"findings", findings}};
}

std::string check_words(const Json& result) {
  if (result.at("agrees").get<bool>())
    return "Everything agrees: the schema with the terms, the source with the schema, the ledger with its key.\n";
  std::string out;
  for (const Json& finding : result.at("findings")) out += fmt::format("* {}\n", finding.get<std::string>());
  return out;
}

Result<Json> run_amend(const Json& request, const Context& context) {
  TACET_TRY(const std::optional<std::string> reason, reason_field(request, "reason"));
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(Custody ledger, Custody::open(place.ledger));
  TACET_TRY(const kernel::Terms terms, ledger.terms(place.dataset));
  kernel::Amendment amendment{.custodian = context.analyst, .reason = reason.value_or("")};
  Json changed = Json::array();
  if (place.schema) {
    std::string schema = data::canonical(*place.schema);
    if (schema != terms.declared().schema) amendment.schema = std::move(schema);
    if (!(place.schema->relation == terms.declared().relation)) amendment.relation = place.schema->relation;
    if (place.schema->idealised != terms.declared().idealised) {
      return Error::invalid("idealised", place.schema->idealised ? "true" : "false",
                            fmt::format("must stay {}: it is set once, when the budget is created", terms.declared().idealised),
                            "set it back in the schema");
    }
  }
  // The source of the schema is an amendment like its columns: a schema that is not as the terms serves no release.
  TACET_TRY(std::string source, source_field(request, place.schema));
  if (!source.empty() && source != terms.declared().source) amendment.source = std::move(source);
  if (amendment.schema) changed.push_back("schema");
  if (amendment.relation) changed.push_back("neighbours");
  if (amendment.source) changed.push_back("source");
  if (changed.empty()) {
    return Error::invalid("amendment", "no change: the schema and the source are those of the terms", "must change something",
                          "give a --schema that differs from the terms, or --source FILE");
  }
  std::vector<std::string> warnings;
  if (place.schema) {
    TACET_TRY(warnings, check_new_terms(*place.schema, amendment.source.value_or(terms.declared().source)));
  }
  // Another than the custodian is refused below, and claims nothing.
  const std::string& custodian = terms.declared().custodian;
  if (amendment.source && (custodian.empty() || custodian == context.analyst))
    TACET_CHECK(claim_source(*amendment.source, {ledger.name(), place.dataset, place.ledger}, terms.declared().again));
  TACET_CHECK(ledger.amend(place.dataset, amendment));
  TACET_TRY(const kernel::Terms after, ledger.terms(place.dataset));
  TACET_TRY(Json result, terms_json(after, place.ledger));
  result["changed"] = changed;
  result["warnings"] = warnings;
  return result;
}

std::string amend_words(const Json& result) {
  return fmt::format("Changed: {}.\n", joined(result.at("changed"))) + show_words(result) + warning_words(result);
}

}  // namespace

Verb dataset_show_verb() {
  return {"dataset show",
          "The terms of a dataset: what its custodian declared public, and what may be spent",
          "tacet dataset show --schema patients.toml",
          ledger_place_fields(),
          run_show,
          show_words};
}

Verb dataset_check_verb() {
  return {"dataset check",
          "Does a schema agree with the terms, and the source with both? Reads no row",
          "tacet dataset check --schema patients.toml --data patients.csv",
          with(ledger_place_fields(), {{"data", "FILE", "the source, if not that of the terms"}}),
          run_check,
          check_words,
          "agrees"};
}

Verb dataset_amend_verb() {
  return {"dataset amend",
          "Change the terms, as their custodian, with a reason: a file that moved, a category that was forgotten",
          "tacet dataset amend --schema patients.toml --source patients.csv --reason \"the file was renamed\"",
          with(ledger_place_fields(), {{"source", "FILE", "where the data is now, if the schema does not say it"},
                                       {"reason", "TEXT", "why; it stands in the history for everybody", FieldKind::Text, true}}),
          run_amend,
          amend_words};
}

}  // namespace tacet::service
