// tacet/service/volume_words.h: a volume from its logarithm, as JSON and as people read it.
//
//   volume_of(-1000)        // nothing: no double holds it
//   volume_words(-1000)     // "e^-1000"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tacet::service {

/// Nothing where no double holds it.
std::optional<double> volume_of(double log_volume);
/// "2.51", or "e^-1000" where no double holds it.
std::string volume_words(double log_volume);

}  // namespace tacet::service
