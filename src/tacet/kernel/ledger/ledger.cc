#include "tacet/kernel/ledger/ledger.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/entropy.h"
#include "tacet/kernel/ledger/book.h"
#include "tacet/kernel/ledger/history.h"
#include "tacet/kernel/ledger/log_file.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/kernel/ledger/rules.h"
#include "tacet/kernel/ledger/seal.h"
#include "tacet/kernel/ledger/words.h"

namespace tacet::kernel {
namespace {

using privacy::Amount;
using privacy::Filter;

constexpr std::string_view kMemory = ":memory:";
constexpr std::string_view kMemoryName = "00000000000000000000000000000000";
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

Status check_request(const ChargeRequest& request) {
  TACET_CHECK(check_name("dataset", request.dataset));
  TACET_CHECK(check_name("analyst", request.analyst));
  TACET_CHECK(check_statement(request.statement));
  TACET_CHECK(check_text("source", request.source));
  return check_loss(request.loss);
}

/// A share is a part of the budget that its rule can keep.
Status check_limit(const Declaration& declared, const std::string& what, const Amount& limit) {
  TACET_CHECK(check_amount(what, declared.budget.currency, limit));
  const std::string written = privacy::describe(declared.budget.currency, limit);
  if (!privacy::fits(limit, declared.budget.total)) {
    return Error::invalid(
        what, written,
        fmt::format("must be at most the whole budget, {}", privacy::describe(declared.budget.currency, declared.budget.total)));
  }
  if (limit.second < declared.slack) {
    return Error::invalid(what, written,
                          fmt::format("must have a delta of at least the slack of the budget, {}", declared.slack.to_string()),
                          "give the share more delta, or the budget less slack");
  }
  if (const auto filter = Filter::of({declared.budget.currency, limit}, declared.rule, declared.slack); !filter) {
    return Error::invalid(what, written,
                          fmt::format("must be one that the rule {} can keep ({})", name(declared.rule), filter.error().message()));
  }
  return {};
}

Status check_declaration(const Declaration& declared, const std::vector<Share>& shares) {
  const privacy::Budget& budget = declared.budget;
  TACET_CHECK(check_total(budget.currency, budget.total));
  TACET_CHECK(check_amount("slack", privacy::Currency::PureDp, {declared.slack, {}}));
  TACET_CHECK(Filter::of(budget, declared.rule, declared.slack));
  std::set<std::string> analysts;
  for (const Share& share : shares) {
    TACET_CHECK(check_name("analyst", share.analyst));
    TACET_CHECK(check_limit(declared, fmt::format("the share of \"{}\"", share.analyst), share.limit));
    if (!analysts.insert(share.analyst).second)
      return Error::invalid("analyst", fmt::format("\"{}\" twice", share.analyst), "must have one share only");
  }
  if (declared.others) {
    if (shares.empty()) {
      return Error::invalid("others", privacy::describe(budget.currency, *declared.others), "has a meaning only beside shares",
                            "leave it out: without shares everybody may spend from the whole budget");
    }
    TACET_CHECK(check_limit(declared, "what others may spend", *declared.others));
  }
  for (const auto& [what, text] : {std::pair{"schema", &declared.schema}, std::pair{"source", &declared.source},
                                   std::pair{"custodian", &declared.custodian}, std::pair{"again", &declared.again}}) {
    TACET_CHECK(check_text(what, *text));
  }
  for (const std::string& column : declared.relation.public_columns()) TACET_CHECK(check_text("public column", column));
  return {};
}

Error broken_line(const std::string& path, std::int64_t record) {
  return Error::of(Code::LedgerCorrupt, fmt::format("record {} of the ledger \"{}\" is not the one that was written", record, path),
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since: tacet budget verify");
}

/// What can be checked of charges that were made elsewhere. That they fit the budget is the book's to say.
Status check_adopted(const TermsRecord& terms) {
  TACET_CHECK(check_text("old ledger", terms.adopted));
  for (const AdoptedCharge& charge : terms.charges) {
    TACET_CHECK(check_name("analyst", charge.analyst));
    TACET_CHECK(check_statement(charge.statement));
    TACET_CHECK(check_text("time", charge.time));
    TACET_CHECK(check_loss(charge.loss));
    if (!is_hash(charge.entry_hash)) return Error::invalid("old entry", "without a hash", "must have the hash of its receipt");
  }
  if (Book().apply(terms, "").ok()) return {};
  return Error::invalid("the budget", privacy::describe(terms.declared.budget.currency, terms.declared.budget.total),
                        fmt::format("must be one that holds the {} charges of the old ledger", terms.charges.size()),
                        "adopt it with the budget that it had");
}

Error no_ledger(const LogFile& file, std::string_view start) {
  if (start.empty()) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the file \"{}\" is empty, which a ledger never is", file.path()),
                     "restore the newest backup; if there never was a ledger here, delete the file");
  }
  if (start.starts_with(kSqlite)) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has an older format, which has no terms", file.path()),
                     "keep it for the version of Tacet that wrote it, or set what remains in it as the budget of a new ledger, once: tacet "
                     "budget create");
  }
  if (is_header(start)) {
    return Error::of(Code::Unsupported, fmt::format("the ledger \"{}\" has a newer format, or its first line is damaged", file.path()),
                     "use the version of Tacet that wrote it, or restore the newest backup");
  }
  return Error::of(Code::LedgerCorrupt, fmt::format("\"{}\" is no Tacet ledger, or its first line is damaged", file.path()),
                   "check the path; a new ledger is made by \"tacet budget create\" at a path where there is no file");
}

