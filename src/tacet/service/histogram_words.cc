#include "tacet/service/histogram_words.h"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/report/text_table.h"

namespace tacet::service {

std::string number_words(double number, bool dates) {
  constexpr double kFirstDay = -700'000;  // after the year 50
  constexpr double kLastDay = 2'900'000;  // before the year 9910
  if (dates && number > kFirstDay && number < kLastDay)
    return data::number_text(Decimal(static_cast<long>(std::floor(number))), /*date=*/true);
  return fmt::format("{:.6g}", number == 0 ? 0.0 : number);
}

std::string number_range(const Interval& interval, bool dates) {
  return fmt::format("[{}, {}]", number_words(interval.lower, dates), number_words(interval.upper, dates));
}

std::string quantile_table_words(const QuantileAnswer& answer) {
  std::vector<std::string> header = {"part below", report::printable(answer.column), "in the file"};
  if (!answer.about.no_population) header.emplace_back("in the population");
  report::TextTable table(std::move(header));
  for (const QuantileRow& row : answer.rows) {
    std::vector<std::string> shown = {fmt::format("{}", row.probability),
                                      row.estimate ? number_words(*row.estimate, answer.dates) : "unknown",
                                      number_range(row.file, answer.dates)};
    if (row.population) shown.push_back(number_range(*row.population, answer.dates));
    table.add(std::move(shown));
  }
  const bool together = answer.intervals == IntervalKind::Simultaneous;
  const bool several_bins = answer.about.counted == Counted::People && answer.about.no_population;
  return table.render() + fmt::format("{} with probability {}; ends are edges of bins. About {} {} have a number{}.\n",
                                      together                  ? "All intervals of a column hold together"
                                      : answer.rows.size() == 1 ? "Each interval holds"
                                                                : "Each interval holds, not all of them together,",
                                      answer.confidence, report::readable(std::round(std::max(0.0, answer.people))),
                                      name(answer.about.counted),
                                      several_bins ? ", each counted once in every bin where they have one" : "");
}

}  // namespace tacet::service
