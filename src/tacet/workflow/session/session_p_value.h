// tacet/workflow/session/session_p_value.h: p-values of tests that were chosen by the answers of a
// session.
//
//   SessionTest arms = *add_test("looking", {.release = "arms.json", .p_value = 1e-5,
//                                            .test = "independence"});
//   arms.corrected;                       // valid although the test was selected
//
// The test is one of a release from the same rows, and was chosen by what had been told about them
// before that release: by the answers of the session, or by other releases. What came after the
// release does not matter, if nobody changed the test for it. The test joins the transcript.
// Theorem  accounting/max_information.h, for independent rows, with amounts that were fixed before:
//          the epsilon of all questions, if there had been checks alone, and the mu of the
//          session, if nothing else had been released from the rows, for 0.45 of alpha each;
//          otherwise that of the whole budget (docs/explanation/adaptive_analysis.md).
// Domain   releases with a public number of rows and a receipt of the session's dataset.
// Checked  tests/questions/session_p_value_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

/// A test of a release, and the p-value that it gave.
struct TestRequest {
  std::string release;  // the file whose test it is
  double p_value = 1;
  std::string test = {};  // its name, for the transcript
};

/// A test of a session, with both p-values.
struct SessionTest {
  std::uint64_t number;  // from 1
  std::string release, test;
  std::uint64_t entry;        // of the release
  std::uint64_t told;         // charges before it
  bool alone;                 // all of them are questions of the session
  std::optional<double> rho;  // that bounds them; nothing: nothing had been told
  double n, p_value, corrected;
};

/// Unsupported if the release is of other rows. InvalidArgument for a p-value outside of 0 to 1.
Result<SessionTest> add_test(const std::string& folder, const TestRequest& request);
/// All tests of a session, in their order.
std::vector<SessionTest> tests_of(const SessionTerms& terms);

}  // namespace tacet