/// An empty ledger and its key; or neither, if another process was first: then its ledger is the one.
Status make(const std::string& path, const std::string& seals, Disk& disk) {
  std::error_code error;
  const std::string place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
  TACET_TRY(const std::optional<std::string> former, Seal::of_path(seals, place));
  if (former && !std::filesystem::exists(path, error)) {
    return Error::of(
        Code::LedgerUnavailable, fmt::format("a ledger was made at \"{}\", was charged, and is gone", path),
        fmt::format("put it back, or restore its newest backup; where nothing that it protects is left, delete its key \"{}\"", *former));
  }
  TACET_TRY(const std::string name, exact::random_hex(16));
  TACET_TRY(Seal seal, Seal::create(seals, name, place, disk));
  Status made = LogFile::create(path, header_line(name), disk);
  if (!made.ok()) seal.forget();
  return !made.ok() && made.error().code() != Code::AlreadyExists ? made : Status();
}

}  // namespace

std::string_view name(EntryKind kind) {
  switch (kind) {
    case EntryKind::Charge: return "charge";
    case EntryKind::FailedScan: return "failed-scan";
    case EntryKind::Amendment: break;
  }
  return "amendment";
}

struct Ledger::Impl {
  LogFile file;
  std::function<std::int64_t()> clock;
  std::string seals;
  std::chrono::milliseconds patience;
  std::optional<Seal> seal;
  std::string name;

  // What has been read and checked so far.
  Book book{};
  std::int64_t first_line = 0, end = 0;  // where these end
  std::vector<std::string> hashes{};     // of the first line and of every record
  pid_t process = ::getpid();

  std::int64_t records() const { return static_cast<std::int64_t>(hashes.size()) - 1; }
  const std::string& head() const { return hashes.back(); }
  std::string now() const { return to_time(clock ? clock() : system_seconds()); }

  /// The next line of the chain, checked against everything before it.
  template <class Visit>
  Status read_line(std::string_view line, Book& into, std::string& previous, std::int64_t number, const Visit& visit) const {
    const std::optional<Line> parsed = parse_line(line);
    if (!parsed || record_hash(previous, parsed->text) != parsed->hash || (seal && seal->tag(parsed->hash) != parsed->tag))
      return broken_line(file.path(), number);
    TACET_TRY(const Record record, record_from_text(parsed->text));
    TACET_CHECK(into.apply(record, parsed->hash));
    visit(record, parsed->hash);
    previous = std::string(parsed->hash);
    return {};
  }

  /// A forked child has its parent's open file, so that the lock would keep neither out.
  Result<FileLock> lock(FileLock::Access access) const {
    if (::getpid() != process) return Error::of(Code::Internal, "a ledger was used across a fork", "open it anew in the child");
    return file.lock(access, patience);
  }

