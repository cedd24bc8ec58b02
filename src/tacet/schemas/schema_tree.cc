#include "tacet/schemas/schema_tree.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

// toml++ asserts on some texts, such as "[" and a line feed. A schema must not stop the program,
// so the assertion throws.
struct BrokenAssertion {};

constexpr void toml_assert(bool holds) {
  if (!holds) throw BrokenAssertion();
}

}  // namespace

#define TOML_ASSERT(holds) toml_assert(static_cast<bool>(holds))
#include <toml++/toml.h>

#include "tacet/base/text.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kMostShown = 80;
// Nesting of tables, lists and parts of a dotted key; a schema needs four. Later code is
// recursive.
constexpr std::size_t kDeepest = 16;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

SchemaNode fraction(double value) {
  Result<Decimal> decimal = Decimal::from_shortest(value);
  if (!decimal.ok()) return {SchemaNode::Strange{fmt::format("{}", value)}};
  return {SchemaNode::Fraction{*std::move(decimal)}};
}

SchemaNode integer(std::int64_t value) { return {SchemaNode::Integer{Decimal(value)}}; }

SchemaNode from_toml(const toml::node& node);

SchemaNode::Table table_from_toml(const toml::table& table) {
  // toml++ sorts keys by name; their source positions give the order in the file.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const toml::source_position& left = a.first->source().begin;
    const toml::source_position& right = b.first->source().begin;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  SchemaNode::Table out;
  for (const auto& [key, node] : entries) out.push_back({std::string(key->str()), from_toml(*node)});
  return out;
}

template <class T>
std::string shown_value(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

SchemaNode from_toml(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return {table_from_toml(*node.as_table())};
    case toml::node_type::array: {
      SchemaNode::List list;
      for (const toml::node& item : *node.as_array()) list.push_back(from_toml(item));
      return {std::move(list)};
    }
    case toml::node_type::string: return {node.as_string()->get()};
    case toml::node_type::boolean: return {node.as_boolean()->get()};
    case toml::node_type::integer: return integer(node.as_integer()->get());
    case toml::node_type::floating_point: return fraction(node.as_floating_point()->get());
    case toml::node_type::date: return {SchemaNode::Strange{shown_value(node.as_date()->get())}};
    case toml::node_type::time: return {SchemaNode::Strange{shown_value(node.as_time()->get())}};
    case toml::node_type::date_time: return {SchemaNode::Strange{shown_value(node.as_date_time()->get())}};
    case toml::node_type::none: break;
  }
  return {SchemaNode::Strange{"nothing"}};
}

