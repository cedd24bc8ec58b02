#include "tacet/service/request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"

namespace tacet::service {
namespace {

constexpr std::size_t kShown = 40;

/// Which of the ways to say how private was used: exactly one must be.
enum class Way : std::uint8_t { Epsilon, Rho, Mu };

Result<Way> one_way(const Json& request) {
  const bool epsilon = request.contains("epsilon");
  const bool rho = request.contains("rho");
  const bool mu = request.contains("mu");
  const int given = int{epsilon} + int{rho} + int{mu};
  if (given != 1) {
    return Error::invalid("privacy", given == 0 ? "missing" : "given twice",
                          "must be exactly one of epsilon (with or without delta), rho, mu", "for example: --rho 0.125");
  }
  if (request.contains("delta") && !epsilon) return Error::invalid("delta", *number_field(request, "delta"), "goes with epsilon only");
  return epsilon ? Way::Epsilon : rho ? Way::Rho : Way::Mu;
}

/// A text that is not itself a JSON list.
bool is_plain_text(const Json& value) { return value.is_string() && !value.get_ref<const std::string&>().starts_with('['); }

/// Without the blanks and tabs around it.
std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t";
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

/// "a, b" as its items; a text without commas is one item.
std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> items;
  std::size_t from = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos; from = comma + 1, comma = text.find(',', from))
    items.push_back(trimmed(text.substr(from, comma - from)));
  items.push_back(trimmed(text.substr(from)));
  return items;
}

/// A JSON list, or a text that holds one.
Result<Json> json_list(const Json& value, const std::string& name, const std::string& rule) {
  if (value.is_array()) return value;
  const auto text = value.get<std::string>();
  auto list = mechanisms::parse_json(text, name, "text");
  if (list && list->is_array()) return list;
  return Error::invalid(name, text.substr(0, kShown), rule);
}

}  // namespace

std::optional<std::string> text_field(const Json& request, const std::string& name) {
  if (!request.contains(name)) return std::nullopt;
  return request.at(name).get<std::string>();
}

std::optional<std::string> number_field(const Json& request, const std::string& name) {
  if (!request.contains(name)) return std::nullopt;
  const Json& value = request.at(name);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Result<std::optional<std::string>> reason_field(const Json& request, const std::string& name) {
  std::optional<std::string> text = text_field(request, name);
  if (!text || text->find_first_not_of(" \t\r\n") != std::string::npos) return text;
  return Error::invalid(name, fmt::format("\"{}\"", text->substr(0, kShown)), "must say why: it stands in the ledger for everybody",
                        fmt::format("for example: --{} \"the file was renamed\"", name));
}

Result<std::vector<std::string>> list_field(const Json& request, const std::string& name) {
  if (!request.contains(name)) return std::vector<std::string>{};
  const Json& value = request.at(name);
  std::vector<std::string> items;
  if (is_plain_text(value)) {
    items = between_commas(value.get<std::string>());
  } else {
    TACET_TRY(const Json list, json_list(value, name, "must be names with commas between them, or a JSON list of texts"));
    for (const Json& item : list) {
      if (!item.is_string()) {
        return Error::invalid(name, fmt::format("a list with {}", item.is_number() ? "a number" : "what is no text"),
                              "must be a list of texts");
      }
      items.push_back(item.get<std::string>());
    }
  }
  if (std::find(items.begin(), items.end(), "") == items.end()) return items;
  return Error::invalid(name, items.size() == 1 ? "" : "a list with an empty item", "must be names with commas between them",
                        "for example: --" + name + " a,b");
}

Result<double> plain_number(const std::string& name, const std::string& text) {
  const auto value = Decimal::parse(text);
  const double nearest = value.ok() ? value->approximate() : NAN;
  if (!std::isfinite(nearest)) return Error::invalid(name, text.substr(0, kShown), "must be a finite decimal number");
  return nearest;
}

Result<std::vector<std::string>> digits_field(const Json& request, const std::string& name) {
  if (!request.contains(name)) return std::vector<std::string>{};
  const Json& value = request.at(name);
  if (is_plain_text(value)) return between_commas(value.get<std::string>());
  constexpr const char* kRule = "must be numbers with commas between them, or a JSON list of numbers";
  TACET_TRY(const Json list, value.is_number() ? Result<Json>(Json::array({value})) : json_list(value, name, kRule));
  if (list.empty()) return Error::invalid(name, "an empty list", kRule);
  std::vector<std::string> items;
  for (const Json& item : list) {
    if (!item.is_string() && !item.is_number()) return Error::invalid(name, "a list with what is no number", kRule);
    items.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  }
  return items;
}

Result<std::vector<double>> numbers_field(const Json& request, const std::string& name) {
  TACET_TRY(const std::vector<std::string> items, digits_field(request, name));
  std::vector<double> numbers;
  numbers.reserve(items.size());
  for (const std::string& item : items) {
    TACET_TRY(const double number, plain_number(name, item));
    numbers.push_back(number);
  }
  return numbers;
}

Result<double> level_field(const Json& request, const std::string& name, double usual) {
  const auto text = number_field(request, name);
  if (!text) return usual;
  return plain_number(name, *text);
}

Result<std::uint64_t> whole_number(const std::string& name, const std::string& text, std::uint64_t least, std::uint64_t most) {
  const auto value = Decimal::parse(text);
  const auto wrong = [&] {
    return Error::invalid(name, text.substr(0, kShown), fmt::format("must be a whole number between {} and {}", least, most));
  };
  if (!value || *value < Decimal()) return wrong();
  const mpq_class exact = value->to_rational();
  if (exact.get_den() != 1 || !exact.get_num().fits_ulong_p()) return wrong();
  const std::uint64_t whole = exact.get_num().get_ui();
  if (whole < least || whole > most) return wrong();
  return whole;
}

Json finite_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Result<privacy::Loss> loss_field(const Json& request) {
  TACET_TRY(const Way way, one_way(request));
  if (way == Way::Rho) {
    TACET_TRY(const privacy::Rho rho, privacy::Rho::parse(*number_field(request, "rho")));
    return privacy::gaussian_loss_from_rho(rho);
  }
  if (way == Way::Mu) {
    TACET_TRY(const privacy::Mu mu, privacy::Mu::parse(*number_field(request, "mu")));
    return privacy::gaussian_loss_from_mu(mu);
  }
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(*number_field(request, "epsilon")));
  if (!request.contains("delta")) return privacy::pure_loss(epsilon);
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(*number_field(request, "delta")));
  return delta.value().is_zero() ? privacy::pure_loss(epsilon) : privacy::approximate_loss(epsilon, delta);
}

