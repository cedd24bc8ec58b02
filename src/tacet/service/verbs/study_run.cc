#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/studies/results.h"
#include "tacet/studies/run_study.h"
#include "tacet/workflow/simulation.h"

namespace tacet::service::study_run_verb {
namespace {

using studies::Study;
using studies::StudyRun;

struct Request {
  std::string study;
  std::optional<std::uint64_t> trials;
  bool quick = false;
  std::uint64_t threads = 0, seed = 1;
  std::optional<std::string> out, docs;
};

/// A verdict with the study that it is of.
struct Told {
  std::string study;
  studies::Verdict verdict;
};

struct Reply {
  std::vector<Told> verdicts;
  std::uint64_t trials = 0;
  bool as_expected = true;
  std::optional<std::string> out, docs;
};

Result<std::vector<const Study*>> chosen(const std::string& name) {
  std::vector<const Study*> studies;
  if (name == "all") {
    for (const Study& study : studies::all_studies()) studies.push_back(&study);
    return studies;
  }
  TACET_TRY(const Study* one, studies::find_study(name));
  studies.push_back(one);
  return studies;
}

/// Tells the fraction of all studies that is done, and how long the rest will take.
class TimeLeft {
 public:
  TimeLeft(const std::vector<const Study*>& studies, const Context& context) : context_(context) {
    for (const Study* study : studies) all_ += study->seconds;
  }

  void tell(const Study& study, double fraction) const {
    const double part = all_ > 0 ? (done_ + study.seconds * fraction) / all_ : fraction;
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = part > 0 ? passed * (1 - part) / part : 0;
    const std::string rest = part <= 0    ? ""
                             : left < 120 ? fmt::format(", about {:.0f} s left", std::ceil(left))
                                          : fmt::format(", about {:.0f} minutes left", std::ceil(left / 60));
    context_.tell(study.name + rest, part);
  }
  void finished(const Study& study) { done_ += study.seconds; }

 private:
  const Context& context_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double all_ = 0, done_ = 0;
};

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(const std::vector<const Study*> wanted, chosen(request.study));
  if (request.docs && request.study != "all")
    return Error::invalid("docs", *request.docs, "must stand beside study = all, since the page has all studies", "study = all");
  studies::RunOptions options{.effort = {.quick = request.quick, .trials = request.trials},
                              .threads = static_cast<unsigned>(request.threads),
                              .seed = request.seed};
  options.folder = request.out;
  if (request.docs && !request.out) options.folder = studies::folder_of_page(*request.docs);
  Reply reply{.verdicts = {}, .out = request.out, .docs = request.docs};
  std::vector<StudyRun> runs;
  TimeLeft left(wanted, context);
  for (const Study* study : wanted) {
    left.tell(*study, 0);
    options.progress = [&left, study](double fraction) { left.tell(*study, fraction); };
    TACET_TRY(StudyRun done, run_study(*study, options));
    left.finished(*study);
    if (request.out) TACET_CHECK(write_results(done, *request.out));
    for (const studies::Verdict& verdict : done.findings.verdicts) reply.verdicts.push_back({study->name, verdict});
    reply.as_expected = reply.as_expected && as_expected(done.findings.verdicts);
    for (const auto& [cell, of_cell] : done.measured.all()) reply.trials += of_cell.trials;
    runs.push_back(std::move(done));
  }
  if (request.docs) TACET_CHECK(write_page(runs, *request.docs));
  return reply;
}

std::string words(const Reply& reply) {
  std::string out, study;
  std::size_t reproduced = 0, better = 0, different = 0;
  for (const Told& told : reply.verdicts) {
    const studies::Verdict& verdict = told.verdict;
    if (told.study != study) out += fmt::format("{}{}\n", study.empty() ? "" : "\n", told.study);
    study = told.study;
    std::string numbers;
    for (const studies::Number& number : verdict.numbers)
      numbers += fmt::format("{}{} {:.6g}", numbers.empty() ? "" : ", ", number.name, number.value);
    out += fmt::format("  {}{}: {}{}\n", name(verdict.outcome), verdict.expected ? "" : " UNEXPECTEDLY", verdict.claim,
                       numbers.empty() ? "" : " (" + numbers + ")");
    if (!verdict.words.empty()) out += fmt::format("      {}\n", verdict.words);
    ++(verdict.outcome == studies::Outcome::Reproduced ? reproduced : verdict.outcome == studies::Outcome::Better ? better : different);
  }
  out += fmt::format("\n{} verdicts: {} reproduced, {} better, {} that differ{}.\n", reply.verdicts.size(), reproduced, better, different,
                     reply.as_expected ? "" : ", some without a known reason");
  if (reply.out) out += fmt::format("Wrote tables and figures to {}.\n", report::shell_word(*reply.out));
  if (reply.docs) out += fmt::format("Wrote {}.\n", report::shell_word(*reply.docs));
  return out;
}

AnswerTable<Told> verdict_table() {
  const auto of = [](auto member) { return [member](const Told& told) { return told.verdict.*member; }; };
  return AnswerTable<Told>()
      .value("study", &Told::study, "the study")
      .value("claim", of(&studies::Verdict::claim), "what the paper says, or what Tacet promises")
      .value("outcome", of(&studies::Verdict::outcome), "whether that was found")
      .value("expected", of(&studies::Verdict::expected), "false: it differs, and the reason is not known")
      .value(
          "numbers",
          [](const Told& told) {
            std::map<std::string, double> numbers;
            for (const studies::Number& number : told.verdict.numbers) numbers[number.name] = number.value;
            return numbers;
          },
          "the numbers compared")
      .value("words", of(&studies::Verdict::words), "the reason, or the tolerance");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "study run",
       .summary = "Repeat a table or a figure of the papers, or measure levels and coverage, and say whether it was reproduced",
       .example = "tacet study run rogers_table_3 --trials 100",
       .request = RequestTable<Request>()
                      .required("study", &Request::study, "NAME", "the name of a study, or all")
                      .first()
                      .whole("trials", &Request::trials, 1, 1'000'000'000, "T", "the trials of each setting, in place of the paper's")
                      .field("quick", &Request::quick, "", "a few trials of each setting: wider tolerances, in a minute")
                      .whole("threads", &Request::threads, 0, 1024, "N", "processors to use; 0 is all; the results are the same")
                      .whole("seed", &Request::seed, 0, kMostSeed, "S", "where the simulation starts")
                      .field("out", &Request::out, "DIR",
                             "write tables (CSV, JSON) and figures (HTML) there; an interrupted run goes on from there")
                      .field("docs", &Request::docs, "FILE", "with all: write a page with all verdicts, and its pictures beside it"),
       .answer = AnswerTable<Reply>()
                     .list("verdicts", &Reply::verdicts, verdict_table(), "one for each claim of the papers")
                     .value("as_expected", &Reply::as_expected, "whether every difference has a known reason; otherwise the exit code is 1")
                     .value("trials", &Reply::trials, "the trials of all settings together")
                     .value("out", &Reply::out, "the folder that was written")
                     .unless_null()
                     .value("docs", &Reply::docs, "the page that was written")
                     .unless_null(),
       .run = run,
       .words = words,
       .holds = [](const Reply& reply) { return reply.as_expected; }});
}

}  // namespace tacet::service::study_run_verb
