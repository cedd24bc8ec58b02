#include "tacet/workflow/custody/look_at_data.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/profile/advice.h"
#include "tacet/schemas/profile/look.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/check_dataset.h"
#include "tacet/workflow/custody/source_register.h"

namespace tacet {
namespace {

const char* const kOthers = "anybody may compare names and terms: `dataset check names-only = true`";

Error not_the_custodian(const std::string& asker, const std::string& custodian) {
  constexpr std::size_t kLongest = 60;
  return Error::invalid("analyst", in_quotes(asker.substr(0, kLongest)),
                        fmt::format("must be {}, the custodian: this shows data", in_quotes(custodian)), kOthers);
}

/// The custodian is known by name, and by the key of the ledger.
Status check_custodian(const kernel::BudgetState& state, const std::string& asker) {
  if (!state.terms.custodian.empty() && state.terms.custodian != asker) return not_the_custodian(asker, state.terms.custodian);
  if (state.sealed) return {};
  return Error::of(Code::InvalidArgument, "the custodian's key is not here, and data are shown to nobody without it", kOthers);
}

}  // namespace

Status check_custodian_of_source(const std::string& source, const std::string& asker) {
  for (const RegisteredDataset& holder : datasets_of_source(source)) {
    if (!holder.path) continue;
    const std::string path = path_of_source(*holder.path);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    TACET_TRY(const kernel::Custody ledger, kernel::Custody::open(path));
    if (ledger.name() != holder.ledger) continue;
    TACET_TRY(const kernel::BudgetState state, ledger.show(holder.dataset));
    TACET_CHECK(check_custodian(state, asker));
  }
  return {};
}

Result<DataLook> look_at_data(const Dataset& dataset) {
  const KnownPlace& place = dataset.place();
  const std::string& asker = dataset.context().analyst;
  TACET_TRY(const DeclaredPlace declared, declared_place(dataset));
  if (declared.state) TACET_CHECK(check_custodian(*declared.state, asker));
  const auto look = [&](schemas::FileProfile profile) {
    std::vector<std::string> advice = schemas::advice_on(profile, declared.schema);
    return DataLook{std::move(profile), std::move(advice)};
  };
  if (const auto* table = place.data ? std::get_if<MemoryTable>(&*place.data) : nullptr) {
    TACET_CHECK(check_custodian_of_source(table->source(), asker));
    return look(schemas::look_at(table->table(), declared.schema));
  }
  if (!declared.source || schemas::source_kind(*declared.source) != schemas::SourceKind::Path) {
    return Error::of(Code::NotFound, "there is no file to look at", "name one: data = people.csv");
  }
  TACET_TRY(const data::DataFile file, schemas::open_data(path_of_source(*declared.source)));
  TACET_CHECK(check_custodian_of_source(source_text(file.real_path()), asker));
  const Context& context = dataset.context();
  TACET_TRY(schemas::FileProfile profile,
            schemas::look_at(file, declared.schema, {.progress = [&](double fraction) { context.tell("looking", fraction); }}));
  return look(std::move(profile));
}

}  // namespace tacet
