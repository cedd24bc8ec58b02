#include "tacet/workflow/session/session.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/base/text.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/new_file.h"
#include "tacet/workflow/session/checks_file.h"
#include "tacet/workflow/session/session_json.h"
#include "tacet/workflow/session/session_rules.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSessionQueries = 1'000'000;
constexpr std::size_t kMostBytesOfSession = 65536;

/// rho/queries with 15 digits, rounded down, so that all questions together cost at most rho.
Decimal part_of(const Decimal& rho, std::uint64_t queries) {
  const mpq_class exact = rho.to_rational() / mpq_class(static_cast<unsigned long>(queries));
  constexpr long kDigits = 15;
  long exponent = static_cast<long>(std::floor(std::log10(exact.get_d()))) - kDigits + 1;
  mpz_class ten = 0;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  const mpq_class scaled = exponent < 0 ? mpq_class(exact * ten) : mpq_class(exact / ten);
  mpz_class down;
  mpz_fdiv_q(down.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return Decimal(down, exponent);
}

Status check_session_dataset(const data::Declared& declared) {
  const privacy::Currency currency = declared.terms().declared().budget.currency;
  if (currency != privacy::Currency::Zcdp && currency != privacy::Currency::Gdp) {
    return Error::of(Code::Unsupported, "a session needs a budget in rho or mu, because its widths are those of Gaussian noise",
                     "ask single questions: release query");
  }
  if (!declared.relation().people_are_public() || declared.schema().contributions) {
    return Error::of(Code::Unsupported,
                     "a session needs a public number of rows, each of another person: its widths are for a sample of so many people",
                     "ask single questions: release query");
  }
  return {};
}

std::string absolute(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return failed ? path : whole.lexically_normal().string();
}

Result<std::string> new_nonce(const Context& context) {
  TACET_TRY(const auto bits, context.open_bits());
  const std::uint64_t first = bits->word(), second = bits->word();
  return fmt::format("{:016x}{:016x}", first, second);
}

/// With the interval for the population that the place of the question in the ledger demands.
Result<AnswerIntervals> session_intervals(const SessionTerms& terms, const SessionHistory& history, bool alone,
                                          const QueryRelease& release) {
  TACET_TRY(AnswerIntervals intervals, answer_intervals(release));
  const double range = answer_range(release), answer = release.mean().front();
  const double lowest = release.centre.front() - range / 2, highest = release.centre.front() + range / 2;
  TACET_TRY(double width, session_width(terms, history, alone, release.parts[0].n, release.mean_sd().front() / range));
  width = std::min(1.0, width + kAnswerRounding) * range;
  intervals.population = PopulationInterval{terms.queries, terms.beta, width, std::clamp(answer - width, lowest, highest),
                                            std::clamp(answer + width, lowest, highest)};
  return intervals;
}

/// Is the file paid for by the question, and unaltered as far as the ledger knows its hash?
enum class FileIs : std::uint8_t { Another, Altered, Its };
FileIs judge_file(const SessionQuestion& question, const mechanisms::ReleaseHeader& header, const std::string& path) {
  if (!header.receipt || header.receipt->entry_hash != question.entry_hash) return FileIs::Another;
  if (!question.release_hash) return FileIs::Its;
  const auto text = mechanisms::read_text_file(path, "session");
  return text.ok() && kernel::hash_hex(*text) == *question.release_hash ? FileIs::Its : FileIs::Altered;
}

/// The file of the answer to a question, wherever in the folder it is.
void find_file(TranscriptLine& line, const SessionTerms& terms, const std::function<FileIs(const std::string&)>& judge) {
  const auto found = [&](const std::string& path) {
    const FileIs is = judge(path);
    if (is == FileIs::Another) return false;
    line.file = path;
    line.altered = is == FileIs::Altered;
    return is == FileIs::Its;
  };
  if (found(terms.answer_file(line.question.number))) return;
  std::error_code failed;
  for (fs::directory_iterator file(terms.folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (file->path().filename().string().starts_with("answer-") && found(file->path().string())) return;
  }
}

/// What was answered to a question, if its file is there.
Result<TranscriptLine> line_of(const SessionTerms& terms, const SessionHistory& history, const SessionQuestion& question) {
  TranscriptLine line{.question = question, .file = {}, .answer = {}, .noise = {}, .intervals = {}, .checks = {}};
  if (question.number > terms.queries) return line;
  std::optional<QueryRelease> answer;
  find_file(line, terms, [&](const std::string& path) {
    if (question.by == AskedFor::Checks) {
      auto checks = read_checks(path);
      const FileIs is = checks.ok() ? judge_file(question, checks->header, path) : FileIs::Another;
      if (is == FileIs::Its) line.checks = *std::move(checks);
      return is;
    }
    auto release = mechanisms::read_release_as<QueryRelease>(path);
    const FileIs is = release.ok() ? judge_file(question, release->header, path) : FileIs::Another;
    if (is == FileIs::Its) answer = *std::move(release);
    return is;
  });
  if (!answer) return line;
  line.answer = answer->mean().front();
  line.noise = answer->mean_sd().front();
  TACET_TRY(line.intervals, session_intervals(terms, history, question.alone, *answer));
  return line;
}

Result<SessionTranscript> transcript_of(SessionTerms terms) {
  TACET_TRY(const kernel::Custody ledger, kernel::Custody::open(terms.ledger));
  TACET_TRY(const SessionHistory history, session_history(terms, ledger));
  const std::uint64_t asked = history.questions.size();
  SessionTranscript out{.terms = std::move(terms),
                        .asked = asked,
                        .left = 0,
                        .closed = false,
                        .alone = history.questions.empty() || history.questions.back().alone,
                        .spent = 0,
                        .lines = {},
                        .tests = {},
                        .reading = {}};
  out.closed = is_closed(out.terms);
  out.left = out.closed || history.amended || asked >= out.terms.queries ? 0 : out.terms.queries - asked;
  out.spent = static_cast<double>(asked) * out.terms.each.approximate();
  for (const SessionQuestion& question : history.questions) {
    TACET_TRY(TranscriptLine line, line_of(out.terms, history, question));
    out.lines.push_back(std::move(line));
  }
  out.tests = tests_of(out.terms);
  TACET_TRY(const kernel::BudgetState state, ledger.show(out.terms.dataset));
  out.reading = odometer_reading(state);
  return out;
}

}  // namespace

Result<Session> open_session(const Dataset& dataset, const SessionRequest& request) {
  if (!request.rho) return Error::invalid("rho", "missing", "must be given", "for example: rho = 0.01");
  TACET_TRY(const privacy::Rho rho, privacy::Rho::parse(request.rho->value.text()));
  TACET_CHECK(planning::check_queries({1, static_cast<double>(request.queries), request.beta}));
  if (request.queries > kMostSessionQueries)
    return Error::invalid("queries", fmt::format("{}", request.queries), fmt::format("must be at most {}", kMostSessionQueries));
  if (request.folder.empty())
    return Error::invalid("session", "empty", "must be the name of a new folder", "for example: session = looking");
  const KnownPlace& place = dataset.place();
  TACET_TRY(const kernel::Custody ledger, kernel::Custody::open(place.ledger));
  TACET_TRY(kernel::Terms kept, ledger.terms(place.dataset));
  TACET_TRY(const data::Declared declared, schemas::declared_by(std::move(kept)));
  TACET_CHECK(check_session_dataset(declared));
  TACET_CHECK(ledger.check({.dataset = place.dataset,
                            .analyst = dataset.context().analyst,
                            .statement = "{}",
                            .relation = declared.relation(),
                            .loss = privacy::gaussian_loss_from_rho(rho)}));
  TACET_TRY(const std::vector<kernel::Entry> entries, ledger.history(place.dataset));
  SessionTerms terms{.folder = request.folder, .ledger = absolute(place.ledger), .dataset = place.dataset};
  if (!is_utf8(terms.ledger)) return Error::of(Code::Unsupported, "a session needs a ledger whose path is UTF-8", "rename its folder");
  if (place.data) {
    const auto* const path = std::get_if<std::string>(&*place.data);
    if (path == nullptr)
      return Error::of(Code::Unsupported, "a session is asked about a file, because its questions outlive the program", "write a file");
    terms.data = source_text(absolute(*path));
  }
  TACET_CHECK(check_only_budget(terms, ledger));
  terms.queries = request.queries;
  terms.beta = request.beta;
  terms.rho = rho.value();
  terms.each = part_of(rho.value(), request.queries);
  TACET_CHECK(privacy::Rho::of(terms.each));
  terms.after = entries.size();
  terms.fresh =
      std::none_of(entries.begin(), entries.end(), [](const kernel::Entry& entry) { return entry.kind == kernel::EntryKind::Charge; });
  TACET_TRY(terms.nonce, new_nonce(dataset.context()));
  terms.id = session_id(terms);
  Session session{std::move(terms), std::nullopt};
  if (request.n) {
    const auto n = static_cast<double>(*request.n);
    TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
    const SessionHistory history{.questions = {}, .currency = state.terms.budget.currency, .total = state.filter.limit().first};
    TACET_TRY(session.width, session_width(session.terms, history, true, n, 1 / (n * std::sqrt(2 * session.terms.each.approximate()))));
  }
  std::error_code failed;
  if (!fs::create_directory(request.folder, failed)) {
    const std::string shown = in_quotes(request.folder.substr(0, 200));
    return failed ? Error::of(Code::FileUnwritable, fmt::format("the folder {} cannot be made", shown), "check the folder it is in")
                  : Error::of(Code::AlreadyExists, fmt::format("{} is there already", shown), "give another name");
  }
  nlohmann::json file = session_json(session.terms);
  file["id"] = session.terms.id;
  auto draft = NewFile::reserve(session.terms.file("session.json"), kMostBytesOfSession);
  const Status written = draft.ok() ? draft->publish(file.dump(2) + "\n") : Status(draft.error());
  if (!written.ok()) {
    fs::remove(request.folder, failed);
    return written.error();
  }
  return session;
}

Result<SessionAnswer> ask_session(const std::string& folder, const SessionAsk& question, const Context& context) {
  TACET_TRY(SessionTerms terms, read_session(folder));
  TACET_TRY(const Dataset dataset, dataset_of(terms, context));
  TACET_TRY(kernel::Custody ledger, dataset.kept().take(terms.ledger));
  TACET_TRY(SessionHistory history, session_history(terms, ledger));
  TACET_CHECK(check_open(terms, history, ledger));
  dataset.kept().keep(std::move(ledger));
  const auto admit = [&](const kernel::Receipt& receipt, const kernel::Custody& now) -> Status {
    TACET_CHECK(read_on(history, terms, now));
    return check_admitted(terms, history, receipt);
  };
  TACET_TRY(Published<QueryRelease> published, release_bounded_query(dataset, {.fraction = question.fraction,
                                                                               .mean_of = question.mean_of,
                                                                               .loss = Rho(terms.each.to_string()),
                                                                               .out = terms.answer_file(history.questions.size() + 1),
                                                                               .session = terms.promise(),
                                                                               .admit = admit}));
  const auto& receipt = published.release.header.receipt;
  const SessionQuestion* const own = receipt ? paid_by(history, *receipt) : nullptr;
  if (own == nullptr) return Error::of(Code::Internal, "the ledger does not have the question that was answered");
  TACET_TRY(AnswerIntervals intervals, session_intervals(terms, history, own->alone, published.release));
  const std::uint64_t left = terms.queries - std::min<std::uint64_t>(terms.queries, history.questions.size());
  return SessionAnswer{std::move(terms), *own, std::move(published), intervals, left};
}

Result<SessionTranscript> show_session(const std::string& folder) {
  TACET_TRY(SessionTerms terms, read_session(folder));
  return transcript_of(std::move(terms));
}

Result<SessionTranscript> close_session(const std::string& folder) {
  TACET_TRY(SessionTerms terms, read_session(folder));
  if (is_closed(terms)) return Error::of(Code::AlreadyExists, "the session is closed already", "see what was asked: session show");
  TACET_TRY(NewFile draft, NewFile::reserve(terms.file("closed.json"), kMostBytesOfSession));
  TACET_CHECK(draft.publish(nlohmann::json{{"tacet_session", 1}, {"closed", terms.id}}.dump() + "\n"));
  return transcript_of(std::move(terms));
}

}  // namespace tacet
