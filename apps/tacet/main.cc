// The program `tacet`: a thin shell over tacet/service/verb.h. It turns options into a JSON request, calls the verb, and prints
// the result in words or, with --json, as one JSON object.
#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <exception>
#include <map>
#include <string>

#include "progress.h"
#include "tacet/service/error_json.h"
#include "tacet/service/verb.h"

namespace {

using tacet::service::Field;
using tacet::service::FieldKind;
using tacet::service::Json;
using tacet::service::Verb;

constexpr int kUsage = 2;
constexpr const char* kIntroduction =
    "Tacet publishes statistics about people under differential privacy, and does honest inference on what was published.\n\n"
    "A first walk:\n"
    "  tacet init --data people.csv --out people.toml      draft a schema, then declare what is public in it\n"
    "  tacet budget create --schema people.toml --rho 1    set the budget, once\n"
    "  tacet release counts --help                         publish a table, charged to the budget\n"
    "  tacet infer estimate --help                         what it says, with intervals; free";

/// What was typed for one verb.
struct Typed {
  std::map<std::string, std::string> values;
  std::map<std::string, bool> flags;
  bool json = false;
};

std::string user_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr && entry->pw_name != nullptr ? entry->pw_name : fmt::format("uid {}", geteuid());
}

void add_verb(CLI::App& app, const Verb& verb, Typed& typed) {
  CLI::App* parent = &app;
  std::string last = verb.name;
  if (const std::size_t space = verb.name.find(' '); space != std::string::npos) {
    const std::string group = verb.name.substr(0, space);
    last = verb.name.substr(space + 1);
    const auto groups = app.get_subcommands([&group](const CLI::App* each) { return each->get_name() == group; });
    parent = groups.empty() ? app.add_subcommand(group, fmt::format("see `tacet {} --help`", group)) : groups.front();
    parent->require_subcommand(1);
  }
  CLI::App* command = parent->add_subcommand(last, verb.summary);
  for (const Field& field : verb.fields) {
    if (field.kind == FieldKind::Flag) {
      command->add_flag("--" + field.name, typed.flags[field.name], field.help);
    } else {
      CLI::Option* option = command->add_option("--" + field.name, typed.values[field.name], field.help);
      option->type_name(field.placeholder)->required(field.required);
    }
  }
  command->add_flag("--json", typed.json, "print one JSON object instead of words");
  command->footer(fmt::format("Example:\n  {}", verb.example));
}

Json request_from(const Verb& verb, const Typed& typed, const CLI::App& command) {
  Json request = Json::object();
  for (const Field& field : verb.fields) {
    if (command.count("--" + field.name) == 0) continue;
    if (field.kind == FieldKind::Flag) {
      request[field.name] = typed.flags.at(field.name);
    } else {
      request[field.name] = typed.values.at(field.name);
    }
  }
  return request;
}

int run(const Verb& verb, const Json& request, bool json) {
  tacet::app::ProgressLine progress;
  tacet::service::Context context;
  context.analyst = user_name();
  context.progress = [&progress](double fraction) { progress.show(fraction); };
  const auto result = tacet::service::call(verb.name, request, context);
  progress.clear();
  if (!result) {
    if (json) fmt::print("{}\n", tacet::service::dump(tacet::service::to_json(result.error()), 1));
    fmt::print(stderr, "{}\n", tacet::service::sentence(result.error()));
    return tacet::service::exit_code(result.error().code());
  }
  fmt::print("{}", json ? tacet::service::dump(*result, 1) + "\n" : verb.words(*result));
  return 0;
}

/// The command that was chosen: the innermost subcommand.
const CLI::App* chosen(const CLI::App& app, std::string& name) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return at;
}

int main_or_throw(int argc, char** argv) {
  CLI::App app(kIntroduction, "tacet");
  app.set_version_flag("--version", "tacet " TACET_VERSION);
  app.require_subcommand(1);
  std::map<std::string, Typed> typed;
  for (const Verb& verb : tacet::service::verbs()) add_verb(app, verb, typed[verb.name]);
  if (argc < 2) {
    fmt::print("{}", app.help());
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  std::string name;
  const CLI::App* command = chosen(app, name);
  const Verb& verb = *tacet::service::find_verb(name);
  return run(verb, request_from(verb, typed[name], *command), typed[name].json);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return main_or_throw(argc, argv);
  } catch (const std::exception&) {
    // What it says may hold anything; only its existence is public.
    const auto error = tacet::Error::of(tacet::Code::Internal, "Tacet failed in a way it did not expect", "please report how to repeat it")
                           .after_charge("what was spent, if anything, stands in `tacet budget history`");
    (void)std::fputs((tacet::service::sentence(error) + "\n").c_str(), stderr);
    return tacet::service::exit_code(error.code());
  }
}
