#include "tacet/kernel/ledger/rules.h"

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestAmount = 1000;
constexpr std::size_t kShown = 60;

const Decimal kSmallest = *Decimal::parse("1e-700");  // below half the square of the smallest mu
const Decimal kLargest = *Decimal::parse("1e13");     // above twice the square of the largest mu

/// For a message: long texts are cut.
std::string quoted(std::string_view text) { return in_quotes(text.substr(0, kShown)) + (text.size() > kShown ? "..." : ""); }

/// In UTF-8: below U+0020, and U+007F to U+009F.
bool has_controls(std::string_view text) {
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0)) return true;
    before = byte;
  }
  return false;
}

}  // namespace

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

Status check_name(std::string_view what, std::string_view name) {
  if (name.empty() || name.size() > kLongestName)
    return Error::invalid(std::string(what), quoted(name), fmt::format("must have 1 to {} bytes (it has {})", kLongestName, name.size()));
  if (!is_utf8(name)) return Error::invalid(std::string(what), quoted(name), "must be valid UTF-8");
  if (has_controls(name)) return Error::invalid(std::string(what), quoted(name), "must not contain control characters");
  return {};
}

Status check_statement(std::string_view statement) {
  if (statement.empty()) return Error::invalid("statement", "", "must say what is released");
  return check_text("statement", statement, 1 << 20);
}

Status check_text(std::string_view what, std::string_view text, std::size_t longest) {
  if (text.size() > longest)
    return Error::invalid(std::string(what), fmt::format("{} bytes long", text.size()), fmt::format("must have at most {} bytes", longest));
  if (text.find('\0') != std::string_view::npos || !is_utf8(text))
    return Error::invalid(std::string(what), quoted(text), "must be valid UTF-8 without NUL");
  return {};
}

Status check_loss(const privacy::Loss& loss) {
  std::vector<Decimal> sizes;
  if (const auto epsilon = privacy::pure_epsilon(loss)) sizes.push_back(*epsilon);
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) sizes.push_back(gaussian->mu_squared);
  if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    sizes.push_back(laplace->rho);
    if (laplace->mu_squared) sizes.push_back(*laplace->mu_squared);
  }
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss)) {
    sizes.push_back(approximate->epsilon);
    TACET_CHECK(check_part("the delta of the charge", approximate->delta));
  }
  for (const Decimal& size : sizes) {
    TACET_CHECK(check_part("the charge", size));
    if (!size.is_positive()) return Error::invalid("the charge", size.to_string(), "must be greater than 0");
  }
  return {};
}

}  // namespace tacet::kernel
