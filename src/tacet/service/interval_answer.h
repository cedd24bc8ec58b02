// tacet/service/interval_answer.h: the fields and words of intervals for the file and for the
// population.
//
//   AnswerTable<ProportionRow>().include(std::identity(), interval_answer<ProportionRow>());
//   interval_words({0.21, 0.34}, {0.23, 0.31});  // "between 0.21 and 0.34 in the population, ..."
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/infer/proportion.h"

namespace tacet::service {

/// estimate, lower, upper, file_lower and file_upper of a struct with an estimate, a population
/// and a file.
template <class Answer>
AnswerTable<Answer> interval_answer() {
  using Number = std::optional<double>;
  return AnswerTable<Answer>()
      .value("estimate", &Answer::estimate, "the estimate; null if it is not finite or not known")
      .value(
          "lower", [](const Answer& a) { return a.population.lower; },
          "the lower end of the interval for the population: noise and sampling")
      .value(
          "upper", [](const Answer& a) { return Number(a.population.upper); }, "its upper end; null: none")
      .value(
          "file_lower", [](const Answer& a) { return a.file.lower; },
          "the lower end of the interval for the people of the file: noise alone")
      .value("file_upper", [](const Answer& a) { return Number(a.file.upper); }, "its upper end; null: none");
}

/// The proportions of an answer, with their words.
AnswerTable<ProportionRow> proportion_row_answer();

/// "between 0.21 and 0.34 in the population, between 0.23 and 0.31 in the file"
std::string interval_words(const Interval& population, const Interval& file);
/// "0.213", with as many digits as a reader needs.
std::string short_value(double value);
/// "smoking=current among those with disease=yes"
std::string proportion_name(const ProportionRow& row);

}  // namespace tacet::service
