#include "tacet/kernel/ledger/rules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tacet::kernel {
namespace {

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestStatement = 1 << 20;
constexpr std::size_t kLongestText = std::size_t{16} << 20;
constexpr std::size_t kLongestAmount = 1000;
constexpr std::size_t kShown = 60;

const Decimal kSmallest = *Decimal::parse("1e-700");  // below the square of the smallest mu, halved
const Decimal kLargest = *Decimal::parse("1e13");     // above the square of the largest mu, doubled
const Decimal kOne(1);

/// The code point that starts at `at`, which moves past it; nothing where the bytes are not UTF-8 (RFC 3629: shortest forms
/// only, no surrogates, at most U+10FFFF).
std::optional<std::uint32_t> next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4) return std::nullopt;
  std::uint32_t point = lead & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) {
    if (at == text.size() || (byte(at) & 0xC0U) != 0x80) return std::nullopt;
    point = (point << 6U) | (byte(at++) & 0x3FU);
  }
  const bool overlong = (more == 2 && point < 0x800) || (more == 3 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (overlong || surrogate || point > 0x10FFFF) return std::nullopt;
  return point;
}

bool is_control(std::uint32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

/// For a message: what is not plain ASCII is escaped, and what is long is cut.
std::string quoted(std::string_view text) {
  std::string shown = "\"";
  for (const char c : text.substr(0, kShown)) {
    if (c >= ' ' && c <= '~') {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return shown + (text.size() > kShown ? "...\"" : "\"");
}

Status check_part(std::string_view what, const Decimal& part) {
  const std::string text = part.to_string();
  if (part < Decimal()) return Error::invalid(std::string(what), text.substr(0, kShown), "must not be negative");
  if (!part.is_zero() && (part < kSmallest || part > kLargest))
    return Error::invalid(std::string(what), text.substr(0, kShown), "must lie between 1e-700 and 1e13");
  if (text.size() > kLongestAmount) {
    return Error::invalid(std::string(what), text.substr(0, kShown) + "...",
                          fmt::format("must be written in at most {} characters", kLongestAmount), "round it up to fewer digits");
  }
  return {};
}

}  // namespace

Status check_name(std::string_view what, std::string_view name) {
  if (name.empty()) return Error::invalid(std::string(what), "", "must have a name of 1 to 200 bytes");
  if (name.size() > kLongestName) {
    return Error::invalid(std::string(what), quoted(name),
                          fmt::format("must have at most {} bytes (it has {})", kLongestName, name.size()));
  }
  for (std::size_t at = 0; at < name.size();) {
    const std::optional<std::uint32_t> point = next_code_point(name, at);
    if (!point) return Error::invalid(std::string(what), quoted(name), "must be valid UTF-8");
    if (is_control(*point)) return Error::invalid(std::string(what), quoted(name), "must not contain control characters");
  }
  return {};
}

Status check_statement(std::string_view statement) {
  if (statement.empty()) return Error::invalid("statement", "", "must say what is released");
  if (statement.size() > kLongestStatement) {
    return Error::invalid("statement", fmt::format("{} bytes long", statement.size()),
                          fmt::format("must have at most {} bytes", kLongestStatement));
  }
  for (std::size_t at = 0; at < statement.size();) {
    const std::optional<std::uint32_t> point = next_code_point(statement, at);
    if (!point || *point == 0) return Error::invalid("statement", quoted(statement), "must be valid UTF-8 without NUL");
  }
  return {};
}

Status check_text(std::string_view what, std::string_view text) {
  if (text.size() > kLongestText) {
    return Error::invalid(std::string(what), fmt::format("{} bytes long", text.size()),
                          fmt::format("must have at most {} bytes", kLongestText));
  }
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) - 1U < 0x7FU) {  // ASCII, most of it
      ++at;
      continue;
    }
    const std::optional<std::uint32_t> point = next_code_point(text, at);
    if (!point || *point == 0) return Error::invalid(std::string(what), quoted(text), "must be valid UTF-8 without NUL");
  }
  return {};
}

Status check_amount(std::string_view what, privacy::Currency currency, const privacy::Amount& amount) {
  TACET_CHECK(check_part(what, amount.first));
  TACET_CHECK(check_part(fmt::format("the delta of {}", what), amount.second));
  if (currency != privacy::Currency::ApproximateDp && !amount.second.is_zero()) {
    return Error::invalid(fmt::format("the delta of {}", what), amount.second.to_string(),
                          fmt::format("must be 0 for a budget in {}", privacy::name(currency)), "keep the budget in epsilon-delta");
  }
  return {};
}

privacy::Amount parameters_of(const privacy::Loss& loss) {
  if (const auto epsilon = privacy::pure_epsilon(loss)) return {*epsilon, {}};
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss)) return {approximate->epsilon, approximate->delta};
  return {std::get<privacy::GaussianLoss>(loss).mu_squared, {}};
}

Status check_loss(const privacy::Loss& loss) {
  const privacy::Amount parameters = parameters_of(loss);
  std::vector<Decimal> sizes = {parameters.first};
  if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    sizes.push_back(laplace->rho);
    if (laplace->mu_squared) sizes.push_back(*laplace->mu_squared);
  }
  for (const Decimal& size : sizes) {
    TACET_CHECK(check_part("the charge", size));
    if (!size.is_positive()) return Error::invalid("the charge", size.to_string(), "must be greater than 0");
  }
  return check_part("the delta of the charge", parameters.second);
}

Status check_total(privacy::Currency currency, const privacy::Amount& total) {
  TACET_CHECK(check_amount("the budget", currency, total));
  if (!total.first.is_positive()) return Error::invalid("the budget", total.first.to_string(), "must be greater than 0");
  if (total.second >= kOne) return Error::invalid("the delta of the budget", total.second.to_string(), "must be less than 1");
  return {};
}

}  // namespace tacet::kernel
