// tacet/workflow/custody/draft_schema.h: a schema for the custodian to complete.
//
//   const SchemaDraft draft = *draft_schema({.data = "patients.csv", .out = "patients.toml"});
//   draft.toml;                         // comments say where to write categories and bounds
//
// The draft has the names and types of the columns only. No row is read: public facts must not be
// taken from the data silently. With from_data it also has proposals from the rows, for the
// custodian's eyes; no budget can be created until a person has confirmed each of them.
//
// Domain   .csv, .tsv, .parquet and .duckdb files; a delimiter is one ASCII character.
// Error    NotFound without the file; AlreadyExists if `out` exists: no schema is overwritten.
//          From data: InvalidArgument if the file has a budget of another custodian.
// Cost     reads the names and types of the columns; from data, all rows twice at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/context.h"

namespace tacet {

/// Which file to draft a schema for.
struct DraftRequest {
  std::string data;
  std::optional<std::string> out = {};      // the schema file to write; nothing: none
  std::optional<std::string> dataset = {};  // its name in the ledger; nothing: that of the file
  std::optional<std::string> table = {};    // of a .duckdb file that has several
  std::optional<char> delimiter = {};       // of a CSV file; nothing: by the name of the file
  bool from_data = false;                   // reads the rows, and proposes from them
};

/// A schema to complete by hand.
struct SchemaDraft {
  std::optional<std::string> file;  // that was written
  std::string dataset;
  std::string toml;
  std::vector<std::string> warnings;
  bool from_data = false;
  std::size_t proposals = 0;  // columns that wait to be confirmed
  std::string data = {};      // the file that it is for
};

/// Drafts a schema from the names and types of columns alone, unless it is to learn from the data.
Result<SchemaDraft> draft_schema(const DraftRequest& request, const Context& context = {});

/// The delimiter that a person writes: ";", or "tab" or "\t" for a tab.
Result<char> delimiter_named(const std::string& text);

}  // namespace tacet
