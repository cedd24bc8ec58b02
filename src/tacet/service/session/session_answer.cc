#include "tacet/service/session/session_answer.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/report/html_page.h"
#include "tacet/report/text_table.h"
#include "tacet/service/session/bounded_answer.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service {
namespace {

std::string asked_words(AskedFor by, const std::string& text) {
  const char* const before = by == AskedFor::Fraction ? "fraction" : by == AskedFor::Expression ? "mean of" : "check";
  return fmt::format("{} {}", before, report::printable(text));
}

std::string question_words(const SessionQuestion& question) { return asked_words(question.by, question.text); }

/// "3 of 4 confirmed".
std::string confirmed_words(const SessionChecks& checks) {
  const auto confirmed = std::count_if(checks.guesses.begin(), checks.guesses.end(), [](const CheckedGuess& g) { return g.confirmed; });
  return fmt::format("{} of {} confirmed", confirmed, checks.guesses.size());
}

std::string answer_words_of(const TranscriptLine& line) {
  if (line.checks) return confirmed_words(*line.checks);
  if (line.altered) return "paid, file altered";
  return line.answer ? fmt::format("{:.6g}", *line.answer) : "paid, no file";
}

std::string around(const CheckedGuess& guess, double width) {
  return fmt::format("{:.6g} to {:.6g}", std::max(guess.lowest, guess.guess - width), std::min(guess.highest, guess.guess + width));
}

AnswerTable<TranscriptLine> line_table() {
  return AnswerTable<TranscriptLine>()
      .value(
          "number", [](const TranscriptLine& line) { return line.question.number; }, "of the question, from 1")
      .value(
          "entry", [](const TranscriptLine& line) { return line.question.entry; }, "in the history of the budget")
      .value(
          "time", [](const TranscriptLine& line) { return line.question.time; }, "when it was charged, UTC")
      .value(
          "analyst", [](const TranscriptLine& line) { return line.question.analyst; }, "who asked")
      .value(
          "by", [](const TranscriptLine& line) { return line.question.by; }, "what was asked")
      .value(
          "of", [](const TranscriptLine& line) { return line.question.text; }, "the condition, the expression, or how many guesses")
      .value(
          "alone", [](const TranscriptLine& line) { return line.question.alone; },
          "whether nothing but questions of the session had been released since it was opened")
      .value("file", &TranscriptLine::file, "the release file; null if the program was stopped after the charge")
      .value("altered", &TranscriptLine::altered, "whether it is not the file that was written, by the hash in the ledger")
      .value("answer", &TranscriptLine::answer, "the noisy answer; null without a file, or if it was altered")
      .value("noise", &TranscriptLine::noise, "the standard deviation of its noise")
      .object("intervals", &TranscriptLine::intervals, interval_table(), "where the truth is, in the file and in the population")
      .object("checks", &TranscriptLine::checks, checks_table(), "of guesses that were compared with the data: null for an answer");
}

/// Of a table cell: neither markup nor control characters.
std::string cell(const std::string& text) { return report::escaped(report::printable(text)); }

std::string promise_words(const SessionTranscript& all) {
  return fmt::format("With probability {:g} all answers are within these intervals of the population, however the questions were chosen.",
                     1 - all.terms.beta);
}

/// What was given away about the rows so far.
std::string told_words(const SessionTranscript& all) {
  if (!all.reading) return {};
  return fmt::format("Given away so far, by all releases: epsilon {} with delta {:g}; this holds at any moment (odometer).\n",
                     short_amount(all.reading->epsilon, AmountIs::Spent), all.reading->delta);
}

std::string state_words(const SessionTranscript& all) {
  return fmt::format("{} of {} questions asked for rho {:.6g} of {}; {}", all.asked, all.terms.queries, all.spent,
                     all.terms.rho.to_string(), all.closed ? "closed" : fmt::format("{} left", all.left));
}

/// A line of the page for each guess.
std::string guess_rows(const SessionChecks& checks) {
  std::string rows;
  for (const CheckedGuess& guess : checks.guesses) {
    rows +=
        fmt::format("<tr><td></td><td></td><td></td><td>{}: {:.6g} within {:.6g}?</td><td>{}</td><td>{}</td><td>{}</td><td></td></tr>\n",
                    cell(asked_words(guess.by, guess.text)), guess.guess, guess.tolerance, guess.confirmed ? "confirmed" : "not confirmed",
                    guess.widths ? around(guess, guess.widths->file) : "", guess.widths ? around(guess, guess.widths->population) : "");
  }
  return rows;
}

}  // namespace

