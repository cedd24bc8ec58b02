// tacet/mechanisms/release_fields.h: reads the fields of a release file within limits. Internal to
// this room.
//
//   constexpr ReleaseFields kFields("give a file written by `tacet release query`");
//   const nlohmann::json value = *read_json_file("query.json", "release");
//   TACET_CHECK(kFields.check_kind(value, "query"));
//   TACET_TRY(const nlohmann::json* scale, kFields.member(value.at("noise"), "scale"));
//   TACET_TRY(const double sd, kFields.positive(*scale, "scale"));
//   TACET_TRY(const ReleaseHeader header, kFields.header(value));   // statement, privacy, receipt
//
// An error has the field, its value, the rule, and the program that writes such files. Release
// files are public, so an error may quote them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/json_kind.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::mechanisms {

/// The version of the files that this program reads and writes.
inline constexpr int kReleaseVersion = 1;

class ReleaseFields {
 public:
  explicit constexpr ReleaseFields(const char* remedy) : remedy_(remedy) {}

  /// `value`: in words, or as in the file; its first 60 bytes are shown.
  Error bad(const std::string& field, const std::string& value, const std::string& rule) const;

  /// A JSON object of version kReleaseVersion.
  Status check_version(const nlohmann::json& file) const;
  /// The version, and this kind.
  Status check_kind(const nlohmann::json& file, std::string_view kind) const;
  Result<const nlohmann::json*> member(const nlohmann::json& object, const std::string& field) const;
  Result<std::string> text(const nlohmann::json& object, const std::string& field) const;
  /// One of the names of an enumeration; an error about the name calls the field `shown`.
  template <HasNames E>
  Result<E> choice(const nlohmann::json& object, const std::string& field, const std::string& shown) const {
    TACET_TRY(const std::string written, text(object, field));
    return named<E>(shown, written, remedy_);
  }
  /// Finite and at most 1e100 in size, so that no sum or square of such numbers overflows;
  /// positive: at least 1e-100.
  Result<double> finite(const nlohmann::json& value, const std::string& field) const;
  Result<double> positive(const nlohmann::json& value, const std::string& field) const;
  Result<std::vector<std::string>> texts(const nlohmann::json& value, const std::string& field) const;

  /// The fields that every release file has besides its values.
  Result<ReleaseHeader> header(const nlohmann::json& file) const;
  Result<std::optional<ReleasedContributions>> contributions(const nlohmann::json& file) const;
  /// Increasing numbers, at least two.
  Result<std::vector<double>> edges(const nlohmann::json& value) const;
  /// `dates`, which is false where it is absent.
  Result<bool> dates(const nlohmann::json& object) const;
  /// Public numbers of people, one for each label.
  Result<std::vector<double>> people(const nlohmann::json& value, std::size_t labels) const;
  /// Axes and values.
  Status read_table(const nlohmann::json& file, ReleasedTable& table) const;

 private:
  Result<std::optional<ReleasedPrivacy>> privacy(const nlohmann::json& value) const;
  Result<std::optional<kernel::Receipt>> receipt(const nlohmann::json& value) const;
  const char* remedy_;
};

/// A file of this kind with the fields of the header.
nlohmann::json header_json(const ReleaseHeader& header, std::string_view kind);
void write_table(const ReleasedTable& table, nlohmann::json& file);

/// The kind of a value, as messages about fields call it.
inline std::string words_for(const nlohmann::json& value) { return json_kind(value); }

}  // namespace tacet::mechanisms
