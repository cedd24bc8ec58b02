#include "tacet/service/reference.h"

#include <algorithm>

#include <fmt/format.h>

namespace tacet::service {
namespace {

/// A text in a cell of a Markdown table.
std::string in_cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

std::string_view kind_words(FieldKind kind) {
  switch (kind) {
    case FieldKind::Text: return "text";
    case FieldKind::Number: return "number";
    case FieldKind::List: return "list of texts";
    case FieldKind::Numbers: return "list of numbers";
    case FieldKind::Flag: return "flag";
  }
  return "text";
}

/// "number", "text or null", "list of objects": the type of a JSON Schema in words.
std::string type_words(const Json& schema) {
  if (schema.contains("enum")) return "text";
  if (schema.contains("anyOf")) {
    std::string out;
    for (const Json& one : schema.at("anyOf")) out += (out.empty() ? "" : " or ") + type_words(one);
    return out;
  }
  if (!schema.contains("type")) return "any";
  const auto word = [&schema](const std::string& type) -> std::string {
    if (type == "string") return "text";
    if (type == "integer") return "whole number";
    if (type == "boolean") return "true or false";
    if (type != "array") return type;
    return schema.contains("items") ? "list of " + type_words(schema.at("items")) : "list";
  };
  const Json& type = schema.at("type");
  if (type.is_string()) return word(type.get<std::string>());
  std::string out;
  for (const Json& one : type) out += (out.empty() ? "" : " or ") + word(one.get<std::string>());
  return out;
}

std::string request_rows(const Verb& verb) {
  std::string out = "| option | | meaning |\n| --- | --- | --- |\n";
  for (const Field& field : verb.fields) {
    const std::string value = field.kind == FieldKind::Flag ? "" : " " + field.placeholder;
    out += fmt::format("| `--{}{}` | {}{} | {} |\n", field.name, value, kind_words(field.kind),
                       field.first      ? ", required; may stand first, without its name"
                       : field.required ? ", required"
                                        : "",
                       in_cell(field.help));
  }
  return out;
}

std::string answer_rows(const std::string& prefix, const std::vector<AnswerField>& fields) {
  std::string out;
  for (const AnswerField& field : fields)
    out += fmt::format("| `{}{}` | {} | {} |\n", prefix, field.name, type_words(field.schema), in_cell(field.meaning));
  return out;
}

}  // namespace

std::string file_name(const Verb& verb) {
  std::string name = verb.name;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

std::string reference_page(const Verb& verb) {
  std::string out = fmt::format("# tacet {}\n\n{}.\n\n", verb.name, verb.summary);
  out += fmt::format("<!-- not run: tests/cli runs the example of every verb -->\n```sh\n{}\n```\n\n", verb.example);
  if (verb.shows_data) {
    out +=
        "Its answer may show data without noise: it is for the custodian alone, and no server may offer it to others "
        "([threats](../../explanation/threats.md#what-the-custodian-sees)).\n\n";
  }
  if (verb.library) out += fmt::format("C++: `{}` in `{}`.\n\n", verb.library->name, verb.library->header);
  out += "## Request\n\nOn the command line, or as fields of a JSON request.\n\n" + request_rows(verb);
  out += "\n## Answer\n\nWith `--json`, one object with these fields.\n\n| field | type | meaning |\n| --- | --- | --- |\n";
  out += answer_rows("", verb.answer);
  out += fmt::format("\nJSON Schemas of both: [{}.schema.json]({}.schema.json). Errors: [errors.md](../errors.md).\n", file_name(verb),
                     file_name(verb));
  return out;
}

std::string reference_index() {
  std::string out =
      "# The verbs\n\nEvery verb, in the order of a first walk. These pages are made from the program (`make reference`).\n\n";
  out += "| verb | what it does |\n| --- | --- |\n";
  for (const Verb& verb : verbs()) out += fmt::format("| [tacet {}]({}.md) | {} |\n", verb.name, file_name(verb), in_cell(verb.summary));
  return out;
}

Json verb_schema(const Verb& verb) {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "tacet " + verb.name},
          {"description", verb.summary},
          {"$defs", {{"request", request_schema(verb.fields)}, {"answer", answer_schema(verb.answer)}}}};
}

}  // namespace tacet::service
