// apps/tacet/command_line.h: turns the words of a command line into a request, help, or a usage
// error.
//
//   tacet release counts --by smoking,disease --rho 0.125 --json
//
// The verb is one or two words. Every field of the verb is an option `--field VALUE` or
// `--field=VALUE`, given once. A value may begin with a dash.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tacet/base/error.h"
#include "tacet/service/verb.h"

namespace tacet::app {

struct Command {
  const service::Verb* verb;
  service::Json request;
};
struct Help {
  std::string text;
  bool asked_for;  // false: there were no words
};
/// Words that are not a request: the program ends with exit code 2.
struct Misuse {
  Error error;
};

using Parsed = std::variant<Command, Help, Misuse>;

/// `words` are the arguments without the program's name.
Parsed parse_command_line(const std::vector<std::string>& words);

/// True if the answer is wanted as JSON, also if the rest is wrong.
bool wants_json(const std::vector<std::string>& words);

}  // namespace tacet::app
