#include "tacet/data/engine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <new>
#include <utility>

#include <duckdb.h>
#include <fmt/format.h>

namespace tacet::data {
namespace {

// Owns a duckdb_result or the like; `destroy` is the matching function.
template <class T, void (*destroy)(T*)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T value) : value_(value) {}
  ~Owned() { destroy(&value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* get() { return &value_; }
  T& operator*() { return value_; }

 private:
  T value_{};
};
using OwnedResult = Owned<duckdb_result, duckdb_destroy_result>;
using OwnedStatement = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using OwnedType = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using OwnedChunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using OwnedConfig = Owned<duckdb_config, duckdb_destroy_config>;
using OwnedScalarFunction = Owned<duckdb_scalar_function, duckdb_destroy_scalar_function>;
using OwnedAggregateFunction = Owned<duckdb_aggregate_function, duckdb_destroy_aggregate_function>;

// Types whose values all have a text by CAST, besides numbers. Nested types have no agreed text.
constexpr std::array kTypesWithText{DUCKDB_TYPE_ENUM,         DUCKDB_TYPE_UUID,         DUCKDB_TYPE_SQLNULL,      DUCKDB_TYPE_DATE,
                                    DUCKDB_TYPE_TIME,         DUCKDB_TYPE_TIME_TZ,      DUCKDB_TYPE_TIMESTAMP,    DUCKDB_TYPE_TIMESTAMP_S,
                                    DUCKDB_TYPE_TIMESTAMP_MS, DUCKDB_TYPE_TIMESTAMP_NS, DUCKDB_TYPE_TIMESTAMP_TZ, DUCKDB_TYPE_INTERVAL,
                                    DUCKDB_TYPE_BLOB,         DUCKDB_TYPE_BIT};

// How the engine stores the types that have numbers; a VARCHAR as views.
const std::array<std::pair<duckdb_type, Stored>, 15> kTypesWithNumbers{{
    {DUCKDB_TYPE_DOUBLE, double{}},
    {DUCKDB_TYPE_FLOAT, float{}},
    {DUCKDB_TYPE_BOOLEAN, std::uint8_t{}},
    {DUCKDB_TYPE_TINYINT, std::int8_t{}},
    {DUCKDB_TYPE_SMALLINT, std::int16_t{}},
    {DUCKDB_TYPE_INTEGER, std::int32_t{}},
    {DUCKDB_TYPE_BIGINT, std::int64_t{}},
    {DUCKDB_TYPE_HUGEINT, Int128{}},
    {DUCKDB_TYPE_UTINYINT, std::uint8_t{}},
    {DUCKDB_TYPE_USMALLINT, std::uint16_t{}},
    {DUCKDB_TYPE_UINTEGER, std::uint32_t{}},
    {DUCKDB_TYPE_UBIGINT, std::uint64_t{}},
    {DUCKDB_TYPE_UHUGEINT, UInt128{}},
    {DUCKDB_TYPE_VARCHAR, std::string_view{}},
    {DUCKDB_TYPE_DATE, Date{}},
}};

std::optional<StoredColumn> stored_as(duckdb_logical_type type) {
  const bool decimal = duckdb_get_type_id(type) == DUCKDB_TYPE_DECIMAL;
  const duckdb_type inside = decimal ? duckdb_decimal_internal_type(type) : duckdb_get_type_id(type);
  for (const auto& [known, kind] : kTypesWithNumbers) {
    if (known == inside) return StoredColumn{.kind = kind, .scale = decimal ? duckdb_decimal_scale(type) : std::uint8_t{0}};
  }
  return std::nullopt;
}

std::string_view view_of(duckdb_string_t& text) { return {duckdb_string_t_data(&text), duckdb_string_t_length(text)}; }

// ---- Functions that the engine calls on its threads. They throw nothing. ----
// Text or NULL to a cell code. DuckDB calls it once per distinct value of a dictionary.
void code_values(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& column = *static_cast<const TextInput*>(duckdb_scalar_function_get_extra_info(info));
  const duckdb_vector values = duckdb_data_chunk_get_vector(input, 0);
  auto* const texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(values));
  const std::uint64_t* const validity = duckdb_vector_get_validity(values);
  auto* const codes = static_cast<std::uint32_t*>(duckdb_vector_get_data(output));
  const idx_t rows = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < rows; ++row)
    column.code(validity == nullptr || is_set(validity, row) ? std::optional(view_of(texts[row])) : std::nullopt, &codes[row]);
  column.finish(codes);
}

