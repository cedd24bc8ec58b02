#include "tacet/data/engine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <future>
#include <new>
#include <thread>
#include <utility>

#include <duckdb.h>
#include <fmt/format.h>

#include "tacet/data/scan_failed.h"

namespace tacet::data {
namespace {

// What the engine may hold besides our own tables: some for itself, and some for each thread's column buffers.
unsigned usual_memory(unsigned threads) { return 1024 + 128 * threads; }

// duckdb_result, duckdb_prepared_statement and the like, destroyed by the matching function.
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

std::pair<ColumnType, const char*> known_type(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_VARCHAR: return {ColumnType::Text, "VARCHAR"};
    case DUCKDB_TYPE_ENUM: return {ColumnType::Text, "ENUM"};
    case DUCKDB_TYPE_UUID: return {ColumnType::Text, "UUID"};
    case DUCKDB_TYPE_SQLNULL: return {ColumnType::Text, "NULL"};
    case DUCKDB_TYPE_BOOLEAN: return {ColumnType::Boolean, "BOOLEAN"};
    case DUCKDB_TYPE_TINYINT: return {ColumnType::Whole, "TINYINT"};
    case DUCKDB_TYPE_SMALLINT: return {ColumnType::Whole, "SMALLINT"};
    case DUCKDB_TYPE_INTEGER: return {ColumnType::Whole, "INTEGER"};
    case DUCKDB_TYPE_BIGINT: return {ColumnType::Whole, "BIGINT"};
    case DUCKDB_TYPE_HUGEINT: return {ColumnType::Whole, "HUGEINT"};
    case DUCKDB_TYPE_UTINYINT: return {ColumnType::Whole, "UTINYINT"};
    case DUCKDB_TYPE_USMALLINT: return {ColumnType::Whole, "USMALLINT"};
    case DUCKDB_TYPE_UINTEGER: return {ColumnType::Whole, "UINTEGER"};
    case DUCKDB_TYPE_UBIGINT: return {ColumnType::Whole, "UBIGINT"};
    case DUCKDB_TYPE_UHUGEINT: return {ColumnType::Whole, "UHUGEINT"};
    case DUCKDB_TYPE_FLOAT: return {ColumnType::Fraction, "FLOAT"};
    case DUCKDB_TYPE_DOUBLE: return {ColumnType::Fraction, "DOUBLE"};
    case DUCKDB_TYPE_DECIMAL: return {ColumnType::Fraction, "DECIMAL"};
    case DUCKDB_TYPE_DATE: return {ColumnType::Moment, "DATE"};
    case DUCKDB_TYPE_TIME: return {ColumnType::Moment, "TIME"};
    case DUCKDB_TYPE_TIME_TZ: return {ColumnType::Moment, "TIME WITH TIME ZONE"};
    case DUCKDB_TYPE_TIMESTAMP: return {ColumnType::Moment, "TIMESTAMP"};
    case DUCKDB_TYPE_TIMESTAMP_S: return {ColumnType::Moment, "TIMESTAMP_S"};
    case DUCKDB_TYPE_TIMESTAMP_MS: return {ColumnType::Moment, "TIMESTAMP_MS"};
    case DUCKDB_TYPE_TIMESTAMP_NS: return {ColumnType::Moment, "TIMESTAMP_NS"};
    case DUCKDB_TYPE_TIMESTAMP_TZ: return {ColumnType::Moment, "TIMESTAMP WITH TIME ZONE"};
    case DUCKDB_TYPE_INTERVAL: return {ColumnType::Moment, "INTERVAL"};
    case DUCKDB_TYPE_BLOB: return {ColumnType::Bytes, "BLOB"};
    case DUCKDB_TYPE_BIT: return {ColumnType::Bytes, "BIT"};
    case DUCKDB_TYPE_LIST: return {ColumnType::Nested, "LIST"};
    case DUCKDB_TYPE_STRUCT: return {ColumnType::Nested, "STRUCT"};
    case DUCKDB_TYPE_MAP: return {ColumnType::Nested, "MAP"};
    case DUCKDB_TYPE_ARRAY: return {ColumnType::Nested, "ARRAY"};
    case DUCKDB_TYPE_UNION: return {ColumnType::Nested, "UNION"};
    default: return {ColumnType::Nested, "unknown to Tacet"};
  }
}

std::optional<NumberKind> number_kind(duckdb_logical_type type) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_DOUBLE: return NumberKind{NumberType::Double, 0};
    case DUCKDB_TYPE_FLOAT: return NumberKind{NumberType::Single, 0};
    case DUCKDB_TYPE_BOOLEAN: return NumberKind{NumberType::Boolean, 0};
    case DUCKDB_TYPE_TINYINT: return NumberKind{NumberType::Int8, 0};
    case DUCKDB_TYPE_SMALLINT: return NumberKind{NumberType::Int16, 0};
    case DUCKDB_TYPE_INTEGER: return NumberKind{NumberType::Int32, 0};
    case DUCKDB_TYPE_BIGINT: return NumberKind{NumberType::Int64, 0};
    case DUCKDB_TYPE_HUGEINT: return NumberKind{NumberType::Int128, 0};
    case DUCKDB_TYPE_UTINYINT: return NumberKind{NumberType::UInt8, 0};
    case DUCKDB_TYPE_USMALLINT: return NumberKind{NumberType::UInt16, 0};
    case DUCKDB_TYPE_UINTEGER: return NumberKind{NumberType::UInt32, 0};
    case DUCKDB_TYPE_UBIGINT: return NumberKind{NumberType::UInt64, 0};
    case DUCKDB_TYPE_UHUGEINT: return NumberKind{NumberType::UInt128, 0};
    case DUCKDB_TYPE_VARCHAR: return NumberKind{NumberType::Text, 0};
    case DUCKDB_TYPE_DECIMAL: {
      const std::uint8_t scale = duckdb_decimal_scale(type);
      switch (duckdb_decimal_internal_type(type)) {
        case DUCKDB_TYPE_SMALLINT: return NumberKind{NumberType::Decimal16, scale};
        case DUCKDB_TYPE_INTEGER: return NumberKind{NumberType::Decimal32, scale};
        case DUCKDB_TYPE_BIGINT: return NumberKind{NumberType::Decimal64, scale};
        case DUCKDB_TYPE_HUGEINT: return NumberKind{NumberType::Decimal128, scale};
        default: return std::nullopt;
      }
    }
    default: return std::nullopt;
  }
}