AnswerTable<CheckedGuess> guess_answer_table() {
  const auto width = [](double GuessWidths::* member) {
    return [member](const CheckedGuess& guess) { return guess.widths ? std::optional((*guess.widths).*member) : std::nullopt; };
  };
  return AnswerTable<CheckedGuess>()
      .value("by", &CheckedGuess::by, "fraction or expression")
      .value("of", &CheckedGuess::text, "the condition or the expression")
      .value("guess", &CheckedGuess::guess, "what was guessed")
      .value("tolerance", &CheckedGuess::tolerance, "how far from it the answer might be")
      .value("confirmed", &CheckedGuess::confirmed, "whether the data agree; false ends what was paid for")
      .value("file_width", width(&GuessWidths::file), "around a confirmed guess: where the answer over the rows is")
      .value("population_width", width(&GuessWidths::population), "around a confirmed guess: where that over the population is");
}

AnswerTable<SessionChecks> checks_table() {
  return AnswerTable<SessionChecks>()
      .value("at_most", &SessionChecks::at_most, "how many guesses one payment was for, if none was wrong")
      .value("allowance", &SessionChecks::allowance,
             "what was added to each tolerance, for values between 0 and 1, so that right "
             "guesses are confirmed")
      .value("level_noise", &SessionChecks::level, "the scale of the exponential noise of the level, for values between 0 and 1")
      .value("own_noise", &SessionChecks::own, "that of the noise of each comparison")
      .list("guesses", &SessionChecks::guesses, guess_answer_table(), "in the order in which they were compared");
}

std::string guess_words(const SessionChecks& checks) {
  std::string out;
  for (const CheckedGuess& guess : checks.guesses) {
    out += fmt::format("  {}: {:.6g} within {:.6g}: {}", asked_words(guess.by, guess.text), guess.guess, guess.tolerance,
                       guess.confirmed ? "confirmed" : "not confirmed");
    out += guess.widths ? fmt::format("; in the file {}, in the population {}\n", around(guess, guess.widths->file),
                                      around(guess, guess.widths->population))
                        : std::string("\n");
  }
  return out;
}

AnswerTable<SessionTranscript> transcript_table() {
  return AnswerTable<SessionTranscript>()
      .value(
          "id", [](const SessionTranscript& all) { return all.terms.id; }, "of the session, in the statements of its questions")
      .value(
          "dataset", [](const SessionTranscript& all) { return all.terms.dataset; }, "the dataset")
      .value(
          "queries", [](const SessionTranscript& all) { return all.terms.queries; }, "how many questions it was opened for")
      .value(
          "beta", [](const SessionTranscript& all) { return all.terms.beta; }, "the probability that some answer is outside")
      .value(
          "rho", [](const SessionTranscript& all) { return all.terms.rho.to_string(); }, "of all questions together")
      .value(
          "each", [](const SessionTranscript& all) { return all.terms.each.to_string(); }, "the rho of one question")
      .value("asked", &SessionTranscript::asked, "how many questions were paid for")
      .value("left", &SessionTranscript::left, "how many may still be asked")
      .value("closed", &SessionTranscript::closed, "whether it was closed")
      .value("alone", &SessionTranscript::alone, "whether nothing else was released since it was opened")
      .value("spent", &SessionTranscript::spent, "the rho of its questions so far")
      .list("questions", &SessionTranscript::lines, line_table(), "in the order of the ledger")
      .list("tests", &SessionTranscript::tests, session_test_table(), "tests that were chosen by the answers, in their order")
      .object("odometer", &SessionTranscript::reading,
              AnswerTable<OdometerReading>()
                  .value("epsilon", &OdometerReading::epsilon, "what was given away so far")
                  .value("delta", &OdometerReading::delta, "except with this probability"),
              "of everything that was released from the rows; it holds at the moment it is read; null beyond the odometer's domain");
}

AnswerTable<SessionTest> session_test_table() {
  return AnswerTable<SessionTest>()
      .value("number", &SessionTest::number, "of the test, from 1")
      .value("release", &SessionTest::release, "the release file whose test it is")
      .value("test", &SessionTest::test, "which test")
      .value("p_value", &SessionTest::p_value, "the p-value as it was computed")
      .value("corrected_p_value", &SessionTest::corrected, "the p-value that is valid although the test was selected")
      .value("told", &SessionTest::told, "how many releases came before that of the test, and may have selected it")
      .value("alone", &SessionTest::alone, "whether all of them were questions of the session")
      .value("rho", &SessionTest::rho, "an amount, fixed beforehand, that bounds what they told; null if there were none")
      .value("n", &SessionTest::n, "the number of rows")
      .value("entry", &SessionTest::entry, "of the release, in the history of the budget");
}

