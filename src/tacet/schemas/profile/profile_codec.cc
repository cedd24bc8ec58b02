#include "tacet/schemas/profile/profile_codec.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/text.h"

namespace tacet::schemas {
namespace {

using Cbor = nlohmann::json;

/// Thrown and caught in this file: the answer is no profile.
struct NotAProfile : std::exception {};

/// Reads without keeping anything, and stops at values that are nested deeper than any answer: the
/// library recurses into them, and the stack would end first.
class Depth : public nlohmann::json_sax<Cbor> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool key(string_t& /*name*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return ++depth_ <= kMost; }
  bool end_object() override { return depth_-- > 0; }
  bool start_array(std::size_t /*size*/) override { return ++depth_ <= kMost; }
  bool end_array() override { return depth_-- > 0; }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  static constexpr int kMost = 16;
  int depth_ = 0;
};

Cbor cbor_from(std::string_view text) {
  Depth depth;
  if (!Cbor::sax_parse(text, &depth, Cbor::input_format_t::cbor)) throw NotAProfile();
  return Cbor::from_cbor(text);
}

std::int64_t count_of(const Cbor& json) {
  const auto rows = json.get<std::int64_t>();
  if (rows < 0) throw NotAProfile();
  return rows;
}
std::string words_of(const Cbor& json) {
  auto text = json.get<std::string>();
  if (!is_utf8(text)) throw NotAProfile();
  return text;
}
double finite_of(const Cbor& json) {
  const auto value = json.get<double>();
  if (!std::isfinite(value)) throw NotAProfile();
  return value;
}

std::string one_char(const std::optional<char>& c) { return c ? std::string(1, *c) : std::string(); }
std::optional<char> char_of(const Cbor& json) {
  const auto text = words_of(json);
  return text.empty() ? std::nullopt : std::optional(text.front());
}

Cbor encoded(const std::vector<TextCount>& texts) {
  Cbor out = Cbor::array();
  for (const TextCount& one : texts) out.push_back({one.text, one.rows});
  return out;
}
std::vector<TextCount> texts_from(const Cbor& json) {
  std::vector<TextCount> out;
  for (const Cbor& one : json) out.push_back({words_of(one.at(0)), count_of(one.at(1))});
  return out;
}

Cbor encoded(const std::optional<WrittenAs>& written) {
  if (!written) return nullptr;
  const data::NumberText& form = written->form;
  return {one_char(form.thousands), one_char(form.decimal), form.unit, form.date, written->rows, written->or_thousands};
}
std::optional<WrittenAs> written_from(const Cbor& json) {
  if (json.is_null()) return std::nullopt;
  data::NumberText form{char_of(json.at(0)), char_of(json.at(1)).value_or('.'), words_of(json.at(2)), json.at(3).get<bool>()};
  return WrittenAs{std::move(form), count_of(json.at(4)), json.at(5).get<bool>()};
}

Cbor encoded(const ColumnProfile& column) {
  Cbor unused = Cbor::array();
  for (const UnusedCategory& one : column.unused)
    unused.push_back({one.category, encoded(one.instead ? std::vector{*one.instead} : std::vector<TextCount>())});
  Cbor out{{"name", column.name},
           {"readable", column.readable},
           {"missing", column.missing},
           {"unused", unused},
           {"undeclared", encoded(column.undeclared)},
           {"all", column.all_texts},
           {"not_utf8", column.not_utf8}};
  if (column.other) out["other"] = *column.other;
  if (const auto& numbers = column.numbers) {
    out["numbers"] = {{"not", numbers->not_numbers},      {"below", numbers->below},
                      {"above", numbers->above},          {"outside", numbers->outside_bins ? Cbor(*numbers->outside_bins) : Cbor()},
                      {"texts", encoded(numbers->texts)}, {"written", encoded(numbers->written)},
                      {"dates", numbers->other_dates}};
  }
  return out;
}
ColumnProfile column_from(const Cbor& json) {
  ColumnProfile out{
      .name = words_of(json.at("name")), .readable = json.at("readable").get<bool>(), .missing = count_of(json.at("missing"))};
  for (const Cbor& one : json.at("unused")) {
    const std::vector<TextCount> instead = texts_from(one.at(1));
    out.unused.push_back({words_of(one.at(0)), instead.empty() ? std::nullopt : std::optional(instead.front())});
  }
  out.undeclared = texts_from(json.at("undeclared"));
  out.all_texts = json.at("all").get<bool>();
  out.not_utf8 = count_of(json.at("not_utf8"));
  if (json.contains("other")) out.other = count_of(json["other"]);
  if (json.contains("numbers")) {
    const Cbor& numbers = json["numbers"];
    out.numbers = NumberProfile{
        count_of(numbers.at("not")),     count_of(numbers.at("below")),
        count_of(numbers.at("above")),   numbers.at("outside").is_null() ? std::nullopt : std::optional(count_of(numbers["outside"])),
        texts_from(numbers.at("texts")), written_from(numbers.at("written")),
        count_of(numbers.at("dates"))};
  }
  return out;
}

Cbor encoded(const LearntColumn& column) {
  return {{"name", column.name},
          {"type", column.type},
          {"readable", column.readable},
          {"missing", column.missing},
          {"words", encoded(column.missing_words)},
          {"different", column.different},
          {"of", column.different_of},
          {"texts", encoded(column.texts)},
          {"numbers", encoded(column.numbers)},
          {"lowest", column.lowest},
          {"highest", column.highest},
          {"decimals", column.decimals},
          {"dates", column.other_dates}};
}
LearntColumn learnt_from(const Cbor& json) {
  LearntColumn out;
  out.name = json.at("name").get<std::string>();  // names of the file may be no UTF-8: a draft says so
  out.type = words_of(json.at("type"));
  out.readable = json.at("readable").get<bool>();
  out.missing = count_of(json.at("missing"));
  out.missing_words = texts_from(json.at("words"));
  out.different = count_of(json.at("different"));
  out.different_of = count_of(json.at("of"));
  out.texts = texts_from(json.at("texts"));
  out.numbers = written_from(json.at("numbers"));
  out.lowest = finite_of(json.at("lowest"));
  out.highest = finite_of(json.at("highest"));
  constexpr std::int64_t kMostDecimals = 20;
  out.decimals = static_cast<int>(std::min(count_of(json.at("decimals")), kMostDecimals));
  out.other_dates = count_of(json.at("dates"));
  return out;
}

Cbor encoded(const DialectProfile& dialect) {
  Cbor out{{"mark", dialect.byte_order_mark},
           {"utf16", dialect.utf16},
           {"delimiter", one_char(dialect.delimiter)},
           {"breaks", dialect.line_breaks_in_quotes}};
  if (dialect.quote) out["quote"] = static_cast<int>(*dialect.quote);
  if (dialect.header) out["header"] = *dialect.header;
  return out;
}
DialectProfile dialect_from(const Cbor& json) {
  DialectProfile out{.byte_order_mark = json.at("mark").get<bool>(), .utf16 = json.at("utf16").get<bool>()};
  out.delimiter = char_of(json.at("delimiter"));
  out.line_breaks_in_quotes = json.at("breaks").get<bool>();
  if (json.contains("quote")) out.quote = static_cast<char>(json["quote"].get<int>());
  if (json.contains("header")) out.header = json["header"].get<bool>();
  return out;
}

}  // namespace

