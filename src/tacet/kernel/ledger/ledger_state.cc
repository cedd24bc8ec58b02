#include "tacet/kernel/ledger/ledger_state.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/ledger/rules.h"

namespace tacet::kernel {
namespace {

constexpr std::string_view kSqlite = "SQLite format 3";

std::int64_t system_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// RFC 3339 in UTC. Years 1970 to 9999, so that times compare like their texts.
std::string to_time(std::int64_t seconds) {
  constexpr std::int64_t kLastSecond = 253402300799;
  const std::chrono::sys_seconds when{std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kLastSecond))};
  const auto midnight = std::chrono::floor<std::chrono::days>(when);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss clock(when - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Error unknown_dataset(const std::string& dataset) {
  return Error::of(Code::NotFound, fmt::format("the ledger has no budget for the dataset \"{}\"", dataset),
                   "check the name, capitals included, or set its budget: tacet budget create");
}

Error broken_line(const std::string& path, std::int64_t record) {
  return Error::of(Code::LedgerCorrupt, fmt::format("record {} of the ledger \"{}\" is not the one that was written", record, path),
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since: tacet budget verify");
}

Error no_ledger(const LogFile& file, std::string_view start) {
  if (start.empty()) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the file \"{}\" is empty, which a ledger never is", file.path()),
                     "restore the newest backup; if there never was a ledger here, delete the file");
  }
  if (start.starts_with(kSqlite)) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has an older format, which has no terms", file.path()),
                     "its custodian brings it into a new one, with what was charged: tacet dataset adopt");
  }
  if (is_header(start)) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has a newer format, or its first line is damaged", file.path()),
                     "use the version of Tacet that wrote it, or restore the newest backup");
  }
  return Error::of(Code::LedgerCorrupt, fmt::format("\"{}\" is no Tacet ledger, or its first line is damaged", file.path()),
                   "check the path; a new ledger is made by \"tacet budget create\" at a path where there is no file");
}

}  // namespace

Result<std::unique_ptr<LedgerState>> LedgerState::read(LogFile file, std::optional<Seal> own, const LedgerOptions& options) {
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
                                                         .name = header->name});
  state->first_line = state->end = static_cast<std::int64_t>(stop + 1);
  state->hashes.push_back(header->hash);
  TACET_CHECK(state->catch_up());
  return state;
}

std::string LedgerState::now() const { return to_time(clock ? clock() : system_seconds()); }

Status LedgerState::read_line(std::string_view line, Book& into, std::string& previous, std::int64_t number, const Visit& visit) const {
  const std::optional<Line> parsed = parse_line(line);
  if (!parsed || record_hash(previous, parsed->text) != parsed->hash || (seal && seal->tag(parsed->hash) != parsed->tag))
    return broken_line(file.path(), number);
  TACET_TRY(const Record record, record_from_text(parsed->text));
  TACET_CHECK(into.apply(record, parsed->hash));
  visit(record, parsed->hash);
  previous = std::string(parsed->hash);
  return {};
}

Result<FileLock> LedgerState::lock(FileLock::Access access) const {
  if (::getpid() != process) return Error::of(Code::Internal, "a ledger was used across a fork", "open it anew in the child");
  return file.lock(access, patience);
}

Status LedgerState::walk(std::int64_t& from, Book& into, std::string& previous, std::int64_t& number, const Visit& visit) const {
  while (true) {
    TACET_TRY(const std::string news, file.read_lines(from));
    if (news.empty()) return {};
    for (std::size_t at = 0; at < news.size();) {
      const std::size_t stop = news.find('\n', at);
      TACET_CHECK(read_line(std::string_view(news).substr(at, stop - at), into, previous, ++number, visit));
      from += static_cast<std::int64_t>(stop + 1 - at);
      at = stop + 1;
    }
  }
}

Status LedgerState::catch_up() {
  std::string previous = head();
  std::int64_t number = records();
  TACET_CHECK(walk(end, book, previous, number, [&](const Record&, std::string_view hash) { hashes.emplace_back(hash); }));
  return check_mark();
}

Status LedgerState::check_mark() const {
  if (!seal) return {};
  TACET_TRY(const Mark mark, seal->mark());
  const bool reached = mark.records <= records();
  if (mark.records == 0 || (reached && hashes[static_cast<std::size_t>(mark.records)] == mark.hash)) return {};
  return Error::of(Code::LedgerCorrupt,
                   fmt::format("the ledger \"{}\" is not the newest: record {} was granted by this key, and {}", file.path(), mark.records,
                               reached ? "the file has another in its place" : fmt::format("the file ends after record {}", records())),
                   "an older copy was put in its place, or a copy was charged apart; restore the newest one, and see "
                   "`tacet budget verify`");
}

Result<const Book::Account*> LedgerState::account(const std::string& dataset) {
  TACET_CHECK(check_name("dataset", dataset));
  TACET_CHECK(catch_up());
  const Book::Account* found = book.find(dataset);
  if (found == nullptr) return unknown_dataset(dataset);
  return found;
}

Status LedgerState::check_writable() const {
  if (!file.writable()) {
    return Error::of(Code::LedgerUnavailable, fmt::format("the ledger \"{}\" may not be written by this user", file.path()),
                     "whoever charges must be allowed to write it");
  }
  if (!seal) {
    return Error::of(Code::LedgerUnavailable,
                     fmt::format("the key of the ledger \"{}\" is not in \"{}\", and nothing is charged without it", file.path(), seals),
                     fmt::format("set TACET_HOME to the custodian's folder, which has {}.seal", name));
  }
  if (!seal->writable()) {
    return Error::of(Code::LedgerUnavailable, fmt::format("the ledger's key \"{}\" may not be written by this user", seal->path()),
                     "whoever charges must be allowed to write it");
  }
  return {};
}

LedgerState::Wrote LedgerState::append(const std::string& dataset, const Record& record, bool sync) {
  const std::string text = to_text(record);
  const std::string hash = record_hash(head(), text);
  const std::string line = record_line(text, hash, seal->tag(hash));
  // The same code that will read this line reads it first: nothing is written that could not be read.
  Book after = book.with_only(dataset);
  std::string chain = head();
  Status sound =
      read_line(std::string_view(line).substr(0, line.size() - 1), after, chain, records() + 1, [](const Record&, std::string_view) {});
  if (!sound.ok()) return {std::move(sound)};
  LogFile::Appended appended = file.append(end, line, sync);
  if (!appended.status.ok()) return {std::move(appended.status), appended.may_be_there};
  book.take(dataset, std::move(after));
  hashes.push_back(std::move(chain));
  end += static_cast<std::int64_t>(line.size());
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
  // Between the first look and this lock a copy may have been charged.
  if (Status newest = check_mark(); !newest.ok()) return {std::move(newest)};
  Wrote wrote = append(dataset, record, /*sync=*/true);
  if (!wrote.status.ok()) return wrote;
  if (Status marked = seal->advance(*alone, {records(), head()}); !marked.ok()) return {std::move(marked), true};
  return {};
}

}  // namespace tacet::kernel
