// tacet/data/scan_failed.h: the one sentence for every failure to read the rows of a file. Private to the data room.
//
// Whether a file can be read may depend on what a person wrote into it, so the reason is not told: not by words, not by a code, not by
// different sentences for the reader of CSV files and the embedded engine. Errors about names that the schema declares are others'.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/error.h"

namespace tacet::data {

/// `shown` is the file's name in quotes.
Error scan_failed(const std::string& shown);

}  // namespace tacet::data
