// tacet/service/verb.h: what Tacet can be asked to do, each a function from a JSON request to a JSON result.
//
// The command line is a thin shell over this list; a server and language bindings can be others.
//
//   Context context;
//   Result<Json> result = call("budget show", {{"schema", "patients.toml"}}, context);
//
// call() refuses a request with unknown, missing or mistyped fields before the verb sees it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"

namespace tacet::service {

using Json = nlohmann::json;

/// What a verb may use of the outside world.
struct Context {
  std::string analyst = "unnamed";  // who asks: charged for releases, and the custodian of the budgets that they create
  /// Told what is being done ("reading") and the fraction of it that is, from 0 to 1, or less than 0 where that is not known.
  std::function<void(std::string_view doing, double fraction)> progress = {};
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> random_bits = {};  // empty: SecureBits::open()

  Result<std::unique_ptr<exact::RandomBits>> open_bits() const;
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> open_bits_function() const {
    return [this] { return open_bits(); };
  }
  void tell(std::string_view doing, double fraction = -1) const {
    if (progress) progress(doing, fraction);
  }
};

enum class FieldKind : std::uint8_t {
  Text,
  Number,   // a decimal, as text or as a JSON number; kept exact
  List,     // a JSON list of texts, or one text with commas
  Numbers,  // a JSON list of numbers or of decimals as texts, one number, or one text with commas
  Flag,
};

struct Field {
  std::string name;
  std::string placeholder;  // for help: "FILE", "a,b"
  std::string help;
  FieldKind kind = FieldKind::Text;
  bool required = false;
  bool secret = false;  // a person's own value: no error of the verb may repeat a word of its request
};

struct Verb {
  std::string name;     // one or two words: "release counts"
  std::string summary;  // one line
  std::string example;  // shell commands, executed by tests/cli
  std::vector<Field> fields;
  std::function<Result<Json>(const Json& request, const Context& context)> run;
  /// The short answer for people. Of what verbs() lists it is safe to print, whatever the result holds: what a terminal would obey instead of
  /// showing, but for line feeds, is "?". A text that may hold line feeds is made printable where it is used (report/text_table.h).
  std::function<std::string(const Json& result)> words;
  /// A field of the result that is true or false: whether what the verb checks holds. The program's exit code tells it. Empty: no such field.
  std::string verdict{};
};

/// All verbs, in the order of a first walk through the program.
const std::vector<Verb>& verbs();
const Verb* find_verb(std::string_view name);

/// The text of a JSON value; bytes that are not UTF-8 (a file name may hold any) are replaced, never an exception.
std::string dump(const Json& value, int indent = -1);

/// Refuses what is not in the verb's fields, lacks a required one or has another kind. Texts may hold anything but NUL.
Status check_request(const Verb& verb, const Json& request);

/// The short answer for people. Never empty and never an exception: where the words cannot be made, it says so, and what was done.
std::string words_of(const Verb& verb, const Json& result);

/// Never throws: what goes wrong unexpectedly is Code::Internal.
Result<Json> call(std::string_view name, const Json& request, const Context& context);

}  // namespace tacet::service
