#include "tacet/accounting/tradeoff_table.h"

#include <cmath>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tacet::accounting {
namespace {

std::string quoted(std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(name);
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace

Result<std::vector<double>> alpha_grid(std::size_t cells) {
  if (cells < 2 || cells > 10'000'000) return Error::invalid("cells", fmt::format("{}", cells), "must lie between 2 and 10000000");
  std::vector<double> alphas(cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) {
    const double sine = std::sin(std::numbers::pi / 2 * static_cast<double>(i) / static_cast<double>(cells));
    alphas[i] = sine * sine;  // (1 - cos(2x))/2, without cancellation near 0
  }
  alphas.back() = 1;
  return alphas;
}

Result<CurveTable> tabulate(const std::vector<NamedCurve>& curves, const std::vector<double>& alphas) {
  if (curves.empty()) return Error::invalid("the number of curves", "0", "must be at least 1");
  if (alphas.empty()) return Error::invalid("the number of alphas", "0", "must be at least 1");
  CurveTable table;
  table.alpha = alphas;
  std::set<std::string_view> seen;
  for (const NamedCurve& curve : curves) {
    if (curve.name.empty()) return Error::invalid("the name of a curve", "", "must not be empty");
    if (!seen.insert(curve.name).second)
      return Error::invalid("the name of a curve", curve.name, "must differ from the names of the others");
    std::vector<double> column;
    column.reserve(alphas.size());
    for (const double alpha : alphas) {
      TACET_TRY(const double beta, curve.curve.at(alpha));
      column.push_back(beta);
    }
    table.names.push_back(curve.name);
    table.beta.push_back(std::move(column));
    table.fixed_point.push_back(curve.curve.fixed_point());
  }
  return table;
}

std::string to_csv(const CurveTable& table) {
  std::string text = "alpha";
  for (const std::string& name : table.names) text += "," + quoted(name);
  text += "\n";
  for (std::size_t i = 0; i < table.alpha.size(); ++i) {
    text += fmt::format("{}", table.alpha[i]);
    for (const auto& column : table.beta) text += fmt::format(",{}", column[i]);
    text += "\n";
  }
  return text;
}

}  // namespace tacet::accounting
