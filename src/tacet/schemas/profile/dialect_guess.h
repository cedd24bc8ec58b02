// tacet/schemas/profile/dialect_guess.h: how a CSV file seems to be written. For tacet-look.
//
//   DialectProfile guess = guess_dialect(file, schema.csv);
//   guess.delimiter;                  // ';' if that fits better than what is declared
//
// Reads the first kGuessedRecords records with each delimiter and quote, by the reader of releases
// (data/csv_reader.h). A dialect fits if most records have as many fields as the first one, and
// more than one. What fits as well as the declared dialect is not proposed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

inline constexpr int kGuessedRecords = 1000;

DialectProfile guess_dialect(const data::DataFile& file, const data::CsvDialect& declared);

}  // namespace tacet::schemas
