#include "tacet/service/session/session_answer.h"

#include <fmt/format.h>

#include "tacet/report/html_page.h"
#include "tacet/report/text_table.h"
#include "tacet/service/session/bounded_answer.h"

namespace tacet::service {
namespace {

std::string question_words(const SessionQuestion& question) {
  return fmt::format("{} {}", question.fraction ? "fraction" : "mean of", report::printable(question.text));
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
          "by", [](const TranscriptLine& line) { return std::string(line.question.fraction ? "fraction" : "expression"); },
          "fraction or expression")
      .value(
          "of", [](const TranscriptLine& line) { return line.question.text; }, "the condition or the expression")
      .value(
          "alone", [](const TranscriptLine& line) { return line.question.alone; },
          "whether nothing but questions of the session had been released since it was opened")
      .value("file", &TranscriptLine::file, "the release file; null if the program was stopped after the charge")
      .value("answer", &TranscriptLine::answer, "the noisy answer; null without a file")
      .value("noise", &TranscriptLine::noise, "the standard deviation of its noise")
      .object("intervals", &TranscriptLine::intervals, interval_table(), "where the truth is, in the file and in the population");
}

/// Of a table cell: neither markup nor control characters.
std::string cell(const std::string& text) { return report::escaped(report::printable(text)); }

std::string promise_words(const SessionTranscript& all) {
  return fmt::format("With probability {:g} all answers are within these intervals of the population, however the questions were chosen.",
                     1 - all.terms.beta);
}

std::string state_words(const SessionTranscript& all) {
  return fmt::format("{} of {} questions asked for rho {:.6g} of {}; {}", all.asked, all.terms.queries, all.spent,
                     all.terms.rho.to_string(), all.closed ? "closed" : fmt::format("{} left", all.left));
}

}  // namespace

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
      .list("questions", &SessionTranscript::lines, line_table(), "in the order of the ledger");
}

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
               answered ? fmt::format("{:.6g}", *line.answer) : "paid, no file", answered ? fmt::format("{:.3g}", *line.noise) : "",
               answered ? fmt::format("{:.4g} to {:.4g}", line.intervals->population->lower, line.intervals->population->upper) : ""});
  }
  return out + table.render() + promise_words(all) + "\n";
}

std::string session_page(const SessionTranscript& all) {
  std::string rows;
  for (const TranscriptLine& line : all.lines) {
    const bool answered = line.answer && line.intervals && line.intervals->population;
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    line.question.number, cell(line.question.time), cell(line.question.analyst), cell(question_words(line.question)),
                    answered ? fmt::format("{:.6g}", *line.answer) : "paid, no file",
                    answered ? fmt::format("{:.6g} to {:.6g}", line.intervals->lower, line.intervals->upper) : "",
                    answered ? fmt::format("{:.6g} to {:.6g}", line.intervals->population->lower, line.intervals->population->upper) : "",
                    line.question.entry);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>Session on {0}</title>\n<style>:root{{color-scheme:light "
      "dark}}body{{font-family:sans-serif;margin:2em;max-width:75em}}table{{border-collapse:collapse}}td,th{{border-bottom:1px solid "
      "gray;padding:.3em .7em;text-align:left}}</style></head>\n<body><h1>Session on {0}</h1>\n<p>{1}.</p>\n<p>{2} Intervals for the file "
      "hold "
      "one by one, with probability 0.95.</p>\n<table><tr><th>question</th><th>when</th><th>who</th><th>what</th><th>answer</th><th>in the "
      "file</th><th>in the population</th><th>entry of the ledger</th></tr>\n{3}</table>\n<p>Session {4}.</p></body></html>\n",
      cell(all.terms.dataset), cell(state_words(all)), cell(promise_words(all)), rows, cell(all.terms.id));
}

}  // namespace tacet::service
