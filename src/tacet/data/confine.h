// tacet/data/confine.h: confines this process to its open files. Private to data; audit all of it.
//
//   if (!confine()) return 1;              // permanent, for this thread and all that it starts
// A list of system calls (libseccomp) stays allowed: read, map and close open files; memory,
// threads, clocks, random bits, locks; exit. All others fail with "not permitted", and the process
// goes on: opening, creating, renaming, removing or writing files; sockets; starting or tracing
// processes; signals to others; executable memory. No core dump, no debugger, bounded memory.
// Domain   Linux with seccomp filters; call it while there is one thread.
// Checked  tests/data/confine_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::data {

/// False if the operating system refuses any part: then nothing hostile may be read.
bool confine();

}  // namespace tacet::data
