// tacet/schemas/condition_tokens.h: the words and signs of a condition. Internal to this room.
//
//   std::vector<Token> tokens = *condition_tokens("age >= 40 and \"marital status\" = single");
//   tokens.back().kind == Token::End;
//
// A word is a run of letters, digits, _ . + - % / : and bytes beyond ASCII, so names, numbers,
// dates and most categories need no quotes. Quotes are " or ', doubled inside.
// Domain   UTF-8 of at most kLongestCondition bytes without control characters.
// Cost     linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/error.h"
#include "tacet/base/result.h"

namespace tacet::schemas {

inline constexpr std::size_t kLongestCondition = 8192;

struct Token {
  enum Kind : std::uint8_t { Word, Quoted, Sign, End };
  Kind kind;
  std::string text;
  std::size_t position;  // of its first character, from 1

  bool is(std::string_view sign) const { return kind == Sign && text == sign; }
  /// A word that belongs to the language, in any case.
  bool is_keyword(std::string_view keyword) const;
};

/// The last token is End.
Result<std::vector<Token>> condition_tokens(std::string_view text);

/// where is "=>" at character 5, but `rule`; `remedy`.
Error condition_error(const Token& token, const std::string& rule, const std::string& remedy);

/// As a condition writes this text: alone if it is one word and no keyword, otherwise in quotes.
std::string condition_word(std::string_view text, char quote);
/// Has it characters beyond ASCII that a terminal obeys, or that hide how it is written?
bool commands_a_terminal(std::string_view text);
/// False if no condition can contain this text.
bool is_writable(std::string_view text);

}  // namespace tacet::schemas