/// A p-value that somebody may have hoped to keep.
constexpr double kSmallEnough = 0.05;

std::string test_words(const SessionTest& test) {
  std::string out = fmt::format("Test {}{}{} of {}: p-value {:.4g}, corrected {:.4g}", test.number, test.test.empty() ? "" : ", ",
                                report::printable(test.test), report::printable(test.release), test.p_value, test.corrected);
  if (test.told == 0) return out + "; nothing had been told about the rows before.\n";
  out += fmt::format("; {} release{} before it may have selected it.\n", test.told, test.told == 1 ? "" : "s");
  if (test.corrected < 1 || test.p_value >= kSmallEnough || !test.rho) return out;
  return out +
         fmt::format(
             "What was told may have been enough to select it: n rho is {:.3g}, and answers leave small p-values something only while "
             "it is below about 1. A test that is planned before the first question, or after checks of guesses alone, loses less.\n",
             test.n * *test.rho);
}

std::string left_words(std::uint64_t left) { return fmt::format("{} question{} left.\n", left, left == 1 ? "" : "s"); }

std::string place_words(const SessionTerms& terms, const SessionQuestion& question) {
  std::string words = fmt::format("Question {} of {}", question.number, terms.queries);
  if (!question.alone || !terms.fresh) words += "; other releases from these rows are counted, so the width is that of the whole budget";
  return words + ".\n";
}

std::string transcript_words(const SessionTranscript& all) {
  std::string out = fmt::format("Session {}: {}.\n", report::printable(all.terms.folder), state_words(all));
  if (all.lines.empty()) return out;
  report::TextTable table({"question", "who", "what", "answer", "noise (sd)", "in the population"});
  for (const TranscriptLine& line : all.lines) {
    const bool answered = line.answer && line.intervals && line.intervals->population;
    table.add({fmt::format("{}", line.question.number), report::printable(line.question.analyst), question_words(line.question),
               answer_words_of(line), answered ? fmt::format("{:.3g}", *line.noise) : "",
               answered ? fmt::format("{:.4g} to {:.4g}", line.intervals->population->lower, line.intervals->population->upper) : ""});
  }
  out += table.render() + promise_words(all) + "\n";
  for (const TranscriptLine& line : all.lines) {
    if (line.checks) out += fmt::format("Question {}:\n", line.question.number) + guess_words(*line.checks);
  }
  for (const SessionTest& test : all.tests) out += test_words(test);
  return out + told_words(all);
}

std::string session_page(const SessionTranscript& all) {
  std::string rows;
  for (const TranscriptLine& line : all.lines) {
    const bool answered = line.answer && line.intervals && line.intervals->population;
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    line.question.number, cell(line.question.time), cell(line.question.analyst), cell(question_words(line.question)),
                    answer_words_of(line), answered ? fmt::format("{:.6g} to {:.6g}", line.intervals->lower, line.intervals->upper) : "",
                    answered ? fmt::format("{:.6g} to {:.6g}", line.intervals->population->lower, line.intervals->population->upper) : "",
                    line.question.entry);
    if (line.checks) rows += guess_rows(*line.checks);
  }
  std::string tests;
  for (const SessionTest& test : all.tests) tests += fmt::format("<p>{}</p>\n", cell(test_words(test)));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>Session on {0}</title>\n<style>:root{{color-scheme:light "
      "dark}}body{{font-family:sans-serif;margin:2em;max-width:75em}}table{{border-collapse:collapse}}td,th{{border-bottom:1px solid "
      "gray;padding:.3em .7em;text-align:left}}</style></head>\n<body><h1>Session on {0}</h1>\n<p>{1}.</p>\n<p>{2} Intervals for the file "
      "hold "
      "one by one, with probability 0.95.</p>\n<table><tr><th>question</th><th>when</th><th>who</th><th>what</th><th>answer</th><th>in the "
      "file</th><th>in the population</th><th>entry of the ledger</th></tr>\n{3}</table>\n{5}<p>{6}</p>\n<p>Session "
      "{4}.</p></body></html>\n",
      cell(all.terms.dataset), cell(state_words(all)), cell(promise_words(all)), rows, cell(all.terms.id), tests, cell(told_words(all)));
}

}  // namespace tacet::service
