#include "command_line.h"

#include <algorithm>
#include <map>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/schemas/words.h"
#include "tacet/version.h"

namespace tacet::app {
namespace {

using service::Field;
using service::FieldKind;
using service::Json;
using service::Verb;

constexpr const char* kIntroduction =
    "Tacet publishes statistics about people under differential privacy, and does honest inference on what was published.\n\n"
    "A first walk:\n"
    "  tacet init --data people.csv --out people.toml      draft a schema, then declare what is public in it\n"
    "  tacet budget create --schema people.toml --rho 1    set the budget, once\n"
    "  tacet release counts --help                         publish a table, charged to the budget\n"
    "  tacet infer estimate --help                         what it says, with intervals; free\n";

constexpr std::size_t kShown = 60;

std::string shown(const std::string& word) { return in_quotes(word.substr(0, kShown)) + (word.size() > kShown ? "..." : ""); }

Misuse misuse(std::string name, std::string value, std::string rule, std::string remedy) {
  return {Error::invalid(std::move(name), std::move(value), std::move(rule), std::move(remedy))};
}

std::string group_of(const Verb& verb) { return verb.name.substr(0, verb.name.find(' ')); }

/// The verbs of a group, or all of them.
std::string list_of_verbs(const std::string& group) {
  std::size_t width = 0;
  for (const Verb& verb : service::verbs()) width = std::max(width, verb.name.size());
  std::string out;
  for (const Verb& verb : service::verbs()) {
    if (group.empty() || group_of(verb) == group) out += fmt::format("  {:<{}}  {}\n", verb.name, width, verb.summary);
  }
  return out;
}

std::string program_help() {
  return fmt::format(
      "{}\nUsage: tacet VERB [OPTIONS]\n\nVerbs:\n{}\nEvery verb:\n"
      "  --help     its options and an example\n"
      "  --json     print one JSON object instead of words\n"
      "\nExit codes: 0 done, 1 refused, 2 wrong usage, 3 budget, 4 data or engine, 5 internal. `tacet --version` tells the version.\n",
      kIntroduction, list_of_verbs(""));
}

std::string group_help(const std::string& group) {
  return fmt::format("Usage: tacet {} VERB [OPTIONS]\n\nVerbs:\n{}", group, list_of_verbs(group));
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : service::verbs()) names.push_back(verb.name);
  return names;
}

std::vector<std::string> verb_and_group_names() {
  std::vector<std::string> names = verb_names();
  for (const Verb& verb : service::verbs()) names.push_back(group_of(verb));
  return names;
}

/// A remedy with the nearest verb, for words that name none.
std::string meant(const std::vector<std::string>& typed, const std::string& group) {
  const std::string all = typed.size() > 1 && !typed[1].starts_with('-') ? typed[0] + " " + typed[1] : typed[0];
  for (const std::string& words : {all, typed[0]}) {
    if (const std::string nearest = schemas::did_you_mean(words.substr(0, kShown), verb_and_group_names()); !nearest.empty())
      return nearest;
  }
  std::vector<std::string> seconds;
  for (const std::string& name : verb_names()) {
    const std::size_t space = name.find(' ');
    if (space == std::string::npos) continue;
    const std::string& second = group.empty() ? typed[0] : all.substr(std::min(all.size(), group.size() + 1));
    if (name.substr(space + 1) == second) seconds.push_back(name);
  }
  std::string choice;
  for (const std::string& second : seconds) choice += (choice.empty() ? "" : " or ") + in_quotes(second);
  if (!choice.empty() && seconds.size() <= 3) return fmt::format("did you mean {}?", choice);
  return group.empty() ? "see `tacet --help`" : fmt::format("see `tacet {} --help`", group);
}

bool is_group(const std::string& word) {
  return std::any_of(service::verbs().begin(), service::verbs().end(),
                     [&word](const Verb& verb) { return verb.name.size() > word.size() && group_of(verb) == word; });
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

/// The options of one verb, as CLI11 reads them.
class Options {
 public:
  explicit Options(const Verb& verb) : verb_(verb), app_(verb.summary, "tacet " + verb.name) {
    app_.allow_extras();
    app_.footer(fmt::format("Example:\n  {}", verb.example));
    for (const Field& field : verb.fields) {
      if (field.kind == FieldKind::Flag) {
        app_.add_flag("--" + field.name, flags_[field.name], field.help)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
            ->disable_flag_override();
        continue;
      }
      CLI::Option* option = app_.add_option("--" + field.name, values_[field.name], field.help);
      const char* how = field.first ? " (required; may stand first, without its name)" : field.required ? " (required)" : "";
      option->type_name(field.placeholder + how)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    app_.add_flag("--json", flags_["json"], "print one JSON object instead of words")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->disable_flag_override();
  }

  Parsed parse(std::vector<std::string> words) {
    const auto first = std::find_if(verb_.fields.begin(), verb_.fields.end(), [](const Field& field) { return field.first; });
    if (first != verb_.fields.end() && !words.empty() && !words[0].starts_with('-')) words.insert(words.begin(), "--" + first->name);
    if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return word == "--help" || word == "-h"; }))
      return Help{app_.help(), true};
    try {
      app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError&) {
      return incomplete(words);
    }
    if (const auto extra = app_.remaining(); !extra.empty()) return unexpected(extra.front());
    Json request = Json::object();
    for (const Field& field : verb_.fields) {
      const std::string name = "--" + field.name;
      const std::size_t times = app_.get_option(name)->count();
      if (times > 1) return misuse(name, fmt::format("given {} times", times), "must be given once", lists(field));
      if (times == 0 && field.required) return misuse(name, "missing", "must be given", fmt::format("add {} {}", name, field.placeholder));
      if (times == 0) continue;
      if (field.kind == FieldKind::Flag) {
        request[field.name] = flags_.at(field.name);
      } else {
        request[field.name] = values_.at(field.name);
      }
    }
    return Command{&verb_, std::move(request)};
  }