Result<privacy::Budget> budget_field(const Json& request) {
  TACET_TRY(const Way way, one_way(request));
  if (way == Way::Rho) {
    TACET_TRY(const privacy::Rho rho, privacy::Rho::parse(*number_field(request, "rho")));
    return privacy::budget_of(rho);
  }
  if (way == Way::Mu) {
    TACET_TRY(const privacy::Mu mu, privacy::Mu::parse(*number_field(request, "mu")));
    return privacy::budget_of(mu);
  }
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(*number_field(request, "epsilon")));
  if (!request.contains("delta")) return privacy::budget_of(epsilon);
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(*number_field(request, "delta")));
  return privacy::budget_of(epsilon, delta);
}

Json amount_json(privacy::Currency currency, const privacy::Amount& amount) {
  switch (currency) {
    case privacy::Currency::PureDp: return {{"epsilon", amount.first.to_string()}};
    case privacy::Currency::ApproximateDp: return {{"epsilon", amount.first.to_string()}, {"delta", amount.second.to_string()}};
    case privacy::Currency::Zcdp: return {{"rho", amount.first.to_string()}};
    case privacy::Currency::Gdp: break;
  }
  return {{"mu_squared", amount.first.to_string()}, {"mu", std::sqrt(amount.first.approximate())}};
}

std::string amount_words(privacy::Currency currency, const privacy::Amount& amount) {
  std::string words = privacy::describe(currency, amount);
  const double mu = std::sqrt(amount.first.approximate());
  if (!words.starts_with("mu^2") || !(mu > 0)) return words;
  constexpr double kDigits = 6;
  const double step = std::pow(10, std::floor(std::log10(mu)) + 1 - kDigits);
  return fmt::format("mu {:.{}g} ({})", std::floor(mu / step) * step, static_cast<int>(kDigits), words);
}

std::vector<Field> currency_fields(const std::string& what) {
  return {{"rho", "R", what + " in rho (zero-concentrated privacy; Gaussian or Laplace noise)", FieldKind::Number},
          {"mu", "M", what + " in mu (Gaussian privacy; Gaussian or Laplace noise)", FieldKind::Number},
          {"epsilon", "E", what + " in epsilon (pure privacy; Laplace noise)", FieldKind::Number},
          {"delta", "D", "with --epsilon: the delta of (epsilon, delta)", FieldKind::Number}};
}

}  // namespace tacet::service
