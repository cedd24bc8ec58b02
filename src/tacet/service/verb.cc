#include "tacet/service/verb.h"

#include <fmt/format.h>

#include <algorithm>

#include "tacet/service/all_verbs.h"

namespace tacet::service {
namespace {

bool has_kind(const Json& value, FieldKind kind) {
  switch (kind) {
    case FieldKind::Text: return value.is_string();
    case FieldKind::Number: return value.is_string() || value.is_number();
    case FieldKind::Flag: return value.is_boolean();
    case FieldKind::List:
      return value.is_string() || (value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); }));
  }
  return false;
}

std::string_view describe(FieldKind kind) {
  switch (kind) {
    case FieldKind::Text: return "a text";
    case FieldKind::Number: return "a number";
    case FieldKind::Flag: return "true or false";
    case FieldKind::List: return "a list of texts";
  }
  return "a text";
}

Status check(const Verb& verb, const Json& request) {
  if (!request.is_object()) return Error::invalid("request", "not an object", "must be a JSON object");
  for (const auto& [key, value] : request.items()) {
    const auto field = std::find_if(verb.fields.begin(), verb.fields.end(), [&key = key](const Field& f) { return f.name == key; });
    if (field == verb.fields.end()) {
      return Error::invalid("field", fmt::format("\"{}\"", key.substr(0, 40)), fmt::format("must be a field of `{}`", verb.name),
                            fmt::format("see `tacet {} --help`", verb.name));
    }
    if (!has_kind(value, field->kind)) return Error::invalid(key, value.type_name(), fmt::format("must be {}", describe(field->kind)));
  }
  for (const Field& field : verb.fields) {
    if (field.required && !request.contains(field.name)) {
      return Error::invalid(field.name, "missing", "must be given", fmt::format("add --{} {}", field.name, field.placeholder));
    }
  }
  return {};
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {init_verb(),           budget_create_verb(), budget_show_verb(),   budget_history_verb(),
                                        release_counts_verb(), import_table_verb(),  infer_estimate_verb()};
  return all;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

std::string dump(const Json& value, int indent) { return value.dump(indent, ' ', false, Json::error_handler_t::replace); }

Result<Json> call(std::string_view name, const Json& request, const Context& context) {
  const Verb* verb = find_verb(name);
  if (verb == nullptr) return Error::invalid("verb", fmt::format("\"{}\"", name.substr(0, 40)), "must be a verb of Tacet", "see `tacet --help`");
  TACET_CHECK(check(*verb, request));
  return verb->run(request, context);
}

}  // namespace tacet::service
