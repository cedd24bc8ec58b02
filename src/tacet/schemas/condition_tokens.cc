#include "tacet/schemas/condition_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::schemas {
namespace {

constexpr std::array<std::string_view, 6> kKeywords = {"and", "or", "not", "in", "is", "between"};
constexpr const char* kExample = "for example: age >= 40 and smoking in (current, former)";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

bool is_word_character(char c) {
  constexpr std::string_view kSigns = "_.+-%/:";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kSigns.find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool same_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// What other languages write, and ours.
std::string remedy_for_sign(std::string_view sign) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOurs = {
      {{"==", "="}, {"<>", "!="}, {"=<", "<="}, {"=>", ">="}, {"&&", "and"}, {"||", "or"}, {"!", "not"}, {"~", "not"}}};
  for (const auto& [theirs, ours] : kOurs) {
    if (sign == theirs) return fmt::format("write {}", ours);
  }
  return "names and texts with other characters stand in quotes: 'a b'";
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> tokens() {
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      TACET_TRY(Token token, next());
      tokens_.push_back(std::move(token));
    }
    tokens_.push_back({Token::End, "", position(at_)});
    return std::move(tokens_);
  }

 private:
  /// Counts characters, not bytes. Never moves back, so that all positions together cost one pass.
  std::size_t position(std::size_t byte) {
    for (; counted_ < byte; ++counted_) characters_ += is_continuation(text_[counted_]) ? 0 : 1;
    return characters_ + 1;
  }

  Result<Token> next() {
    const std::size_t begin = at_;
    const std::size_t where = position(begin);
    const char first = text_[begin];
    if (first == '"' || first == '\'') return quoted(first, where);
    if (is_word_character(first)) {
      while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
      return Token{Token::Word, std::string(text_.substr(begin, at_ - begin)), where};
    }
    constexpr std::string_view kSigns = "=!<>&|~";
    if (first == '(' || first == ')' || first == ',') {
      ++at_;
    } else {
      while (at_ < text_.size() && kSigns.find(text_[at_]) != std::string_view::npos) ++at_;
      if (at_ == begin) ++at_;
    }
    Token sign{Token::Sign, std::string(text_.substr(begin, at_ - begin)), where};
    constexpr std::array<std::string_view, 9> kOurs = {"=", "!=", "<", "<=", ">", ">=", "(", ")", ","};
    if (std::find(kOurs.begin(), kOurs.end(), sign.text) != kOurs.end()) return sign;
    return condition_error(sign,
                           "must be made of names, numbers, texts, parentheses and the signs = != < <= > >=", remedy_for_sign(sign.text));
  }

  Result<Token> quoted(char quote, std::size_t where) {
    Token token{Token::Quoted, "", where};
    for (++at_; at_ < text_.size(); ++at_) {
      if (is_control(text_[at_])) break;
      if (text_[at_] != quote) {
        token.text += text_[at_];
        continue;
      }
      if (at_ + 1 < text_.size() && text_[at_ + 1] == quote) {
        token.text += quote;
        ++at_;
        continue;
      }
      ++at_;
      return token;
    }
    return Error::invalid("where", fmt::format("a text from character {} without its end", where),
                          fmt::format("must close every {} by another one, on the same line", quote),
                          "a quote inside a text is written twice: 'Crohn''s disease'");
  }

  std::string_view text_;
  std::size_t at_ = 0, counted_ = 0, characters_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool Token::is_keyword(std::string_view keyword) const { return kind == Word && same_in_any_case(text, keyword); }

Result<std::vector<Token>> condition_tokens(std::string_view text) {
  if (text.size() > kLongestCondition) {
    return Error::invalid("where", fmt::format("a text of {} bytes", text.size()), fmt::format("must have at most {}", kLongestCondition),
                          "name the rest of a long list by `not in`, or declare fewer categories");
  }
  if (!is_utf8(text)) return Error::invalid("where", "not UTF-8", "must be a text in UTF-8", kExample);
  const auto is_bad = [](char c) { return is_control(c) && !is_space(c); };
  if (std::any_of(text.begin(), text.end(), is_bad) || commands_a_terminal(text))
    return Error::invalid("where", "a text with control characters", "must not contain any", kExample);
  if (std::all_of(text.begin(), text.end(), is_space))
    return Error::invalid("where", "empty", "must be a condition on a row", std::string(kExample) + "; leave it out for all rows");
  return Lexer(text).tokens();
}

Error condition_error(const Token& token, const std::string& rule, const std::string& remedy) {
  constexpr std::size_t kShown = 60;
  std::size_t end = std::min(token.text.size(), kShown);
  while (end < token.text.size() && end > 0 && is_continuation(token.text[end])) --end;
  return Error::invalid("where",
                        token.kind == Token::End ? fmt::format("over at character {}", token.position)
                                                 : fmt::format("{}{} at character {}", in_quotes(token.text.substr(0, end)),
                                                               end < token.text.size() ? " ..." : "", token.position),
                        rule, remedy);
}

std::string condition_word(std::string_view text, char quote) {
  const auto is_same = [&](std::string_view keyword) { return same_in_any_case(text, keyword); };
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_word_character) &&
                     std::none_of(kKeywords.begin(), kKeywords.end(), is_same);
  if (plain) return std::string(text);
  std::string out(1, quote);
  for (const char c : text) out += c == quote ? std::string(2, quote) : std::string(1, c);
  return out + quote;
}

bool commands_a_terminal(std::string_view text) {
  // In UTF-8: U+0080 to U+009F; the separators of lines; marks that turn the direction of writing.
  struct Range {
    std::string_view start;
    unsigned char first, last;
  };
  constexpr std::array<Range, 3> kCommands = {{{"\xC2", 0x80, 0x9F}, {"\xE2\x80", 0xA8, 0xAE}, {"\xE2\x81", 0xA6, 0xA9}}};
  for (const auto& [start, first, last] : kCommands) {
    for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start, at + 1)) {
      const std::size_t next = at + start.size();
      if (next < text.size() && static_cast<unsigned char>(text[next]) >= first && static_cast<unsigned char>(text[next]) <= last)
        return true;
    }
  }
  return false;
}

bool is_writable(std::string_view text) { return std::none_of(text.begin(), text.end(), is_control) && !commands_a_terminal(text); }

}  // namespace tacet::schemas
