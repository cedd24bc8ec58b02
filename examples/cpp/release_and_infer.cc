// Sets a budget for a file of people, publishes a table of it, and tests what was published.
//
//   release_and_infer people.toml people.csv
//
// The custodian's schema says what is public about the file. Everything after the release is free:
// inference reads what was published, never the file.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/infer/independence.h"
#include "tacet/workflow/release/release_counts.h"

namespace {

using namespace tacet;

// The custodian, once: rho 1 for all releases together.
Status set_budget(const data::Schema& schema) {
  TACET_TRY(const CreatedBudget created, create_budget({.schema = schema, .total = Rho(1)}));
  std::printf("The budget is %s.\n", words(created.budget.total).c_str());
  return {};
}

// An analyst: one table, charged before its noise is drawn, and a test that knows the noise.
Status analyse(const data::Schema& schema, const std::string& file) {
  TACET_TRY(const Dataset people, Dataset::open({.ledger = schema.ledger, .dataset = schema.dataset, .data = file}));
  TACET_TRY(const Published<CountRelease> table,
            release_counts(people, {.by = {"sex", "plan"}, .mechanism = CountMechanism::Laplace, .loss = Epsilon(0.5)}));
  for (std::size_t i = 0; i < table.release.values.size(); ++i)
    std::printf("  %-24s %10.1f\n", table.release.cell_name(i).c_str(), table.release.values[i]);
  if (table.budget) std::printf("Remaining: %s.\n", words(table.budget->remaining).c_str());

  TACET_TRY(const IndependenceTest test, test_independence(table.release, {.alpha = 0.05}));
  std::printf("Independence of sex and plan: %s", std::string(name(test.outcome)).c_str());
  if (test.p_value) std::printf(", p-value %.3g", *test.p_value);
  std::printf(".\n");
  return {};
}

Status run(const std::string& schema_file, const std::string& data_file) {
  TACET_TRY(const data::Schema schema, schemas::read_schema(schema_file));
  TACET_CHECK(set_budget(schema));
  return analyse(schema, data_file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: release_and_infer SCHEMA DATA\n");
    return 2;
  }
  const Status status = run(argv[1], argv[2]);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
