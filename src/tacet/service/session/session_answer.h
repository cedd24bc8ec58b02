// tacet/service/session/session_answer.h: sessions, in words, in JSON and as a page.
//
//   const SessionTranscript all = *show_session("looking");
//   std::string page = session_page(all);                  // one HTML file, without scripts
//   Json json = transcript_table().write(all);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/session/session.h"

namespace tacet::service {

AnswerTable<SessionTranscript> transcript_table();
std::string transcript_words(const SessionTranscript& all);
/// Names and texts are shown as text and cannot become markup.
std::string session_page(const SessionTranscript& all);

/// Guesses that were compared with the data: a line for each, and its fields in JSON.
std::string guess_words(const SessionChecks& checks);
AnswerTable<CheckedGuess> guess_answer_table();
AnswerTable<SessionChecks> checks_table();

/// Tests of a session, likewise.
std::string test_words(const SessionTest& test);
AnswerTable<SessionTest> session_test_table();

/// "2 questions left."
std::string left_words(std::uint64_t left);
/// "Question 3 of 100": what the answers after it say of the place of a question.
std::string place_words(const SessionTerms& terms, const SessionQuestion& question);

}  // namespace tacet::service