bool register_coder(duckdb_connection connection, std::size_t number, const TextInput& column) {
  OwnedScalarFunction function(duckdb_create_scalar_function());
  OwnedType text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  OwnedType code(duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  duckdb_scalar_function_set_name(*function, sql::code_function(number).c_str());
  duckdb_scalar_function_add_parameter(*function, *text);
  duckdb_scalar_function_set_return_type(*function, *code);
  duckdb_scalar_function_set_special_handling(*function);  // passes NULL to us
  duckdb_scalar_function_set_extra_info(*function, const_cast<TextInput*>(&column), nullptr);
  duckdb_scalar_function_set_function(*function, code_values);
  return duckdb_register_scalar_function(connection, *function) == DuckDBSuccess;
}

// The data that one call of fold() shares with the functions below.
struct FoldJob {
  const RowPlan& plan;
  std::vector<StoredColumn> kinds;  // of the parameters; codes of the texts follow
  MomentSums& into;
  std::atomic<int> finalized = 0;
};
struct FoldPart {
  RowFold fold;
  std::vector<StoredColumn> columns;
  std::vector<std::string_view> texts;  // of the rows of a chunk, column by column
  std::vector<const std::uint32_t*> codes;
};

FoldJob& job_of(duckdb_function_info info) { return *static_cast<FoldJob*>(duckdb_aggregate_function_get_extra_info(info)); }
// A state is one pointer for each thread, in memory that DuckDB owns.
FoldPart*& part_of(duckdb_aggregate_state state) { return *reinterpret_cast<FoldPart**>(state); }
void fail(duckdb_function_info info) { duckdb_aggregate_function_set_error(info, "the rows cannot be added"); }

idx_t fold_state_size(duckdb_function_info /*info*/) { return sizeof(FoldPart*); }

void fold_start(duckdb_function_info info, duckdb_aggregate_state state) {
  const FoldJob& job = job_of(info);
  part_of(state) = nullptr;
  try {
    const idx_t rows = duckdb_vector_size();
    part_of(state) = new FoldPart{RowFold(job.plan), job.kinds, std::vector<std::string_view>(rows * job.kinds.size()),
                                  std::vector<const std::uint32_t*>(job.plan.texts.size())};
  } catch (const std::bad_alloc&) {
    fail(info);
  }
}

void fold_add(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  const FoldJob& job = job_of(info);
  const idx_t rows = duckdb_data_chunk_get_size(input);
  if (rows == 0) return;
  // Without GROUP BY all rows of a chunk have one state; otherwise this fails.
  const bool one_state = std::all_of(states, states + rows, [&](duckdb_aggregate_state state) { return state == states[0]; });
  FoldPart* const part = part_of(states[0]);
  if (!one_state || part == nullptr || rows > duckdb_vector_size()) return fail(info);
  for (std::size_t j = 0; j < job.kinds.size(); ++j) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(input, j);
    StoredColumn& column = part->columns[j];
    column.values = duckdb_vector_get_data(vector);
    column.validity = reinterpret_cast<const std::uint8_t*>(duckdb_vector_get_validity(vector));
    if (!std::holds_alternative<std::string_view>(column.kind)) continue;
    auto* const texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
    column.values = part->texts.data() + j * duckdb_vector_size();
    std::transform(texts, texts + rows, part->texts.data() + j * duckdb_vector_size(), view_of);
  }
  for (std::size_t t = 0; t < part->codes.size(); ++t)
    part->codes[t] = static_cast<const std::uint32_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, job.kinds.size() + t)));
  if (!part->fold.add(part->columns, part->codes, rows)) fail(info);
}

void fold_combine(duckdb_function_info info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets, idx_t count) {
  for (idx_t i = 0; i < count; ++i) {
    if (part_of(sources[i]) == nullptr || part_of(targets[i]) == nullptr) return fail(info);
    part_of(targets[i])->fold.merge(part_of(sources[i])->fold);
  }
}

void fold_finish(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count, idx_t offset) {
  FoldJob& job = job_of(info);
  for (idx_t i = 0; i < count; ++i) {
    if (part_of(states[i]) == nullptr) return fail(info);
    job.into.merge(part_of(states[i])->fold.sums());
    static_cast<std::int64_t*>(duckdb_vector_get_data(result))[offset + i] = ++job.finalized;
  }
}

void fold_free(duckdb_aggregate_state* states, idx_t count) {
  for (idx_t i = 0; i < count; ++i) delete std::exchange(part_of(states[i]), nullptr);
}