// ---- The functions that the engine calls. They run on its threads and throw nothing. ----

bool is_valid(const std::uint64_t* validity, idx_t row) { return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0; }

// Text or NULL to the code of a cell. DuckDB calls it once per distinct value where a column is dictionary-encoded.
void code_values(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& coder = *static_cast<const Coder*>(duckdb_scalar_function_get_extra_info(info));
  const duckdb_vector values = duckdb_data_chunk_get_vector(input, 0);
  auto* const texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(values));
  const std::uint64_t* const validity = duckdb_vector_get_validity(values);
  auto* const codes = static_cast<std::uint32_t*>(duckdb_vector_get_data(output));
  const idx_t rows = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < rows; ++row) {
    codes[row] =
        is_valid(validity, row) ? coder.code({duckdb_string_t_data(&texts[row]), duckdb_string_t_length(texts[row])}) : coder.missing();
  }
}

// What one call of tally() shares with the functions below.
struct TallyJob {
  const TableShape& shape;
  Tally& into;
  std::atomic<int> finalized = 0;
};
// One per thread, in memory that DuckDB owns.
struct TallyState {
  std::int64_t* counts;
};

TallyJob& job_of(duckdb_function_info info) { return *static_cast<TallyJob*>(duckdb_aggregate_function_get_extra_info(info)); }
TallyState& state_of(duckdb_aggregate_state state) { return *reinterpret_cast<TallyState*>(state); }

idx_t tally_state_size(duckdb_function_info /*info*/) { return sizeof(TallyState); }

void tally_start(duckdb_function_info info, duckdb_aggregate_state state) {
  // calloc: pages of a large table that no row touches cost nothing.
  state_of(state).counts = static_cast<std::int64_t*>(std::calloc(job_of(info).shape.cells(), sizeof(std::int64_t)));
  if (state_of(state).counts == nullptr) duckdb_aggregate_function_set_error(info, "no memory for the table");
}

