// tacet/schemas/profile/profile_codec.h: requests and answers between a program and tacet-look.
//
//   std::string request = look_request_text({.scan = "{}", .learn = true});
//   std::optional<FileProfile> same = read_profile(profile_text(profile));
//
// The answer comes from a process that has read a file of any contents. So the parent takes nothing
// for granted: what is malformed is no profile, and texts are shown in quotes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

struct LookRequest {
  std::string scan;    // data::request_text: schema, form of the file, threads
  bool learn = false;  // all columns, as if nothing were declared
  bool names = false;  // those of tables and columns alone; reads no row
};
std::string look_request_text(const LookRequest& request);
std::optional<LookRequest> read_look_request(std::string_view text);

std::string profile_text(const FileProfile& profile);
/// Nothing for any other text, however it is nested, for negative counts, and for texts that are
/// not UTF-8.
std::optional<FileProfile> read_profile(std::string_view text);

/// The answer to a request for names.
struct NamesInFile {
  struct Column {
    std::string name;
    std::string type;  // as the engine writes it; empty for CSV files
  };
  std::vector<std::string> tables;  // of DuckDB files alone
  std::vector<Column> columns;      // none if the schema leaves the table open
};
std::string names_text(const NamesInFile& names);
/// Nothing for any other text. Names may be any bytes.
std::optional<NamesInFile> read_names(std::string_view text);

}  // namespace tacet::schemas
