// tacet/service/volume_words.h: a volume from its logarithm, as JSON and in words.
//
//   volume_of(-1000);       // nothing: outside the range of a double
//   volume_words(-1000);    // "e^-1000"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tacet::service {

/// Nothing outside the range of a double.
std::optional<double> volume_of(double log_volume);
/// "2.51", or "e^-1000" outside the range of a double.
std::string volume_words(double log_volume);

}  // namespace tacet::service