void tally_add(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  constexpr idx_t kSlice = 2048;
  const TableShape& shape = job_of(info).shape;
  const idx_t rows = duckdb_data_chunk_get_size(input);
  std::array<std::uint32_t, kSlice> cells;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below, as far as it is read
  for (idx_t begin = 0; begin < rows; begin += kSlice) {
    const idx_t count = std::min(kSlice, rows - begin);
    std::fill_n(cells.begin(), count, 0U);
    bool sound = true;
    for (std::size_t axis = 0; axis < shape.axes(); ++axis) {
      const duckdb_vector vector = duckdb_data_chunk_get_vector(input, axis);
      const auto* const codes = static_cast<const std::uint32_t*>(duckdb_vector_get_data(vector)) + begin;
      const std::uint32_t size = shape.size(axis);
      const std::uint32_t stride = shape.stride(axis);
      for (idx_t i = 0; i < count; ++i) {
        sound &= codes[i] < size;
        cells[i] += codes[i] * stride;
      }
    }
    // Before any count is changed: a code out of range would be a fault of ours or of the engine, and write outside the table.
    if (!sound) {
      duckdb_aggregate_function_set_error(info, "a code is out of range");
      return;
    }
    std::int64_t* counts = nullptr;
    for (idx_t i = 0; i < count; ++i) {
      if (i == 0 || states[begin + i] != states[begin + i - 1]) counts = state_of(states[begin + i]).counts;
      if (counts == nullptr) {
        duckdb_aggregate_function_set_error(info, "no memory for the table");
        return;
      }
      ++counts[cells[i]];
    }
  }
}

void tally_combine(duckdb_function_info info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets, idx_t count) {
  const std::size_t cells = job_of(info).shape.cells();
  for (idx_t i = 0; i < count; ++i) {
    const std::int64_t* const source = state_of(sources[i]).counts;
    std::int64_t* const target = state_of(targets[i]).counts;
    if (source == nullptr || target == nullptr) {
      duckdb_aggregate_function_set_error(info, "no memory for the table");
      return;
    }
    for (std::size_t cell = 0; cell < cells; ++cell) target[cell] += source[cell];
  }
}

void tally_finish(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count, idx_t offset) {
  TallyJob& job = job_of(info);
  for (idx_t i = 0; i < count; ++i) {
    if (state_of(states[i]).counts == nullptr) {
      duckdb_aggregate_function_set_error(info, "no memory for the table");
      return;
    }
    job.into.merge(state_of(states[i]).counts);
    static_cast<std::int64_t*>(duckdb_vector_get_data(result))[offset + i] = ++job.finalized;
  }
}

void tally_free(duckdb_aggregate_state* states, idx_t count) {
  for (idx_t i = 0; i < count; ++i) {
    std::free(state_of(states[i]).counts);
    state_of(states[i]).counts = nullptr;
  }
}

