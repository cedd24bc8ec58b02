#include "tacet/schemas/chosen_bins.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

const char* const kBinsExample = "for example: bins = age:0,40,65,120";
constexpr std::size_t kMostLettersOfAnEdge = 40;

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(data::trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

Error bad_bins(const std::string& value, const std::string& rule, const std::string& remedy = kBinsExample) {
  return Error::invalid("bins", value, rule, remedy);
}

Result<Decimal> edge_of(const std::string& text, const data::Column& column) {
  if (column.text.date) {
    if (const auto day = day_of(text)) return *day;
    return bad_bins(in_quotes(text), fmt::format("must be dates: {} has dates", in_quotes(column.name)), "for example: 2024-05-31");
  }
  if (text.size() <= kMostLettersOfAnEdge) {
    if (Result<Decimal> number = Decimal::parse(text); number.ok()) return number;
  }
  return bad_bins(in_quotes(text.substr(0, kMostLettersOfAnEdge)),
                  fmt::format("must be decimal numbers of at most {} letters", kMostLettersOfAnEdge));
}

Result<data::Bins> bins_of(const data::Column& column, const std::vector<std::string>& edges) {
  const std::string name = in_quotes(column.name);
  if (!column.bounds) {
    return bad_bins(name, "must be of columns with bounds in the schema",
                    column.bins.empty() ? "leave it out: a column without bounds is tabulated by its categories"
                                        : "leave it out: without bounds, the bins of the schema count");
  }
  if (edges.size() < 2) return bad_bins(name, "must have at least two edges for each column");
  data::Bins bins{column.name, {}};
  for (const std::string& text : edges) {
    TACET_TRY(Decimal edge, edge_of(text, column));
    if (!bins.edges.empty() && edge <= bins.edges.back()) {
      return bad_bins(name, fmt::format("must increase: {} comes after {}", data::number_text(edge, column.text.date),
                                        data::number_text(bins.edges.back(), column.text.date)));
    }
    bins.edges.push_back(std::move(edge));
  }
  const data::Bounds& bounds = *column.bounds;
  if (bins.edges.front() < bounds.lower || bins.edges.back() > bounds.upper) {
    return bad_bins(name,
                    fmt::format("must lie between the bounds in the schema, {} and {}", data::number_text(bounds.lower, column.text.date),
                                data::number_text(bounds.upper, column.text.date)),
                    "numbers beyond the bounds count as the nearer bound, so no cell beyond it has anybody");
  }
  return bins;
}

}  // namespace

Result<std::vector<ColumnEdges>> parse_bins(const std::string& text) {
  std::vector<ColumnEdges> all;
  for (const std::string& part : parts_of(text, ';')) {
    // A column may have a colon in its name; an edge has none.
    const std::size_t colon = part.rfind(':');
    if (colon == std::string::npos)
      return bad_bins(in_quotes(part.substr(0, kMostLettersOfAnEdge)), "must have a column, a colon and its edges");
    all.push_back({std::string(data::trimmed(std::string_view(part).substr(0, colon))), parts_of(part.substr(colon + 1), ',')});
  }
  return all;
}

Result<std::vector<data::Bins>> chosen_bins(const data::Schema& schema, const std::vector<std::string>& by,
                                            const std::vector<ColumnEdges>& asked) {
  std::vector<data::Bins> all;
  for (const ColumnEdges& one : asked) {
    const data::Column* const column = schema.find(one.column);
    const std::string shown = in_quotes(one.column.substr(0, 60));
    if (column == nullptr || std::find(by.begin(), by.end(), one.column) == by.end())
      return bad_bins(shown, "must be of columns of the table, which by names", "add the column to by, or leave it out");
    if (std::any_of(all.begin(), all.end(), [&](const data::Bins& bins) { return bins.column == one.column; }))
      return bad_bins(shown + " twice", "must name each column once");
    TACET_TRY(data::Bins bins, bins_of(*column, one.edges));
    all.push_back(std::move(bins));
  }
  return all;
}

}  // namespace tacet::schemas
