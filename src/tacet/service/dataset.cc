#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/data_file.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/check_columns.h"
#include "tacet/schemas/schema_difference.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/request.h"
#include "tacet/service/source_register.h"

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

Result<Json> terms_json(const kernel::Terms& terms, const std::string& ledger) {
  const kernel::Declaration& declared = terms.declared();
  Json shares = Json::array();
  for (const kernel::Share& share : terms.shares()) {
    shares.push_back({{"analyst", share.analyst},
                      {"most", amount_json(declared.budget.currency, share.limit)},
                      {"words", privacy::describe(declared.budget.currency, share.limit)}});
  }
  Json json = {{"dataset", terms.dataset()},
               {"ledger", ledger},
               {"origin_hash", terms.origin_hash()},
               {"custodian", declared.custodian},
               {"neighbours", kernel::name(declared.relation.kind())},
               {"neighbours_words", kernel::describe(declared.relation)},
               {"public_columns", declared.relation.public_columns()},
               {"budget", amount_json(declared.budget.currency, declared.budget.total)},
               {"budget_words", privacy::describe(declared.budget.currency, declared.budget.total)},
               {"rule", privacy::name(declared.rule)},
               {"shares", shares},
               {"others", declared.others ? amount_json(declared.budget.currency, *declared.others) : Json(nullptr)},
               {"idealised", declared.idealised},
               {"source", declared.source.empty() ? Json(nullptr) : Json(declared.source)},
               {"again", declared.again.empty() ? Json(nullptr) : Json(declared.again)},
               {"schema", nullptr},
               {"columns", Json::array()}};
  if (declared.schema.empty()) return json;
  TACET_TRY(const data::Declared known, data::Declared::of(terms));
  json["schema"] = Json::parse(declared.schema, nullptr, /*allow_exceptions=*/false);
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
  for (const Json& text : texts) out += (out.empty() ? "" : ", ") + text.get<std::string>();
  return out;
}

std::string show_words(const Json& result) {
  std::string out =
      fmt::format("The terms of \"{}\", declared by {}:\n", result.at("dataset").get<std::string>(),
                  result.at("custodian").get<std::string>().empty() ? "nobody by name" : result.at("custodian").get<std::string>());
  out += fmt::format("  budget      {} (rule {})\n", result.at("budget_words").get<std::string>(), result.at("rule").get<std::string>());
  out += fmt::format("  neighbours  {}\n", result.at("neighbours_words").get<std::string>());
  out += fmt::format("  source      {}\n",
                     result.at("source").is_null() ? "that of the first release" : result.at("source").get<std::string>());
  out += fmt::format("  mechanisms  {}\n", result.at("idealised").get<bool>() ? "exact and idealised" : "exact only");
  for (const Json& share : result.at("shares"))
    out += fmt::format("  share       {}: at most {}\n", share.at("analyst").get<std::string>(), share.at("words").get<std::string>());
  if (!result.at("columns").empty()) {
    report::TextTable table({"column", "declared", "membership"});
    for (const Json& column : result.at("columns")) {
      std::string declared = "nothing, so it is not published";
      if (column.contains("categories")) declared = joined(column.at("categories"));
      if (column.contains("lower")) {
        declared = fmt::format("{} to {} in steps of {}", column.at("lower").get<std::string>(), column.at("upper").get<std::string>(),
                               column.at("resolution").get<std::string>());
      }
      table.add({column.at("name"), declared, column.at("membership")});
    }
    out += table.render();
  }
  return out;
}

/// Does the request's schema agree with the terms, and does the source have the declared columns? Reads names and types, and no row.
Result<Json> run_check(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const Custody ledger, Custody::open(place.ledger));
  TACET_TRY(kernel::Terms terms, ledger.terms(place.dataset));
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  TACET_TRY(const data::Declared declared, data::Declared::of(std::move(terms)));
  const auto difference = place.schema ? schemas::first_difference(*place.schema, declared.schema()) : std::nullopt;
  std::vector<std::string> findings;
  if (difference) findings.push_back(*difference);
  if (!state.sealed) findings.emplace_back("the custodian's key is not here, so nothing can be charged");
  const std::string source = text_field(request, "data").value_or(state.terms.source);
  if (!source.empty()) {
    const auto file = data::DataFile::open(source);
    if (!file) {
      findings.push_back(file.error().message());
    } else if (const auto missing = schemas::first_missing_column(*file, declared.schema()); !missing) {
      findings.push_back(missing.error().message());
    } else if (*missing) {
      findings.push_back(fmt::format("column \"{}\", which the terms declare, is not in the source", **missing));
    }
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
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(Custody ledger, Custody::open(place.ledger));
  TACET_TRY(const kernel::Terms terms, ledger.terms(place.dataset));
  kernel::Amendment amendment{.custodian = context.analyst, .reason = *text_field(request, "reason")};
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
  const RegisteredDataset dataset{ledger.name(), place.dataset};
  if (const auto source = text_field(request, "source")) {
    amendment.source = resolved_source(*source);
  }
  if (!amendment.schema && !amendment.source && !amendment.relation) {
    return Error::invalid("amendment", "no change: the schema and the source are those of the terms", "must change something",
                          "give a --schema that differs from the terms, or --source FILE");
  }
  if (amendment.source) TACET_CHECK(claim_source(*amendment.source, dataset, terms.declared().again));
  TACET_CHECK(ledger.amend(place.dataset, amendment));
  TACET_TRY(const kernel::Terms after, ledger.terms(place.dataset));
  return terms_json(after, place.ledger);
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
          with(ledger_place_fields(), {{"source", "FILE", "where the data is now"},
                                       {"reason", "TEXT", "why; it stands in the history for everybody", FieldKind::Text, true}}),
          run_amend,
          show_words};
}

}  // namespace tacet::service
