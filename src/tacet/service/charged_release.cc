#include "tacet/service/charged_release.h"

#include <sys/mman.h>

#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/ledger_words.h"
#include "tacet/privacy/calibration.h"
#include "tacet/report/text_table.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget) {
  const auto* approximate = std::get_if<privacy::ApproximateLoss>(&asked);
  if (approximate == nullptr || budget == privacy::Currency::PureDp || budget == privacy::Currency::ApproximateDp) return asked;
  return privacy::gaussian_loss_for(*approximate);
}

// What is built between the charge and the file, for every byte that the file may have: noise, JSON (vectors that grow by doubling) and text.
constexpr std::size_t kMemoryPerByte = 4;
constexpr std::size_t kMoreMemory = std::size_t{1} << 20U;

/// Memory that is really there, and given back by the destructor.
class ClaimedMemory {
 public:
  static Result<ClaimedMemory> of(std::size_t bytes) {
    void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (at != MAP_FAILED) return ClaimedMemory(at, bytes);
    return Error::of(Code::EngineFailed, fmt::format("the release needs {} MiB of memory, which are not there", (bytes >> 20U) + 1),
                     "cross fewer columns, or give the program more memory");
  }
  ClaimedMemory(ClaimedMemory&& other) noexcept : at_(std::exchange(other.at_, nullptr)), bytes_(other.bytes_) {}
  ClaimedMemory& operator=(ClaimedMemory&&) = delete;
  ClaimedMemory(const ClaimedMemory&) = delete;
  ClaimedMemory& operator=(const ClaimedMemory&) = delete;
  ~ClaimedMemory() {
    if (at_ != nullptr) ::munmap(at_, bytes_);
  }

 private:
  ClaimedMemory(void* at, std::size_t bytes) : at_(at), bytes_(bytes) {}
  void* at_;
  std::size_t bytes_;
};

}  // namespace

Result<ChargedRelease> ChargedRelease::open(const Json& request, const Context& context, const privacy::Loss& asked,
                                            kernel::Relation relation) {
  TACET_TRY(LedgerPlace place, ledger_place(request));
  TACET_TRY(kernel::Ledger ledger, kernel::Ledger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState before, ledger.show(place.dataset));
  const privacy::Currency currency = before.terms.budget.currency;
  TACET_TRY(privacy::Loss loss, as_charged(asked, currency));
  TACET_TRY(std::string cost, kernel::charge_words(currency, loss));
  ChargedRelease order(std::move(place), std::move(ledger), std::move(loss), relation);
  order.cost_ = std::move(cost);
  order.analyst_ = text_field(request, "analyst").value_or(context.analyst);
  order.out_ = *text_field(request, "out");
  order.open_bits_ = [context] { return context.open_bits(); };
  return order;
}

Status ChargedRelease::prepare(Json statement, std::size_t most_bytes) {
  statement_ = std::move(statement);
  statement_["dataset"] = place_.dataset;
  statement_["neighbours"] = kernel::name(relation_);
  statement_["cost"] = cost_;
  TACET_CHECK(ledger_.check({place_.dataset, analyst_, dump(statement_), relation_, loss_}));
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  const std::size_t letters = 2 * dump(statement_).size() + place_.dataset.size();
  TACET_TRY(NewFile file, NewFile::reserve(out_, most_bytes + letters * kPerEscape));
  file_.emplace(std::move(file));
  most_memory_ = kMemoryPerByte * (most_bytes + letters * kPerEscape) + kMoreMemory;
  TACET_TRY(bits_, open_bits_());
  return {};
}

Result<kernel::Grant> ChargedRelease::charge() {
  // Given back after the charge, for what follows it to take.
  TACET_TRY(const ClaimedMemory memory, ClaimedMemory::of(most_memory_));
  TACET_TRY(kernel::Grant grant, ledger_.charge({place_.dataset, analyst_, dump(statement_), relation_, loss_}));
  spent_ = fmt::format("{} was spent (entry {} of \"{}\")", grant.receipt().charged, grant.receipt().entry, place_.dataset);
  return grant;
}

Result<Json> ChargedRelease::publish(Json release) {
  auto written = file_->publish_somewhere(dump(release, 1) + "\n");
  if (!written) return std::move(written).error().after_charge(spent_);
  release["out"] = *written;
  // The release has left and is on disk; that the ledger cannot be read a moment later takes nothing from it.
  const auto after = ledger_.show(place_.dataset);
  release["budget"] = after.ok() ? budget_json(*after, place_.ledger) : Json(nullptr);
  return release;
}

std::string ChargedRelease::words(const Json& result, const std::string& next) {
  std::string out = fmt::format("Charged: {}.", result.at("privacy").at("charged").get<std::string>());
  if (result.contains("budget") && !result.at("budget").is_null())
    out += fmt::format(" Remaining: {}.", result.at("budget").at("words").at("remaining").get<std::string>());
  if (result.contains("out")) {
    const std::string file = report::shell_word(result.at("out").get<std::string>());
    out +=
        fmt::format("\nWrote {}; all inference on it is free{}", file, next.empty() ? "." : fmt::format(": {} --release {}", next, file));
  }
  return out + "\n";
}

std::vector<Field> ChargedRelease::fields(std::vector<Field> own) {
  std::vector<Field> fields = {{"data", "FILE", "the data: .csv, .tsv, .parquet, .duckdb", FieldKind::Text, true},
                               {"schema", "S", "the schema file", FieldKind::Text, true}};
  for (Field& field : own) fields.push_back(std::move(field));
  fields.insert(fields.end(), {{"out", "FILE", "the release file to write", FieldKind::Text, true},
                               {"analyst", "NAME", "who is charged; you, if not given"},
                               {"ledger", "FILE", "the ledger, if not the schema's"},
                               {"dataset", "NAME", "the dataset, if not the schema's"}});
  for (Field& field : currency_fields("what to spend")) fields.push_back(std::move(field));
  return fields;
}

}  // namespace tacet::service