bool register_coder(duckdb_connection connection, std::size_t axis, const Coder& coder) {
  OwnedScalarFunction function(duckdb_create_scalar_function());
  OwnedType text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  OwnedType code(duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  duckdb_scalar_function_set_name(*function, sql::code_function(axis).c_str());
  duckdb_scalar_function_add_parameter(*function, *text);
  duckdb_scalar_function_set_return_type(*function, *code);
  duckdb_scalar_function_set_special_handling(*function);  // NULL comes to us instead of becoming NULL
  duckdb_scalar_function_set_extra_info(*function, const_cast<Coder*>(&coder), nullptr);
  duckdb_scalar_function_set_function(*function, code_values);
  return duckdb_register_scalar_function(connection, *function) == DuckDBSuccess;
}

bool register_tally(duckdb_connection connection, TallyJob& job) {
  OwnedAggregateFunction function(duckdb_create_aggregate_function());
  OwnedType code(duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  OwnedType result(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_aggregate_function_set_name(*function, sql::kTallyFunction);
  for (std::size_t axis = 0; axis < job.shape.axes(); ++axis) duckdb_aggregate_function_add_parameter(*function, *code);
  duckdb_aggregate_function_set_return_type(*function, *result);
  duckdb_aggregate_function_set_special_handling(*function);
  duckdb_aggregate_function_set_extra_info(*function, &job, nullptr);
  duckdb_aggregate_function_set_functions(*function, tally_state_size, tally_start, tally_add, tally_combine, tally_finish);
  duckdb_aggregate_function_set_destructor(*function, tally_free);
  return duckdb_register_aggregate_function(connection, *function) == DuckDBSuccess;
}

// What one call of fold() shares with the functions below.
struct FoldJob {
  const RowPlan& plan;
  std::vector<NumberKind> kinds;  // of the columns, in the order of the function's parameters
  bool grouped;                   // then a code follows them
  MomentSums& into;
  std::atomic<int> finalized = 0;
};
struct FoldPart {
  RowFold fold;
  std::vector<NumberColumn> columns;
};
// One per thread, in memory that DuckDB owns.
struct FoldState {
  FoldPart* part;
};

FoldJob& fold_job_of(duckdb_function_info info) { return *static_cast<FoldJob*>(duckdb_aggregate_function_get_extra_info(info)); }
FoldPart*& part_of(duckdb_aggregate_state state) { return reinterpret_cast<FoldState*>(state)->part; }

idx_t fold_state_size(duckdb_function_info /*info*/) { return sizeof(FoldState); }

void fold_start(duckdb_function_info info, duckdb_aggregate_state state) {
  const FoldJob& job = fold_job_of(info);
  part_of(state) = nullptr;
  try {
    part_of(state) = new FoldPart{RowFold(job.plan), std::vector<NumberColumn>(job.kinds.size())};
  } catch (const std::bad_alloc&) {
    duckdb_aggregate_function_set_error(info, "no memory for the sums");
  }
}

void fold_add(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  const FoldJob& job = fold_job_of(info);
  const idx_t rows = duckdb_data_chunk_get_size(input);
  if (rows == 0) return;
  // Without GROUP BY all rows of a chunk go to one state; were it otherwise, they would have to be told apart.
  const bool one_state = std::all_of(states, states + rows, [&](duckdb_aggregate_state state) { return state == states[0]; });
  FoldPart* const part = part_of(states[0]);
  if (!one_state || part == nullptr) {
    duckdb_aggregate_function_set_error(info, "no state for the rows");
    return;
  }
  for (std::size_t j = 0; j < job.kinds.size(); ++j) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(input, j);
    part->columns[j] = {job.kinds[j], duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
  }
  const std::uint32_t* codes = nullptr;
  if (job.grouped) {
    codes = static_cast<const std::uint32_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, job.kinds.size())));
    // Before anything is added: a code out of range would be a fault of ours or of the engine, and write outside the sums.
    if (!std::all_of(codes, codes + rows, [&](std::uint32_t code) { return code < job.plan.shape.groups; })) {
      duckdb_aggregate_function_set_error(info, "a code is out of range");
      return;
    }
  }
  part->fold.add(part->columns, codes, rows);
}

void fold_combine(duckdb_function_info info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets, idx_t count) {
  for (idx_t i = 0; i < count; ++i) {
    if (part_of(sources[i]) == nullptr || part_of(targets[i]) == nullptr) {
      duckdb_aggregate_function_set_error(info, "no memory for the sums");
      return;
    }
    part_of(targets[i])->fold.merge(part_of(sources[i])->fold);
  }
}

void fold_finish(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count, idx_t offset) {
  FoldJob& job = fold_job_of(info);
  for (idx_t i = 0; i < count; ++i) {
    if (part_of(states[i]) == nullptr) {
      duckdb_aggregate_function_set_error(info, "no memory for the sums");
      return;
    }
    job.into.merge(part_of(states[i])->fold.sums());
    static_cast<std::int64_t*>(duckdb_vector_get_data(result))[offset + i] = ++job.finalized;
  }
}

void fold_free(duckdb_aggregate_state* states, idx_t count) {
  for (idx_t i = 0; i < count; ++i) delete std::exchange(part_of(states[i]), nullptr);
}

