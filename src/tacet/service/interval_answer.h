// tacet/service/interval_answer.h: the fields and words of intervals for the file and for the
// population.
//
//   AnswerTable<ProportionRow>().include(std::identity(), interval_answer<ProportionRow>());
//   const auto rows = [](const ProportionAnswer& answer, const auto& show) {
//     for (const ProportionRow& row : answer.rows) show(row);
//   };
//   listed_interval_answer<ProportionAnswer>(rows, "the proportion; a list of several");
//   // "between 0.21 and 0.34 in the population, between 0.23 and 0.31 in the file"
//   interval_words(Interval{0.21, 0.34}, {0.23, 0.31});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/infer/proportion.h"

namespace tacet::service {

/// An end of an interval; empty if it has none, or is not known.
inline std::optional<double> end_of(const std::optional<Interval>& interval, double Interval::* which) {
  return interval ? std::optional(*interval.*which) : std::nullopt;
}

/// estimate, lower, upper, file_lower and file_upper of a struct with an estimate, a population,
/// which may be empty, and a file.
template <class Answer>
AnswerTable<Answer> interval_answer() {
  using Number = std::optional<double>;
  return AnswerTable<Answer>()
      .value("estimate", &Answer::estimate, "the estimate; null if it is not finite or not known")
      .value(
          "lower", [](const Answer& a) { return end_of(a.population, &Interval::lower); },
          "the lower end of the interval for the population: noise and sampling; null where a person may count several times")
      .value(
          "upper", [](const Answer& a) { return end_of(a.population, &Interval::upper); }, "its upper end; null: none")
      .value(
          "file_lower", [](const Answer& a) { return a.file.lower; },
          "the lower end of the interval for the people, or rows, of the file: noise alone")
      .value("file_upper", [](const Answer& a) { return Number(a.file.upper); }, "its upper end; null: none");
}

/// The same five, of the only row that `visit` shows, or else lists with those of each row.
template <class Answer, class Visit>
AnswerTable<Answer> listed_interval_answer(Visit visit, const std::string& estimate) {
  const auto each = [visit](auto number) {
    return [visit, number](const Answer& answer) {
      Json all = Json::array();
      visit(answer, [&](const auto& row) { all.push_back(Codec<std::optional<double>>::write(number(row))); });
      return all.size() == 1 ? all.front() : all;
    };
  };
  const Json some = {{"type", {"number", "null", "array"}}};
  return AnswerTable<Answer>()
      .json("estimate", each([](const auto& row) { return row.estimate; }), some, estimate)
      .json("lower", each([](const auto& row) { return end_of(row.population, &Interval::lower); }), some,
            "the lower end for the population: noise and sampling; null where a person may count several times")
      .json("upper", each([](const auto& row) { return end_of(row.population, &Interval::upper); }), some,
            "the upper end for the population")
      .json("file_lower", each([](const auto& row) { return row.file.lower; }), some,
            "the lower end for the people, or rows, of the file: noise alone")
      .json("file_upper", each([](const auto& row) { return row.file.upper; }), some, "the upper end for the file");
}

/// lower, upper, file_lower and file_upper of a struct that may have no population or no file.
template <class Answer>
AnswerTable<Answer> optional_interval_answer() {
  using Number = std::optional<double>;
  const auto end = [](auto interval, double Interval::* which) {
    return [=](const Answer& a) { return a.*interval ? Number((*(a.*interval)).*which) : Number(); };
  };
  return AnswerTable<Answer>()
      .value("lower", end(&Answer::population, &Interval::lower), "the lower end of its interval for the population; null: none")
      .value("upper", end(&Answer::population, &Interval::upper), "the upper end; null: none")
      .value("file_lower", end(&Answer::file, &Interval::lower), "the lower end for the people of the file; null: none")
      .value("file_upper", end(&Answer::file, &Interval::upper), "the upper end; null: none");
}

/// counted and no_population.
AnswerTable<AboutWhom> about_answer();
/// Why there is no interval for the population, on a line of its own. Otherwise `between`, which
/// separates sentences that then share a line.
std::string about_words(const AboutWhom& about, const std::string& between = {});

/// left_out, of a struct with such a list of categories.
template <class Answer>
AnswerTable<Answer> left_out_answer() {
  return AnswerTable<Answer>().value("left_out", &Answer::left_out,
                                     "categories that are left out, as noise may be all there is in them; empty: none");
}
/// A line that names them, if there are any.
std::string left_out_words(const std::vector<std::string>& left_out);

/// The proportions of an answer, with their words.
AnswerTable<ProportionRow> proportion_row_answer();

/// "between 0.21 and 0.34 in the population, between 0.23 and 0.31 in the file", or the latter.
std::string interval_words(const std::optional<Interval>& population, const Interval& file);
/// "0.213", with as many digits as a reader needs.
std::string short_value(double value);
/// "smoking=current among those with disease=yes"
std::string proportion_name(const ProportionRow& row);

}  // namespace tacet::service
