#include "tacet/workflow/session/checks_file.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/base/text.h"
#include "tacet/mechanisms/json_file.h"

namespace tacet {
namespace {

using nlohmann::json;

constexpr int kChecksVersion = 1;

json receipt_json(const kernel::Receipt& receipt) {
  return {{"ledger", receipt.ledger},         {"dataset", receipt.dataset}, {"entry", receipt.entry},
          {"entry_hash", receipt.entry_hash}, {"time", receipt.time},       {"statement_hash", receipt.statement_hash},
          {"charged", receipt.charged}};
}

kernel::Receipt receipt_from(const json& value) {
  return {.ledger = value.at("ledger"),
          .dataset = value.at("dataset"),
          .entry = value.at("entry"),
          .entry_hash = value.at("entry_hash"),
          .statement_hash = value.at("statement_hash"),
          .time = value.at("time"),
          .charged = value.at("charged")};
}

json guess_json(const CheckedGuess& guess) {
  json out = {{"by", name(guess.by)},
              {"of", guess.text},
              {"range", {guess.lowest, guess.highest}},
              {"guess", guess.guess},
              {"tolerance", guess.tolerance},
              {"confirmed", guess.confirmed},
              {"file_width", nullptr},
              {"population_width", nullptr}};
  if (guess.widths) {
    out["file_width"] = guess.widths->file;
    out["population_width"] = guess.widths->population;
  }
  return out;
}

CheckedGuess guess_from(const json& value) {
  CheckedGuess out{.by = value.at("by") == name(AskedFor::Fraction) ? AskedFor::Fraction : AskedFor::Expression,
                   .text = value.at("of"),
                   .lowest = value.at("range").at(0),
                   .highest = value.at("range").at(1),
                   .guess = value.at("guess"),
                   .tolerance = value.at("tolerance"),
                   .confirmed = value.at("confirmed").get<bool>(),
                   .widths = {}};
  if (out.confirmed) out.widths = GuessWidths{value.at("file_width"), value.at("population_width")};
  return out;
}

SessionChecks checks_from(const json& file) {
  SessionChecks checks{.header = {},
                       .at_most = file.at("at_most"),
                       .n = file.at("n"),
                       .level = file.at("noise").at("level"),
                       .own = file.at("noise").at("own"),
                       .allowance = file.at("allowance"),
                       .guesses = {}};
  checks.header.statement = file.at("statement").dump();
  const auto guarantee = named<mechanisms::Guarantee>("guarantee", file.at("guarantee").get<std::string>());
  if (guarantee.ok()) checks.header.guarantee = *guarantee;
  checks.header.receipt = receipt_from(file.at("receipt"));
  for (const json& guess : file.at("guesses")) checks.guesses.push_back(guess_from(guess));
  return checks;
}

}  // namespace

std::string to_text(const SessionChecks& checks) {
  json guesses = json::array();
  for (const CheckedGuess& guess : checks.guesses) guesses.push_back(guess_json(guess));
  const json file = {{"tacet_checks", kChecksVersion},
                     {"statement", json::parse(checks.header.statement, nullptr, /*allow_exceptions=*/false)},
                     {"guarantee", name(checks.header.guarantee)},
                     {"receipt", checks.header.receipt ? receipt_json(*checks.header.receipt) : json()},
                     {"n", checks.n},
                     {"at_most", checks.at_most},
                     {"noise", {{"family", "exponential"}, {"level", checks.level}, {"own", checks.own}}},
                     {"allowance", checks.allowance},
                     {"guesses", std::move(guesses)}};
  return file.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<SessionChecks> read_checks(const std::string& path) {
  TACET_TRY(const json file, mechanisms::read_json_file(path, "checks"));
  const Error refused = Error::invalid("checks", in_quotes(path.substr(0, 200)), "must be a file that `session check` wrote");
  try {
    return file.at("tacet_checks") == kChecksVersion ? Result<SessionChecks>(checks_from(file)) : refused;
  } catch (const json::exception&) {
    return refused;
  }
}

}  // namespace tacet