// The types are those of the source, so that the engine converts nothing.
bool register_fold(duckdb_connection connection, FoldJob& job, const std::vector<duckdb_logical_type>& types) {
  OwnedAggregateFunction function(duckdb_create_aggregate_function());
  OwnedType code(duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER));
  OwnedType result(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_aggregate_function_set_name(*function, sql::kFoldFunction);
  for (const duckdb_logical_type type : types) duckdb_aggregate_function_add_parameter(*function, type);
  if (job.grouped) duckdb_aggregate_function_add_parameter(*function, *code);
  duckdb_aggregate_function_set_return_type(*function, *result);
  duckdb_aggregate_function_set_special_handling(*function);
  duckdb_aggregate_function_set_extra_info(*function, &job, nullptr);
  duckdb_aggregate_function_set_functions(*function, fold_state_size, fold_start, fold_add, fold_combine, fold_finish);
  duckdb_aggregate_function_set_destructor(*function, fold_free);
  return duckdb_register_aggregate_function(connection, *function) == DuckDBSuccess;
}

// The 64-bit integer in the first row of a result, or -1.
std::int64_t integer_at(duckdb_data_chunk chunk, idx_t column) {
  const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
  if (!is_valid(duckdb_vector_get_validity(vector), 0)) return -1;
  return *static_cast<const std::int64_t*>(duckdb_vector_get_data(vector));
}

Error engine_broken() {
  return Error::of(Code::EngineFailed, "the embedded engine could not be started", "run `make setup`, which fetches and verifies it");
}

}  // namespace

struct Engine::Handles {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }
};

Engine::Engine(std::shared_ptr<Handles> handles, std::string shown) : handles_(std::move(handles)), shown_(std::move(shown)) {}

Result<Engine> Engine::open(const std::vector<std::string>& paths, const std::string& shown, unsigned threads,
                            std::optional<unsigned> memory) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  OwnedConfig config;
  if (duckdb_create_config(config.get()) != DuckDBSuccess) return engine_broken();
  const std::pair<const char*, std::string> settings[] = {
      {"threads", fmt::format("{}", threads)},
      {"memory_limit", fmt::format("{}MiB", memory.value_or(usual_memory(threads)))},
      {"temp_directory", ""},  // rows are never written to another disk
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_unsigned_extensions", "false"},
      {"allow_persistent_secrets", "false"},
      {"enable_external_file_cache", "false"},  // else memory grows with the file
  };
  for (const auto& [name, value] : settings) {
    if (duckdb_set_config(*config, name, value.c_str()) != DuckDBSuccess) return engine_broken();
  }
  auto handles = std::make_shared<Handles>();
  char* message = nullptr;
  const duckdb_state opened = duckdb_open_ext(nullptr, &handles->database, *config, &message);
  duckdb_free(message);
  if (opened != DuckDBSuccess || duckdb_connect(handles->database, &handles->connection) != DuckDBSuccess) return engine_broken();
  Engine engine(std::move(handles), shown);
  for (const std::string& statement : sql::confinement(paths)) {
    if (!engine.run(statement).ok()) return engine_broken();
  }
  return engine;
}

Status Engine::run(const std::string& statement) {
  OwnedResult result;
  if (duckdb_query(handles_->connection, statement.c_str(), result.get()) == DuckDBSuccess) return {};
  return scan_failed(shown_);
}

Result<std::vector<std::vector<std::string>>> Engine::rows(const std::string& query) {
  OwnedResult result;
  if (duckdb_query(handles_->connection, query.c_str(), result.get()) != DuckDBSuccess) return scan_failed(shown_);
  std::vector<std::vector<std::string>> out;
  const idx_t width = duckdb_column_count(result.get());
  for (;;) {
    OwnedChunk chunk(duckdb_fetch_chunk(*result));
    if (*chunk == nullptr) return out;
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(*chunk); ++row) {
      std::vector<std::string>& texts = out.emplace_back();
      for (idx_t column = 0; column < width; ++column) {
        const duckdb_vector vector = duckdb_data_chunk_get_vector(*chunk, column);
        auto& text = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector))[row];
        texts.emplace_back(duckdb_string_t_data(&text), duckdb_string_t_length(text));
      }
    }
  }
}