  /// Reads whole lines from `from` on and checks each, as read_line does.
  template <class Visit>
  Status walk(std::int64_t& from, Book& into, std::string& previous, std::int64_t& number, const Visit& visit) const {
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

  /// Reads what was appended since the last time, under a lock, and compares it with the mark.
  Status catch_up() {
    std::string previous = head();
    std::int64_t number = records();
    TACET_CHECK(walk(end, book, previous, number, [&](const Record&, std::string_view hash) { hashes.emplace_back(hash); }));
    return check_mark();
  }

  /// A mark that is not reached, or that names another record, is that of a newer ledger than this one.
  Status check_mark() const {
    if (!seal) return {};
    TACET_TRY(const Mark mark, seal->mark());
    const bool reached = mark.records <= records();
    if (mark.records == 0 || (reached && hashes[static_cast<std::size_t>(mark.records)] == mark.hash)) return {};
    return Error::of(
        Code::LedgerCorrupt,
        fmt::format("the ledger \"{}\" is not the newest: record {} was granted by this key, and {}", file.path(), mark.records,
                    reached ? "the file has another in its place" : fmt::format("the file ends after record {}", records())),
        "an older copy was put in its place, or a copy was charged apart; restore the newest one, and see "
        "`tacet budget verify`");
  }

  Result<const Book::Account*> account(const std::string& dataset) {
    TACET_CHECK(check_name("dataset", dataset));
    TACET_CHECK(catch_up());
    const Book::Account* found = book.find(dataset);
    if (found == nullptr) return unknown_dataset(dataset);
    return found;
  }

  /// Inside a lock: everything that decides whether the request may be charged. In words what it costs.
  Result<std::string> admit(const ChargeRequest& request) {
    TACET_TRY(const Book::Account* const found, account(request.dataset));
    const Declaration& declared = found->declared;
    const std::string where = fmt::format("the budget of \"{}\"", request.dataset);
    if (!(request.relation == declared.relation)) {
      return Error::invalid("neighbours", describe(request.relation),
                            fmt::format("must be {}, as in {}", describe(declared.relation), where),
                            "set it back in the schema; losses under different relations do not add up");
    }
    if (!request.source.empty() && !declared.source.empty() && request.source != declared.source) {
      return Error::invalid("data", fmt::format("\"{}\"", request.source),
                            fmt::format("must be \"{}\", the source in the terms of \"{}\"", declared.source, request.dataset),
                            "if the file moved, its custodian says so: tacet dataset amend --source FILE --reason TEXT");
    }
    if (request.idealised && !declared.idealised) {
      return Error::of(Code::Unsupported, fmt::format("the terms of \"{}\" allow no idealised mechanism", request.dataset),
                       "choose an exact one; a custodian allows them with idealised = true in the schema when the budget is created");
    }
    return book.admit(request.dataset, request.analyst, request.loss);
  }

  Status check_writable() const {
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

  /// Inside a write lock, after catch_up: appends a record.
  struct Wrote {
    Status status;
    bool may_be_there = false;
  };
  Wrote append(const std::string& dataset, const Record& record, bool sync) {
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

  /// Appends and moves the mark on, so that no older copy is taken for this ledger.
  Wrote append_marked(const std::string& dataset, const Record& record) {
    const auto alone = seal->lock(patience);
    if (!alone) return {alone.error()};
    // Between the first look and this lock a copy may have been charged.
    if (Status newest = check_mark(); !newest.ok()) return {std::move(newest)};
    Wrote wrote = append(dataset, record, /*sync=*/true);
    if (!wrote.status.ok()) return wrote;
    if (Status marked = seal->advance(*alone, {records(), head()}); !marked.ok()) return {std::move(marked), true};
    return {};
  }

  Status write_terms(const TermsRecord& terms) {
    TACET_CHECK(check_name("dataset", terms.dataset));
    TACET_CHECK(check_declaration(terms.declared, terms.shares));
    TACET_CHECK(check_adopted(terms));
    TACET_CHECK(check_writable());
    TACET_TRY(const FileLock alone, lock(FileLock::Access::Write));
    TACET_CHECK(catch_up());
    if (book.find(terms.dataset) != nullptr) {
      return Error::of(Code::AlreadyExists, fmt::format("the dataset \"{}\" has a budget already, and a budget is set once", terms.dataset),
                       "see what remains of it: tacet budget show");
    }
    TACET_CHECK(file.keep_name());  // charges are worth nothing in a file that a power cut takes away
    return append_marked(terms.dataset, terms).status;
  }
};

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

const std::string& Ledger::name() const { return impl_->name; }

Result<Ledger> Ledger::open(const std::string& path, const LedgerOptions& options) {
  TACET_CHECK(exact::start_sodium());
  const std::string seals = options.seals.empty() ? Seal::usual_folder() : options.seals;
  Disk& disk = options.disk == nullptr ? Disk::real() : *options.disk;
  const bool memory = path == kMemory;
  auto file = memory ? LogFile::in_memory(header_line(kMemoryName)) : LogFile::open(path, disk);
  if (!file && file.error().code() == Code::NotFound && options.create) {
    TACET_CHECK(make(path, seals, disk));
    file = LogFile::open(path, disk);
  }
  if (!file) return std::move(file).error();

  TACET_TRY(const FileLock lock, file->lock(FileLock::Access::Read, options.patience));
  TACET_TRY(const std::string start, file->first_bytes());
  const std::size_t stop = start.find('\n');
  const auto header = parse_header(std::string_view(start).substr(0, stop == std::string::npos ? 0 : stop));
  if (!header) return no_ledger(*file, start);
  auto impl = std::make_unique<Impl>(Impl{
      .file = *std::move(file), .clock = options.clock, .seals = seals, .patience = options.patience, .seal = {}, .name = header->name});
  impl->first_line = impl->end = static_cast<std::int64_t>(stop + 1);
  impl->hashes.push_back(header->hash);
  if (memory) {
    TACET_TRY(impl->seal, Seal::in_memory());
  } else {
    TACET_TRY(impl->seal, Seal::find(seals, header->name, disk));
  }
  TACET_CHECK(impl->catch_up());
  return Ledger(std::move(impl));
}

Status Ledger::create_budget(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares) {
  return impl_->write_terms({dataset, declared, shares, impl_->now()});
}

Status Ledger::adopt(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares, const std::string& from,
                     const std::vector<AdoptedCharge>& charges) {
  return impl_->write_terms({dataset, declared, shares, impl_->now(), from, charges});
}

Status Ledger::amend(const std::string& dataset, const Amendment& amendment) {
  TACET_CHECK(check_name("custodian", amendment.custodian));
  TACET_CHECK(check_statement(amendment.reason));
  TACET_CHECK(check_text("schema", amendment.schema.value_or("")));
  TACET_CHECK(check_text("source", amendment.source.value_or("")));
  TACET_CHECK(impl_->check_writable());
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Write));
  TACET_TRY(const Book::Account* const account, impl_->account(dataset));
  const Declaration& declared = account->declared;
  if (!declared.custodian.empty() && declared.custodian != amendment.custodian) {
    return Error::invalid("custodian", fmt::format("\"{}\"", amendment.custodian),
                          fmt::format("must be \"{}\", who declared the terms of \"{}\"", declared.custodian, dataset), "ask them");
  }
  if (amendment.relation && !(*amendment.relation == declared.relation) && account->charges > 0) {
    return Error::invalid("neighbours", describe(*amendment.relation),
                          fmt::format("must stay {}: something was charged under it", describe(declared.relation)),
                          "losses under different relations do not add up; make a new dataset with a budget of its own");
  }
  const AmendmentRecord record{dataset,          account->entries + 1, amendment.custodian, amendment.reason,
                               amendment.schema, amendment.source,     amendment.relation,  impl_->now()};
  return impl_->append_marked(record.dataset, record).status;
}

Result<Terms> Ledger::terms(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Read));
  TACET_TRY(const Book::Account* const account, impl_->account(dataset));
  return Terms(DatasetId(impl_->name, dataset), account->declared, account->shares, account->origin_hash);
}

