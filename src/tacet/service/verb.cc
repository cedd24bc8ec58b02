#include "tacet/service/verb.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_kind.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/words.h"
#include "tacet/service/all_verbs.h"

namespace tacet::service {
namespace {

constexpr std::size_t kShown = 40;

bool has_kind(const Json& value, FieldKind kind) {
  const auto all = [&value](auto holds) { return value.is_array() && std::all_of(value.begin(), value.end(), holds); };
  switch (kind) {
    case FieldKind::Text: return value.is_string();
    case FieldKind::Number: return value.is_string() || value.is_number();
    case FieldKind::Flag: return value.is_boolean();
    case FieldKind::Numbers:
      return has_kind(value, FieldKind::Number) || all([](const Json& item) { return has_kind(item, FieldKind::Number); });
    case FieldKind::List: return value.is_string() || all([](const Json& item) { return item.is_string(); });
  }
  return false;
}

std::string_view describe(FieldKind kind) {
  switch (kind) {
    case FieldKind::Text: return "a text";
    case FieldKind::Number: return "a number";
    case FieldKind::Flag: return "true or false";
    case FieldKind::List: return "a list of texts";
    case FieldKind::Numbers: return "a list of numbers";
  }
  return "a text";
}

bool has_nul(const Json& value) {
  if (value.is_array()) return std::any_of(value.begin(), value.end(), has_nul);
  return value.is_string() && value.get_ref<const std::string&>().find('\0') != std::string::npos;
}

/// A string in an answer, of a field or of a field of a field; empty if there is none.
std::string text_in(const Json& answer, const char* outer, const char* inner) {
  const Json part = answer.is_object() ? answer.value(outer, Json()) : Json();
  const Json value = *inner == '\0' ? part : part.is_object() ? part.value(inner, Json()) : Json();
  return value.is_string() ? report::printable(value.get<std::string>()) : std::string();
}

}  // namespace

std::string Answer::words() const {
  std::string words;
  try {
    words = report::printable_lines(words_());
  } catch (const std::exception&) {
    words.clear();  // the request was done, and the text below says so
  }
  if (!words.empty()) return words;
  std::string out = fmt::format("`tacet {}` was done, but its answer cannot be shown in words; with --json it can.\n", verb_);
  const Json answer = json();
  if (const std::string charged = text_in(answer, "privacy", "charged"); !charged.empty()) out += fmt::format("Charged: {}.\n", charged);
  if (const std::string file = text_in(answer, "out", ""); !file.empty()) out += fmt::format("Wrote {}.\n", file);
  return out;
}

const std::vector<Verb>& verbs() {
#define TACET_MADE(verb) verb##_verb::make(),
  static const std::vector<Verb> all = {TACET_ALL_VERBS(TACET_MADE)};
#undef TACET_MADE
  return all;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

Status check_request(const Verb& verb, const Json& request) {
  if (!request.is_object()) return Error::invalid("request", mechanisms::json_kind(request), "must be a JSON object");
  for (const auto& [key, value] : request.items()) {
    const auto field = std::find_if(verb.fields.begin(), verb.fields.end(), [&key = key](const Field& f) { return f.name == key; });
    if (field == verb.fields.end()) {
      std::vector<std::string> names;
      for (const Field& known : verb.fields) names.push_back(known.name);
      const std::string nearest = schemas::did_you_mean(key.substr(0, kShown), names);
      return Error::invalid("field", fmt::format("\"{}\"", key.substr(0, kShown)), fmt::format("must be a field of `{}`", verb.name),
                            nearest.empty() ? fmt::format("see `tacet {} --help`", verb.name) : nearest);
    }
    if (!has_kind(value, field->kind))
      return Error::invalid(key, mechanisms::json_kind(value), fmt::format("must be {}", describe(field->kind)));
    if (has_nul(value)) return Error::invalid(key, "a text with the character NUL", "must be a text without it");
  }
  for (const Field& field : verb.fields) {
    if (field.required && !request.contains(field.name)) {
      return Error::invalid(field.name, "missing", "must be given", fmt::format("add {} = {}", field.name, field.placeholder));
    }
  }
  return {};
}

Result<Answer> perform(std::string_view name, const Json& request, const Context& context) {
  const Verb* verb = find_verb(name);
  if (verb == nullptr) {
    std::vector<std::string> names;
    for (const Verb& known : verbs()) names.push_back(known.name);
    const std::string nearest = schemas::did_you_mean(name.substr(0, kShown), names);
    return Error::invalid("verb", fmt::format("\"{}\"", name.substr(0, kShown)), "must be a verb of Tacet",
                          nearest.empty() ? "see `tacet --help`" : nearest);
  }
  TACET_CHECK(check_request(*verb, request));
  try {
    return verb->run(request, context);
  } catch (const std::exception&) {
    // The exception's text may be private; only its existence is public.
    return Error::of(Code::Internal, "Tacet failed unexpectedly, perhaps because memory ran out", "please report how to repeat it")
        .after_charge("what was spent, if anything, stands in `tacet budget history`");
  }
}

Result<Json> call(std::string_view name, const Json& request, const Context& context) {
  TACET_TRY(const Answer answer, perform(name, request, context));
  return answer.json();
}

}  // namespace tacet::service