// The types of the source, so that the engine converts nothing.
bool register_fold(duckdb_connection connection, FoldJob& job, const std::vector<duckdb_logical_type>& types) {
  OwnedAggregateFunction function(duckdb_create_aggregate_function());
  OwnedType code(duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  OwnedType result(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_aggregate_function_set_name(*function, sql::kFoldFunction);
  for (const duckdb_logical_type type : types) duckdb_aggregate_function_add_parameter(*function, type);
  for (std::size_t text = 0; text < job.plan.texts.size(); ++text) duckdb_aggregate_function_add_parameter(*function, *code);
  duckdb_aggregate_function_set_return_type(*function, *result);
  duckdb_aggregate_function_set_special_handling(*function);
  duckdb_aggregate_function_set_extra_info(*function, &job, nullptr);
  duckdb_aggregate_function_set_functions(*function, fold_state_size, fold_start, fold_add, fold_combine, fold_finish);
  duckdb_aggregate_function_set_destructor(*function, fold_free);
  return duckdb_register_aggregate_function(connection, *function) == DuckDBSuccess;
}

}  // namespace

struct Engine::Handles {
  Owned<duckdb_database, duckdb_close> database;
  Owned<duckdb_connection, duckdb_disconnect> connection;  // closed before the database
};

Engine::Engine(std::shared_ptr<Handles> handles) : handles_(std::move(handles)) {}

Scanning<Engine> Engine::open(const std::vector<std::string>& paths, unsigned threads, std::optional<unsigned> memory) {
  const Fault broken{Fault::EngineBroken};
  OwnedConfig config;
  if (duckdb_create_config(config.get()) != DuckDBSuccess) return broken;
  const std::pair<const char*, std::string> settings[] = {
      {"threads", fmt::format("{}", threads)},
      {"memory_limit", fmt::format("{}MiB", memory.value_or(1024 + 128 * threads))},
      {"temp_directory", ""},  // no rows on disk
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_unsigned_extensions", "false"},
      {"allow_persistent_secrets", "false"},
      {"enable_external_file_cache", "false"},  // memory would grow with the file
  };
  for (const auto& [name, value] : settings) {
    if (duckdb_set_config(*config, name, value.c_str()) != DuckDBSuccess) return broken;
  }
  auto handles = std::make_shared<Handles>();
  char* message = nullptr;
  const duckdb_state opened = duckdb_open_ext(nullptr, handles->database.get(), *config, &message);
  duckdb_free(message);
  if (opened != DuckDBSuccess || duckdb_connect(*handles->database, handles->connection.get()) != DuckDBSuccess) return broken;
  Engine engine(std::move(handles));
  for (const std::string& statement : sql::confinement(paths)) {
    if (!engine.run(statement)) return broken;
  }
  return engine;
}

bool Engine::run(const std::string& statement) {
  OwnedResult result;
  return duckdb_query(*handles_->connection, statement.c_str(), result.get()) == DuckDBSuccess;
}

Scanning<std::vector<std::vector<std::string>>> Engine::rows(const std::string& query) {
  OwnedResult result;
  if (duckdb_query(*handles_->connection, query.c_str(), result.get()) != DuckDBSuccess) return Fault{};
  std::vector<std::vector<std::string>> out;
  const idx_t width = duckdb_column_count(result.get());
  for (;;) {
    OwnedChunk chunk(duckdb_fetch_chunk(*result));
    if (*chunk == nullptr) return out;
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(*chunk); ++row) {
      std::vector<std::string>& texts = out.emplace_back();
      for (idx_t column = 0; column < width; ++column) {
        const duckdb_vector vector = duckdb_data_chunk_get_vector(*chunk, column);
        texts.emplace_back(view_of(static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector))[row]));
      }
    }
  }
}

Scanning<std::vector<SourceColumn>> Engine::columns(const std::string& source) {
  OwnedStatement statement;
  if (duckdb_prepare(*handles_->connection, sql::columns_of(source).c_str(), statement.get()) != DuckDBSuccess) return Fault{};
  std::vector<SourceColumn> out;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(*statement); ++i) {
    const char* name = duckdb_prepared_statement_column_name(*statement, i);
    const auto type = std::make_shared<OwnedType>(duckdb_prepared_statement_column_logical_type(*statement, i));
    const auto numbers = stored_as(**type);
    const bool has_text = numbers || std::count(kTypesWithText.begin(), kTypesWithText.end(), duckdb_get_type_id(**type)) == 1;
    out.push_back({name == nullptr ? std::string() : std::string(name), has_text, numbers, type});
    duckdb_free(const_cast<char*>(name));
  }
  return out;
}

Scanning<std::int64_t> Engine::fold(const std::string& source, const std::vector<SourceColumn>& columns, const RowPlan& plan,
                                    MomentSums& into, const Progress& progress) {
  FoldJob job{plan, {}, into};
  std::vector<duckdb_logical_type> types;
  std::vector<std::size_t> numbers, coded;
  for (const NumberInput& number : plan.numbers) {
    types.push_back(**std::static_pointer_cast<OwnedType>(columns[number.column].type));
    job.kinds.push_back(columns[number.column].numbers.value());
    numbers.push_back(number.column);
  }
  bool registered = register_fold(*handles_->connection, job, types);
  for (const TextInput& text : plan.texts) {
    registered = registered && register_coder(*handles_->connection, coded.size(), text);
    coded.push_back(text.column);
  }
  if (!registered) return Fault{Fault::EngineBroken};

  OwnedResult result;
  const std::string query = sql::fold(source, columns.size(), numbers, coded);
  const duckdb_state ended = progress.while_running(
      std::async(std::launch::async, [&] { return duckdb_query(*handles_->connection, query.c_str(), result.get()); }),
      [&] { return duckdb_query_progress(*handles_->connection).percentage / 100; });
  if (ended != DuckDBSuccess || job.finalized != 1) return Fault{};
  // The caller compares our own count with this.
  TACET_TRY(const auto counted, rows(sql::count(source)));
  return std::stoll(counted.at(0).at(0));
}

}  // namespace tacet::data
