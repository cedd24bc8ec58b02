#include "tacet/workflow/privacy/laplace_rule.h"

#include <optional>
#include <string>

#include <fmt/format.h>

namespace tacet {
namespace {

Status check_dimension(const std::optional<std::size_t>& dimension, std::size_t most) {
  if (dimension && *dimension >= 1 && *dimension <= most) return {};
  const char* possible = most == 1 ? "1" : "1 or 2";
  if (!dimension) {
    return Error::invalid("dimension", "missing",
                          fmt::format("must be given with this rule, and be {}: the numbers that a person can change", possible),
                          "for example: dimension = 1");
  }
  return Error::invalid("dimension", fmt::format("{}", *dimension), fmt::format("must be {} for this rule", possible),
                        dimension == 2U ? "use rule = two-dimensional" : "use rule = universal, or rule = table for a table of counts");
}

Status check_table(const LaplaceStatistic& statistic) {
  if (statistic.neighbours == Relation::AddOrRemoveOne) {
    return Error::invalid("neighbours", "add-or-remove-one", "must be replace-one for the rule of tables",
                          "one person changes one cell then: use rule = one-dimensional dimension = 1, with l1 = 1 for plain counts");
  }
  if (statistic.neighbours) return {};
  return Error::invalid("neighbours", "missing", "must be given with the rule of tables, and be replace-one",
                        "for example: neighbours = replace-one, if one cell loses what another gains, l1/2 each");
}

}  // namespace

std::string_view holds_for(LaplaceMuRule rule) {
  switch (rule) {
    case LaplaceMuRule::Universal: return "any statistic";
    case LaplaceMuRule::OneDimensional: return "one number";
    case LaplaceMuRule::TwoDimensional: return "two numbers";
    case LaplaceMuRule::Table: return "a table of counts in which one cell loses what another gains (replace-one)";
    case LaplaceMuRule::Conjecture12: break;
  }
  return "nothing beyond two numbers, as far as is proven";
}

std::string_view theorem_of(LaplaceMuRule rule) {
  switch (rule) {
    case LaplaceMuRule::Universal: return "Lee et al. (2022), (12): any statistic";
    case LaplaceMuRule::OneDimensional: return "Lee et al. (2022), Proposition 9: one number";
    case LaplaceMuRule::TwoDimensional: return "Lee et al. (2022), Theorem 11: two numbers";
    case LaplaceMuRule::Table: return "Lee et al. (2022), (17): a table of counts, replace-one";
    case LaplaceMuRule::Conjecture12: break;
  }
  return "none: Lee et al. (2022), Conjecture 12";
}

Status check_rule(LaplaceMuRule rule, const LaplaceStatistic& statistic) {
  if (statistic.dimension == 0U) return Error::invalid("dimension", "0", "must be at least 1");
  if (rule == LaplaceMuRule::OneDimensional) return check_dimension(statistic.dimension, 1);
  if (rule == LaplaceMuRule::TwoDimensional) return check_dimension(statistic.dimension, 2);
  if (rule != LaplaceMuRule::Table) return {};
  if (statistic.dimension == 1U) {
    return Error::invalid("dimension", "1", "must be at least 2 for the rule of tables, whose people change two cells",
                          "use rule = one-dimensional");
  }
  return check_table(statistic);
}

}  // namespace tacet
