#include "advice.h"

#include <algorithm>
#include <string_view>

#include "tacet/service/verb.h"

namespace tacet::app {
namespace {

/// The next double quote without a backslash before it.
std::size_t next_quote(std::string_view text, std::size_t from) {
  std::size_t at = text.find('"', from);
  while (at != std::string_view::npos && at > 0 && text[at - 1] == '\\') at = text.find('"', at + 1);
  return at;
}

/// Whether a position is between double quotes, as a name that somebody gave is.
bool in_a_name(std::string_view text, std::size_t at) {
  std::size_t from = 0;
  for (;;) {
    const std::size_t open = next_quote(text, from);
    const std::size_t close = open == std::string_view::npos ? open : next_quote(text, open + 1);
    if (close == std::string_view::npos || at < open) return false;
    if (at < close) return true;
    from = close + 1;
  }
}

/// Whether a position is in a line for the schema, up to the next remedy: there is no option.
bool in_a_schema_line(std::string_view text, std::size_t at) {
  const std::size_t from = text.rfind("write under [", at);
  return from != std::string_view::npos && text.find("; ", from) > at;
}

std::string with_options(const std::string& advice, const std::vector<service::Field>& fields) {
  constexpr std::string_view kIs = " = ";
  constexpr std::string_view kTrue = "true";
  std::string typed;
  std::size_t from = 0;
  for (std::size_t at = advice.find(kIs); at != std::string::npos; at = advice.find(kIs, from)) {
    const std::size_t blank = at == 0 ? std::string::npos : advice.find_last_of(" (`", at - 1);
    const std::size_t word = blank == std::string::npos ? 0 : blank + 1;
    const std::string name = advice.substr(word, at - word);
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const service::Field& one) { return one.name == name; });
    const bool known = word >= from && !in_a_name(advice, at) && !in_a_schema_line(advice, at) && field != fields.end();
    std::size_t next = at + kIs.size();
    if (!known) {
      typed += advice.substr(from, next - from);
    } else if (field->kind == service::FieldKind::Flag && advice.compare(next, kTrue.size(), kTrue) == 0) {
      typed += advice.substr(from, word - from) + "--" + name;
      next += kTrue.size();
    } else {
      typed += advice.substr(from, word - from) + "--" + name + " ";
    }
    from = next;
  }
  return typed + advice.substr(from);
}

/// Whether the text is `words`, or begins with them and a blank.
bool begins(std::string_view text, std::string_view words) {
  return text.starts_with(words) && (text.size() == words.size() || text[words.size()] == ' ');
}

/// A quoted command: the verb with its own options. Nothing if it names no verb, and no group of
/// verbs.
std::string as_command(const std::string& quoted) {
  for (const service::Verb& verb : service::verbs()) {
    if (begins(quoted, verb.name)) return "tacet " + with_options(quoted, verb.fields);
  }
  const auto in_group = [&](const service::Verb& verb) { return begins(verb.name, quoted); };
  return std::any_of(service::verbs().begin(), service::verbs().end(), in_group) ? "tacet " + quoted : quoted;
}

}  // namespace

std::string as_typed(const std::string& advice, const std::vector<service::Field>& fields) {
  std::string typed;
  std::size_t from = 0;
  for (;;) {
    std::size_t open = advice.find('`', from);
    while (open != std::string::npos && in_a_name(advice, open)) open = advice.find('`', open + 1);
    const std::size_t close = open == std::string::npos ? open : advice.find('`', open + 1);
    if (close == std::string::npos) return typed + with_options(advice.substr(from), fields);
    typed += with_options(advice.substr(from, open - from), fields) + "`";
    typed += as_command(advice.substr(open + 1, close - open - 1)) + "`";
    from = close + 1;
  }
}

}  // namespace tacet::app