// The request of a scan is bytes, not text, so it follows one letter as it is.
std::string look_request_text(const LookRequest& request) {
  if (request.names) return "N" + request.scan;
  return (request.learn ? "L" : "-") + request.scan;
}

std::optional<LookRequest> read_look_request(std::string_view text) {
  if (text.empty() || std::string_view("NL-").find(text.front()) == std::string_view::npos) return std::nullopt;
  return LookRequest{.scan = std::string(text.substr(1)), .learn = text.front() == 'L', .names = text.front() == 'N'};
}

std::string profile_text(const FileProfile& profile) {
  Cbor columns = Cbor::array(), learnt = Cbor::array();
  for (const ColumnProfile& column : profile.columns) columns.push_back(encoded(column));
  for (const LearntColumn& column : profile.learnt) learnt.push_back(encoded(column));
  Cbor json{{"rows", profile.rows}, {"misfits", profile.misfits}, {"columns", columns}, {"learnt", learnt}};
  if (const auto& people = profile.people)
    json["people"] = {people->people, people->nameless, people->over, people->dropped, people->most_rows};
  if (profile.dialect) json["dialect"] = encoded(*profile.dialect);
  std::string out;
  Cbor::to_cbor(json, out);
  return out;
}

std::optional<FileProfile> read_profile(std::string_view text) {
  try {
    const Cbor json = cbor_from(text);
    FileProfile profile{.rows = count_of(json.at("rows")), .misfits = count_of(json.at("misfits"))};
    for (const Cbor& column : json.at("columns")) profile.columns.push_back(column_from(column));
    for (const Cbor& column : json.at("learnt")) profile.learnt.push_back(learnt_from(column));
    if (json.contains("people")) {
      const Cbor& people = json["people"];
      profile.people = PeopleProfile{count_of(people.at(0)), count_of(people.at(1)), count_of(people.at(2)), count_of(people.at(3)),
                                     count_of(people.at(4))};
    }
    if (json.contains("dialect")) profile.dialect = dialect_from(json["dialect"]);
    return profile;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string names_text(const NamesInFile& names) {
  Cbor columns = Cbor::array();
  for (const NamesInFile::Column& column : names.columns) columns.push_back({column.name, column.type});
  std::string out;
  Cbor::to_cbor({{"tables", names.tables}, {"columns", columns}}, out);
  return out;
}

std::optional<NamesInFile> read_names(std::string_view text) {
  try {
    const Cbor json = cbor_from(text);
    NamesInFile names{.tables = json.at("tables").get<std::vector<std::string>>(), .columns = {}};
    for (const Cbor& column : json.at("columns"))
      names.columns.push_back({column.at(0).get<std::string>(), column.at(1).get<std::string>()});
    return names;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace tacet::schemas