 private:
  std::string see() const { return fmt::format("see `tacet {} --help`", verb_.name); }
  std::string lists(const Field& field) const {
    return field.kind == FieldKind::List || field.kind == FieldKind::Numbers ? "separate the items of a list by commas" : see();
  }

  /// The option that a word names, without the text after "="; empty if the verb has none.
  std::string option_in(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    const bool known =
        std::any_of(verb_.fields.begin(), verb_.fields.end(), [&name](const Field& field) { return name == "--" + field.name; });
    return known ? name : "";
  }

  /// CLI11 stops at an option without a value, which can only be the last word, or at a flag with
  /// a value.
  Misuse incomplete(const std::vector<std::string>& words) const {
    const std::string option = words.empty() ? "" : option_in(words.back());
    if (!option.empty()) return misuse(option, "the last word", "must be followed by its value", see());
    return misuse("command line", "not understood", "must be options of the verb, each with its value", see());
  }

  Misuse unexpected(const std::string& word) const {
    // A value of two words without quotes leaves its second word here.
    const bool secret = std::any_of(verb_.fields.begin(), verb_.fields.end(), [](const Field& field) { return field.secret; });
    if (secret) return misuse("command line", "not understood", "must be options of the verb, each with its value in quotes", see());
    if (!word.starts_with("--")) return misuse("argument", shown(word), "must follow the option that it is for", see());
    std::vector<std::string> names = {"--json", "--help"};
    for (const Field& field : verb_.fields) names.push_back("--" + field.name);
    const std::string nearest = schemas::did_you_mean(word.substr(0, std::min(kShown, word.find('='))), names);
    return misuse("option", shown(word), fmt::format("must be an option of `tacet {}`", verb_.name), nearest.empty() ? see() : nearest);
  }

  const Verb& verb_;
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> flags_;
  CLI::App app_;
};

}  // namespace

bool wants_json(const std::vector<std::string>& words) { return std::find(words.begin(), words.end(), "--json") != words.end(); }

Parsed parse_command_line(const std::vector<std::string>& words) {
  if (words.empty()) return Help{program_help(), false};
  if (words[0] == "help" && words.size() > 1) {
    std::vector<std::string> turned(words.begin() + 1, words.end());
    turned.emplace_back("--help");
    return parse_command_line(turned);
  }
  if (asks_for_help(words[0])) return Help{program_help(), true};
  if (words[0] == "--version") return Help{fmt::format("tacet {}\n", kVersion), true};
  if (const Verb* verb = service::find_verb(words[0])) return Options(*verb).parse({words.begin() + 1, words.end()});
  if (is_group(words[0])) {
    if (words.size() > 1 && asks_for_help(words[1])) return Help{group_help(words[0]), true};
    if (words.size() > 1 && !words[1].starts_with('-')) {
      if (const Verb* verb = service::find_verb(words[0] + " " + words[1])) return Options(*verb).parse({words.begin() + 2, words.end()});
      return misuse("verb", shown(words[0] + " " + words[1]), "must be a verb of Tacet", meant(words, words[0]));
    }
    std::string seconds;
    for (const Verb& verb : service::verbs()) {
      if (group_of(verb) == words[0]) seconds += (seconds.empty() ? "" : ", ") + verb.name.substr(words[0].size() + 1);
    }
    return misuse("verb", shown(words[0]),
                  (seconds.find(',') == std::string::npos ? "must be followed by " : "must be followed by one of ") + seconds,
                  fmt::format("see `tacet {} --help`", words[0]));
  }
  return misuse(words[0].starts_with('-') ? "option" : "verb", shown(words[0]), "must be a verb of Tacet", meant(words, ""));
}

}  // namespace tacet::app
