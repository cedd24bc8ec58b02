// tacet/schemas/profile/look_child.h: the program tacet-look, which reads rows for the custodian.
//
//   return answer_look();     // the whole program
//
// It is confined as tacet-scan is (data/scan.h) before it opens the file, but it answers with texts
// of the data, or with the names in the file. So it is a program of its own, which no release
// needs: only a release that was refused may ask it for names, to say what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::schemas {

/// The exit code of the program: 0 if it has answered, even with a fault.
int answer_look();

}  // namespace tacet::schemas
