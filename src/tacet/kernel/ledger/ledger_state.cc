#include "tacet/kernel/ledger/ledger_state.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "tacet/kernel/ledger/rules.h"

namespace tacet::kernel {
namespace {

constexpr std::string_view kSqlite = "SQLite format 3";

Error no_ledger(const LogFile& file, std::string_view start) {
  const bool old = start.starts_with(kSqlite);
  if (old || is_header(start)) {
    return Error::of(Code::Unsupported,
                     fmt::format("the ledger \"{}\" has {}", file.path(),
                                 old ? "an older format, which has no terms" : "a newer format, or its first line is damaged"),
                     old ? "its custodian brings it into a new one, with what was charged: `dataset adopt`"
                         : "use the version of Tacet that wrote it, or restore the newest backup");
  }
  return Error::of(Code::LedgerCorrupt,
                   fmt::format("\"{}\" is {}", file.path(),
                               start.empty() ? "empty, which a ledger never is" : "no Tacet ledger, or its first line is damaged"),
                   "restore the newest backup, or check the path; `budget create` makes a new ledger where there is no file");
}

}  // namespace

Result<std::unique_ptr<LedgerState>> LedgerState::read(LogFile file, std::optional<Seal> own, const LedgerOptions& options, Visit visit) {
  const std::string seals = options.seals.empty() ? Seal::usual_folder() : options.seals;
  TACET_TRY(const FileLock lock, file.lock(FileLock::Access::Read, options.patience));
  TACET_TRY(const std::string start, file.first_bytes());
  const std::size_t stop = start.find('\n');
  const auto header = parse_header(std::string_view(start).substr(0, stop == std::string::npos ? 0 : stop));
  if (!header) return no_ledger(file, start);
  if (!own) {
    TACET_TRY(own, Seal::find(seals, header->name, options.disk == nullptr ? Disk::real() : *options.disk));
  }
  auto state = std::make_unique<LedgerState>(LedgerState{.file = std::move(file),
                                                         .clock = options.clock,
                                                         .seals = seals,
                                                         .patience = options.patience,
                                                         .seal = std::move(own),
                                                         .name = header->name,
                                                         .visit = std::move(visit)});
  state->end = static_cast<std::int64_t>(stop + 1);
  state->hashes.push_back(header->hash);
  TACET_CHECK(state->catch_up());
  return state;
}

std::string LedgerState::now() const {
  constexpr std::int64_t kLastSecond = 253402300799;  // of the year 9999: later times would not sort like their texts
  const std::int64_t seconds = std::clamp<std::int64_t>(clock ? clock() : std::int64_t{std::time(nullptr)}, 0, kLastSecond);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

Result<Record> LedgerState::read_line(std::string_view line, std::string& hash, Book& into) const {
  const std::optional<Line> parsed = parse_line(line);
  if (!parsed || record_hash(head(), parsed->text) != parsed->hash || (seal && seal->tag(parsed->hash) != parsed->tag))
    return ledger_damaged(fmt::format("record {} of the ledger \"{}\" is not the one that was written", records() + 1, file.path()));
  TACET_TRY(Record record, record_from_text(parsed->text));
  hash = parsed->hash;
  TACET_CHECK(into.apply(record, hash));
  return record;
}

void LedgerState::took(const Record& record, std::string hash, std::size_t bytes) {
  hashes.push_back(std::move(hash));
  end += static_cast<std::int64_t>(bytes);
  if (visit) visit(record, head(), book);
}

Result<FileLock> LedgerState::lock(FileLock::Access access) const {
  if (::getpid() != process) return Error::of(Code::Internal, "a ledger was used across a fork", "open it anew in the child");
  return file.lock(access, patience);
}

Status LedgerState::catch_up() {
  while (true) {
    TACET_TRY(const std::string news, file.read_lines(end));
    if (news.empty()) return check_mark();
    for (std::size_t at = 0, stop = 0; at < news.size(); at = stop + 1) {
      stop = news.find('\n', at);
      std::string hash;
      TACET_TRY(const Record record, read_line(std::string_view(news).substr(at, stop - at), hash, book));
      took(record, std::move(hash), stop + 1 - at);
    }
  }
}

Status LedgerState::check_mark() const {
  if (!seal) return {};
  TACET_TRY(const Mark mark, seal->mark());
  const bool reached = mark.records <= records();
  if (mark.records == 0 || (reached && hashes[static_cast<std::size_t>(mark.records)] == mark.hash)) return {};
  return Error::of(Code::LedgerCorrupt,
                   fmt::format("the ledger \"{}\" is not the newest: record {} was granted by this key, and {}", file.path(), mark.records,
                               reached ? "the file has another in its place" : fmt::format("the file ends after record {}", records())),
                   "an older copy was put in its place, or a copy was charged apart; restore the newest one, and "
                   "compare its entries with the releases made since");
}

Result<const Book::Account*> LedgerState::account(const std::string& dataset) {
  TACET_CHECK(check_name("dataset", dataset));
  TACET_CHECK(catch_up());
  if (const Book::Account* found = book.find(dataset)) return found;
  return Error::of(Code::NotFound, fmt::format("the ledger has no budget for the dataset \"{}\"", dataset),
                   "check the name, capitals included, or set its budget: `budget create`");
}

Status LedgerState::check_writable() const {
  if (!seal) {
    return Error::of(Code::LedgerUnavailable,
                     fmt::format("the key of the ledger \"{}\" is not in \"{}\", and nothing is charged without it", file.path(), seals),
                     fmt::format("set TACET_HOME to the custodian's folder, which has {}.seal", name));
  }
  if (file.writable() && seal->writable()) return {};
  return Error::of(Code::LedgerUnavailable,
                   file.writable() ? fmt::format("the ledger's key \"{}\" may not be written by this user", seal->path())
                                   : fmt::format("the ledger \"{}\" may not be written by this user", file.path()),
                   "whoever charges must be allowed to write it");
}

LedgerState::Wrote LedgerState::append(const std::string& dataset, const Record& record, bool sync) {
  const std::string text = to_text(record);
  std::string hash = record_hash(head(), text);
  const std::string line = record_line(text, hash, seal->tag(hash));
  // The code that reads ledgers reads this line first: only readable lines are written.
  Book after = book.with_only(dataset);
  const auto sound = read_line(std::string_view(line).substr(0, line.size() - 1), hash, after);
  if (!sound.ok()) return {sound.error()};
  if (Wrote wrote = file.append(end, line, sync); !wrote.status.ok()) return wrote;
  book.take(dataset, std::move(after));
  took(*sound, std::move(hash), line.size());
  if (!file.still_there()) {
    return {Error::of(Code::LedgerUnavailable,
                      fmt::format("the ledger \"{}\" was moved, deleted or replaced while it was charged", file.path()),
                      "put it back where it was"),
            true};
  }
  return {};
}

LedgerState::Wrote LedgerState::append_marked(const std::string& dataset, const Record& record) {
  const auto alone = seal->lock(patience);
  if (!alone) return {alone.error()};
  // A copy may have been charged between the first check and this lock.
  if (Status newest = check_mark(); !newest.ok()) return {std::move(newest)};
  Wrote wrote = append(dataset, record, /*sync=*/true);
  if (!wrote.status.ok()) return wrote;
  if (Status marked = seal->advance(*alone, {records(), head()}); !marked.ok()) return {std::move(marked), true};
  return {};
}

}  // namespace tacet::kernel