// The tree of nlohmann drops a repeated key and numbers beyond 64 bits; its events drop nothing.
class JsonEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return put({SchemaNode::Strange{"null"}}); }
  bool boolean(bool value) override { return put({value}); }
  bool number_integer(number_integer_t value) override { return put(integer(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(fmt::format("{}", value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override { return number(text); }
  bool string(string_t& value) override { return put({std::move(value)}); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open({SchemaNode::Table()}); }
  bool start_array(std::size_t /*size*/) override { return open({SchemaNode::List()}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    const auto& table = std::get<SchemaNode::Table>(open_.back().node.value);
    for (const auto& [known, node] : table) {
      if (known == value) {
        repeated_ = value;
        return false;
      }
    }
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/) override {
    position_ = position;
    return false;
  }

  const std::optional<SchemaNode>& root() const { return root_; }
  const std::optional<std::string>& repeated() const { return repeated_; }
  std::size_t position() const { return position_; }
  bool too_deep() const { return too_deep_; }

 private:
  bool put(SchemaNode node) { return put_as(std::move(key_), std::move(node)); }
  bool put_as(std::string key, SchemaNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (auto* table = std::get_if<SchemaNode::Table>(&open_.back().node.value)) {
      table->push_back({std::move(key), std::move(node)});
    } else {
      std::get<SchemaNode::List>(open_.back().node.value).push_back(std::move(node));
    }
    key_.clear();
    return true;
  }
  bool number(const std::string& text) {
    Result<Decimal> decimal = Decimal::parse(text);
    if (!decimal.ok()) return put({SchemaNode::Strange{"a number too long to read"}});
    if (text.find_first_not_of("-0123456789") == std::string::npos) return put({SchemaNode::Integer{*std::move(decimal)}});
    return put({SchemaNode::Fraction{*std::move(decimal)}});
  }
  bool open(SchemaNode node) {
    too_deep_ = open_.size() == kDeepest;
    if (too_deep_) return false;
    open_.push_back({std::move(key_), std::move(node)});
    key_.clear();
    return true;
  }
  bool close() {
    SchemaField closed = std::move(open_.back());
    open_.pop_back();
    return put_as(std::move(closed.key), std::move(closed.node));
  }

  std::vector<SchemaField> open_;  // the keys of the open lists and tables
  std::string key_;
  std::optional<SchemaNode> root_;
  std::optional<std::string> repeated_;
  std::size_t position_ = 0;
  bool too_deep_ = false;
};

Error unreadable(std::string_view language, std::size_t line) {
  return Error::of(Code::SchemaInvalid, fmt::format("the schema is not valid {}: see line {}", language, line),
                   "`init` writes a schema to start from");
}

Error too_deep() {
  return Error::of(Code::SchemaInvalid, fmt::format("the schema nests deeper than {} levels", kDeepest),
                   "no field needs that; `init` writes a schema to start from");
}

// Texts that toml++ must not see. It reads nested tables and lists by recursion. Its behaviour is
// undefined for characters beyond ASCII outside of strings and comments, and after a backslash at
// the end of a line. The guard separates strings and comments as TOML does, up to the first error,
// where the parser stops too. So nesting is at most kDeepest brackets with as many dots each.
class TomlGuard {
 public:
  explicit TomlGuard(std::string_view text) : text_(text) {}

  Status check() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        // A quote inside a word starts no string; the parser would read on to the end of the word.
        if (at_ > 0 && std::string_view(" \t\r\n=,[{.\xBF").find(text_[at_ - 1]) == std::string_view::npos)
          return unreadable("TOML", line());
        TACET_CHECK(skip_text(c));
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (!is_ascii(c)) return unreadable("TOML", line());
      const bool opens = c == '[' || c == '{';
      const bool closes = c == ']' || c == '}';
      if (opens) ++brackets_;
      if (closes && brackets_ > 0) --brackets_;
      if (opens || closes || c == ',' || c == '=' || c == '\n') dots_ = 0;
      if (c == '.') ++dots_;
      if (brackets_ > kDeepest || dots_ > kDeepest) return too_deep();
      ++at_;
    }
    return {};
  }

 private:
  static bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
  bool three(char quote) const { return text_.substr(at_).starts_with(std::string(3, quote)); }
  std::size_t line() const {
    const std::string_view read = text_.substr(0, at_);
    return 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
  }

  // From the opening quote to the position after the closing one.
  Status skip_text(char quote) {
    const bool lines = three(quote);
    for (at_ += lines ? 3 : 1; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
        if (next != std::string_view::npos && !is_ascii(text_[next])) return unreadable("TOML", line());
        ++at_;
      } else if (!lines && (text_[at_] == quote || text_[at_] == '\n')) {
        ++at_;
        return {};
      } else if (lines && three(quote)) {
        at_ += 3;
        // Up to two more quotes belong to the string.
        for (int more = 0; more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
        return {};
      }
    }
    at_ = text_.size();
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0, brackets_ = 0, dots_ = 0;
};

}  // namespace

std::string SchemaNode::shown() const {
  std::string text = std::visit(Overloaded{
                                    [](const std::string& v) { return in_quotes(v); },
                                    [](bool v) { return std::string(v ? "true" : "false"); },
                                    [](const Integer& v) { return v.value.to_string(); },
                                    [](const Fraction& v) { return v.value.to_string(); },
                                    [](const List& v) {
                                      std::string list = "[";
                                      for (const SchemaNode& node : v) {
                                        list += (list.size() == 1 ? "" : ", ") + node.shown();
                                        if (list.size() > kMostShown) break;
                                      }
                                      return list + "]";
                                    },
                                    [](const Table& /*v*/) { return std::string("a table"); },
                                    [](const Strange& v) { return v.shown; },
                                },
                                value);
  if (text.size() <= kMostShown) return text;
  std::size_t end = kMostShown;
  // Cut between characters.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

Result<SchemaNode::Table> parse_toml(std::string_view text) {
  TACET_CHECK(TomlGuard(text).check());
  try {
    return table_from_toml(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return unreadable("TOML", error.source().begin.line);
  } catch (const BrokenAssertion&) {
    return Error::of(Code::SchemaInvalid, "the schema is not valid TOML", "`init` writes a schema to start from");
  }
}

Result<SchemaNode::Table> parse_json(std::string_view text) {
  JsonEvents events;
  const bool parsed = nlohmann::json::sax_parse(text, &events);
  if (const std::optional<std::string>& repeated = events.repeated()) {
    return Error::schema("field", in_quotes(*repeated) + " written twice", "each field may be written once", "delete one of them");
  }
  if (const std::optional<SchemaNode>& root = events.root(); parsed && root) {
    if (const auto* table = std::get_if<SchemaNode::Table>(&root->value)) return *table;
  }
  if (events.too_deep()) return too_deep();
  const std::string_view read = text.substr(0, events.position());
  return unreadable("JSON", 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n')));
}

}  // namespace tacet::schemas