Result<Grant> Ledger::charge(const ChargeRequest& request) {
  TACET_CHECK(check_request(request));
  TACET_CHECK(impl_->check_writable());
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Write));
  TACET_TRY(const std::string charged, impl_->admit(request));
  const Book::Account& account = *impl_->book.find(request.dataset);
  const ChargeRecord record{request.dataset,
                            account.entries + 1,
                            request.analyst,
                            request.statement,
                            request.loss,
                            request.idealised,
                            account.declared.source.empty() ? request.source : std::string(),
                            impl_->now()};
  Impl::Wrote wrote = impl_->append_marked(record.dataset, record);
  if (!wrote.status.ok()) {
    Error error = std::move(wrote.status).error();
    if (!wrote.may_be_there) return error;
    return std::move(error).after_charge(
        fmt::format("{} as entry {} of \"{}\" may have been spent, without a release: see whether that entry is in the history", charged,
                    record.entry, request.dataset));
  }
  // Only here: the entry is on disk, in the file that the path names, and the mark knows it.
  return Grant(request.loss, request.relation, DatasetId(impl_->name, request.dataset),
               Receipt{.ledger = impl_->name,
                       .dataset = request.dataset,
                       .entry = record.entry,
                       .entry_hash = impl_->head(),
                       .statement_hash = hash_hex(request.statement),
                       .time = record.time,
                       .charged = charged},
               request.idealised);
}

