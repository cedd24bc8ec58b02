// tacet/mechanisms/release_fields.h: the fields of a release file, read within limits and refused by name. Internal to this room.
//
//   constexpr ReleaseFields kFields("give a file written by `tacet release query`");
//   TACET_CHECK(kFields.check_version(value));
//   TACET_TRY(const json* scale, kFields.member(*noise, "scale"));
//   TACET_TRY(release.scale, kFields.positive(*scale, "scale"));
//   TACET_CHECK(kFields.read_common(value, release));           // statement, privacy, guarantee, ledger, time
//
// An error names the field, what stands there, the rule, and which program writes such files. Release files are public, so it may quote them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"

namespace tacet::mechanisms {

/// Of the files that this program reads and writes.
inline constexpr int kReleaseVersion = 1;

class ReleaseFields {
 public:
  explicit constexpr ReleaseFields(const char* remedy) : remedy_(remedy) {}

  /// `value`: in words, or as it stands; its first 60 bytes are shown.
  Error bad(const std::string& field, const std::string& value, const std::string& rule) const;

  /// A JSON object of kReleaseVersion.
  Status check_version(const nlohmann::json& file) const;
  Result<const nlohmann::json*> member(const nlohmann::json& object, const std::string& field) const;
  Result<std::string> text(const nlohmann::json& object, const std::string& field) const;
  /// Finite and at most 1e100 in size, so that no sum or square of such numbers overflows; positive: at least 1e-100.
  Result<double> finite(const nlohmann::json& value, const std::string& field) const;
  Result<double> positive(const nlohmann::json& value, const std::string& field) const;

  /// What every release file says besides its figures.
  struct Common {
    nlohmann::json statement, privacy;
    std::string guarantee;
    nlohmann::json ledger;
    std::string time;
  };
  Result<Common> common(const nlohmann::json& file) const;
  template <class Release>
  Status read_common(const nlohmann::json& file, Release& release) const {
    TACET_TRY(Common fields, common(file));
    release.statement = std::move(fields.statement);
    release.privacy = std::move(fields.privacy);
    release.guarantee = std::move(fields.guarantee);
    release.ledger = std::move(fields.ledger);
    release.time = std::move(fields.time);
    return {};
  }

 private:
  const char* remedy_;
};

/// "a list", "an object", "a number", ...
std::string words_for(const nlohmann::json& value);

}  // namespace tacet::mechanisms