Result<std::vector<EngineColumn>> Engine::columns(const std::string& source) {
  OwnedStatement statement;
  if (duckdb_prepare(handles_->connection, sql::columns_of(source).c_str(), statement.get()) != DuckDBSuccess) {
    return scan_failed(shown_);
  }
  std::vector<EngineColumn> out;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(*statement); ++i) {
    const char* name = duckdb_prepared_statement_column_name(*statement, i);
    const auto [type, type_name] = known_type(duckdb_prepared_statement_column_type(*statement, i));
    OwnedType logical(duckdb_prepared_statement_column_logical_type(*statement, i));
    out.push_back({name == nullptr ? std::string() : std::string(name), type, type_name, number_kind(*logical)});
    duckdb_free(const_cast<char*>(name));
  }
  return out;
}

Result<std::int64_t> Engine::tally(const std::string& source, std::size_t width, const std::vector<sql::CodedColumn>& coded,
                                   const std::vector<Coder>& coders, const TableShape& shape, Tally& into, const Progress& progress) {
  TallyJob job{shape, into};
  bool registered = register_tally(handles_->connection, job);
  for (std::size_t axis = 0; axis < coders.size(); ++axis)
    registered = registered && register_coder(handles_->connection, axis, coders[axis]);
  if (!registered) return engine_broken();

  return aggregate(sql::tally(source, width, coded), job.finalized, progress);
}

Result<std::int64_t> Engine::fold(const std::string& source, std::size_t width, const std::vector<std::size_t>& numbers,
                                  const std::optional<Grouping>& grouping, const RowPlan& plan, MomentSums& into,
                                  const Progress& progress) {
  FoldJob job{plan, {}, grouping.has_value(), into};
  OwnedStatement statement;
  if (duckdb_prepare(handles_->connection, sql::columns_of(source).c_str(), statement.get()) != DuckDBSuccess) return scan_failed(shown_);
  std::deque<OwnedType> owned;
  std::vector<duckdb_logical_type> types;
  for (const std::size_t position : numbers) {
    types.push_back(*owned.emplace_back(duckdb_prepared_statement_column_logical_type(*statement, position)));
    const std::optional<NumberKind> kind = number_kind(types.back());
    if (!kind) return Error::of(Code::Internal, "a column without numbers cannot be folded", "please report this");
    job.kinds.push_back(*kind);
  }
  bool registered = register_fold(handles_->connection, job, types);
  if (grouping) registered = registered && register_coder(handles_->connection, 0, grouping->coder);
  if (!registered) return engine_broken();
  return aggregate(sql::fold(source, width, numbers, grouping ? &grouping->column : nullptr), job.finalized, progress);
}

Result<std::int64_t> Engine::aggregate(const std::string& query, const std::atomic<int>& finalized, const Progress& progress) {
  OwnedResult result;
  const auto scan = [&] { return duckdb_query(handles_->connection, query.c_str(), result.get()); };
  duckdb_state state = DuckDBError;
  if (progress.tell) {
    // The scan runs aside and progress is told from the caller's own thread. The future's destructor waits for the scan.
    std::future<duckdb_state> running = std::async(std::launch::async, scan);
    double fraction = 0;  // never told backwards, whatever the engine thinks
    for (auto wait = progress.after; running.wait_for(wait) != std::future_status::ready; wait = progress.every) {
      const double percentage = duckdb_query_progress(handles_->connection).percentage;  // -1 before it is known
      fraction = std::clamp(percentage / 100, fraction, 1.0);
      progress.tell(fraction);
    }
    state = running.get();
  } else {
    state = scan();
  }
  if (state != DuckDBSuccess) return scan_failed(shown_);

  OwnedChunk chunk(duckdb_fetch_chunk(*result));
  if (*chunk == nullptr || duckdb_data_chunk_get_size(*chunk) != 1 || integer_at(*chunk, 0) != 1 || finalized != 1) {
    return scan_failed(shown_);  // the engine did not finish the table exactly once
  }
  return integer_at(*chunk, 1);
}

}  // namespace tacet::data