Status Ledger::check(const ChargeRequest& request) const {
  TACET_CHECK(check_request(request));
  TACET_CHECK(impl_->check_writable());
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Read));
  const auto admitted = impl_->admit(request);
  return admitted.ok() ? Status() : Status(admitted.error());
}

Status Ledger::record_failed_scan(const ChargeRequest& request) {
  TACET_CHECK(check_request(request));
  TACET_CHECK(impl_->check_writable());
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Write));
  TACET_TRY(const Book::Account* const account, impl_->account(request.dataset));
  const FailedScanRecord record{request.dataset, account->entries + 1, request.analyst, request.statement, impl_->now()};
  return impl_->append_marked(record.dataset, record).status;
}

Status Ledger::record_published(const Receipt& receipt, const std::string& release_hash) {
  if (!is_hash(release_hash)) return Error::invalid("release hash", "something else", "must be a hash in hex");
  TACET_CHECK(impl_->check_writable());
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Write));
  TACET_CHECK(impl_->catch_up());
  if (receipt.ledger != impl_->name || std::find(impl_->hashes.rbegin(), impl_->hashes.rend(), receipt.entry_hash) == impl_->hashes.rend())
    return Error::invalid("receipt", fmt::format("entry {} of \"{}\"", receipt.entry, receipt.dataset), "must be of this ledger");
  // Not synced, and so not marked: it protects nobody's privacy, and the next charge syncs it.
  return impl_->append(receipt.dataset, PublishedRecord{receipt.dataset, receipt.entry, release_hash}, /*sync=*/false).status;
}

Result<BudgetState> Ledger::show(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Read));
  TACET_TRY(const Book::Account* const account, impl_->account(dataset));
  BudgetState state{.dataset = dataset,
                    .terms = account->declared,
                    .filter = account->filter,
                    .entries = account->entries,
                    .charges = account->charges,
                    .idealised = account->idealised,
                    .analysts = {},
                    .last = {},
                    .sealed = impl_->seal.has_value()};
  std::map<std::string, Filter::Totals> analysts = account->spent_by;
  for (const Share& share : account->shares) analysts.try_emplace(share.analyst);
  for (const auto& [analyst, spent] : analysts) {
    const Amount* share = account->share_of(analyst);
    if (share == nullptr) {
      state.analysts.push_back({analyst, std::nullopt, account->filter.resumed(spent)});
    } else {
      TACET_TRY(Filter filter, account->filter_of(*share, spent));
      state.analysts.push_back({analyst, *share, std::move(filter)});
    }
  }
  if (account->last) state.last = {account->last->first, account->last->second};
  return state;
}

Result<std::vector<Entry>> Ledger::history(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Read));
  TACET_CHECK(impl_->account(dataset));
  History history(dataset);
  Book again;
  std::string previous = impl_->hashes.front();
  std::int64_t end = impl_->first_line;
  std::int64_t number = 0;
  TACET_CHECK(
      impl_->walk(end, again, previous, number, [&](const Record& record, std::string_view hash) { history.add(record, hash, again); }));
  return std::move(history).entries();
}

Result<std::vector<std::string>> Ledger::datasets() const {
  TACET_TRY(const FileLock lock, impl_->lock(FileLock::Access::Read));
  TACET_CHECK(impl_->catch_up());
  return impl_->book.datasets();
}

}  // namespace tacet::kernel
