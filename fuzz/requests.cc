// Requests: the first line is a verb. What follows is a JSON request, where it begins with a brace,
// or the words of a command line, one to a line.
//
// Every request is checked. It is answered by the verbs that read no files and take little time;
// texts that name files are replaced by names that do not exist.
// Holds    no exception leaves call(); an error and an answer in words are harmless on a terminal;
//          an answer is JSON that reads back.
#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "tacet/mechanisms/json_file.h"
#include "tacet/service/error_json.h"
#include "tacet/service/verb.h"

#include "command_line.h"
#include "support.h"

namespace {

using tacet::fuzz::harmless_on_a_terminal;
using tacet::fuzz::must;
using tacet::service::Field;
using tacet::service::FieldKind;
using tacet::service::Json;
using tacet::service::Verb;

constexpr std::size_t kMostUnknown = 16;  // letters of what is no verb
constexpr std::size_t kMostListed = 8;    // items of a list, where the work grows with them
constexpr std::array<std::string_view, 14> kQuick = {"calibrate laplace",  "plan pvalue",       "calibrate gaussian", "convert",
                                                     "tradeoff gaussian",  "tradeoff laplace",  "randomize exp",      "randomize flip",
                                                     "randomize gaussian", "randomize laplace", "critical gwas",      "plan clip",
                                                     "import table",       "import local"};

bool names_a_file(const Field& field) {
  return field.kind == FieldKind::Text && (field.placeholder == "FILE" || field.placeholder == "F" || field.placeholder == "S");
}

void check_error(const tacet::Error& error) {
  const std::string sentence = tacet::service::sentence(error);
  must(harmless_on_a_terminal(sentence) && sentence.find('\n') == std::string::npos, "an error is one harmless line");
  must(!Json::parse(tacet::service::dump(tacet::service::to_json(error)), nullptr, false).is_discarded(), "an error is JSON");
}

void answer(const Verb& verb, Json request) {
  if (const auto status = tacet::service::check_request(verb, request); !status) {
    check_error(status.error());
    return;
  }
  if (std::find(kQuick.begin(), kQuick.end(), verb.name) == kQuick.end()) return;
  for (const Field& field : verb.fields) {
    if (!request.contains(field.name)) continue;
    if (names_a_file(field) || field.name == "out") request[field.name] = "/nonexistent/file";
    const Json& value = request.at(field.name);
    if (value.is_array() && value.size() > kMostListed) return;
    if (value.is_string() && std::count(value.get_ref<const std::string&>().begin(), value.get_ref<const std::string&>().end(), ',') >
                                 static_cast<std::ptrdiff_t>(kMostListed))
      return;
  }
  const auto result = tacet::service::perform(verb.name, request, {});
  if (!result) {
    must(result.error().code() != tacet::Code::Internal, "no exception leaves a verb");
    check_error(result.error());
    return;
  }
  must(!Json::parse(tacet::service::dump(result->json()), nullptr, false).is_discarded(), "an answer is JSON");
  must(harmless_on_a_terminal(result->words()), "an answer in words is harmless on a terminal");
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

/// "release counts" is two words on a command line.
std::vector<std::string> words_of(const std::vector<std::string>& lines) {
  std::vector<std::string> words;
  const std::size_t space = lines.front().find(' ');
  words.push_back(lines.front().substr(0, space));
  if (space != std::string::npos) words.push_back(lines.front().substr(space + 1));
  words.insert(words.end(), lines.begin() + 1, lines.end());
  // A program's arguments end at a NUL.
  for (std::string& word : words) word = word.substr(0, word.find('\0'));
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = tacet::fuzz::as_text(data, size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string name(text.substr(0, end));
  const std::string rest(text.substr(std::min(end + 1, text.size())));
  // To say which verb was meant takes longer than all the rest; that much is seen in a few letters.
  if (name.size() > kMostUnknown && tacet::service::find_verb(name) == nullptr) return -1;
  if (rest.starts_with('{')) {
    const auto request = tacet::mechanisms::parse_json(rest, "request", "text");
    const Verb* verb = tacet::service::find_verb(name);
    if (verb != nullptr && request) answer(*verb, *request);
    if (verb == nullptr) check_error(tacet::service::call(name, Json::object(), {}).error());
    return 0;
  }
  const tacet::app::Parsed parsed = tacet::app::parse_command_line(words_of(lines_of(text)));
  if (const auto* misuse = std::get_if<tacet::app::Misuse>(&parsed)) check_error(misuse->error);
  if (const auto* command = std::get_if<tacet::app::Command>(&parsed)) answer(*command->verb, command->request);
  return 0;
}
