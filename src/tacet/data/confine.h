// tacet/data/confine.h: shuts this process in with what it has open. Private to the data room; audit it whole.
//
//   if (!confine()) return refuse();       // from here on for good, for this thread and all that it starts
//
// What the operating system still does for the process (libseccomp, a list of what is allowed and nothing else): read, map and close what
// is open already; memory, threads, clocks, random bits, locks; ending. What it no longer does: opening, making, renaming, removing or
// writing any file; sockets; starting or tracing a process; signals to others; memory that can be run as code; anything that is not
// on the list. Such a call fails with "not permitted", and the process goes on.
// Limits: no core dump, no file is written, a bounded memory, no debugger.
// Domain   Linux with seccomp filters; call it while there is one thread.
// Checked  tests/data/confine_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::data {

/// False if the operating system refuses any part: then nothing hostile may be read.
bool confine();

}  // namespace tacet::data
