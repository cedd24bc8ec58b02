// tacet-look: shows one data file to its custodian (schemas/profile/look_child.h). It is confined
// as tacet-scan is, whose functions in place of open() it has, but answers with texts of the data.
// So no release needs it.
// SPDX-License-Identifier: Apache-2.0
#include "tacet/schemas/profile/look_child.h"

int main() { return tacet::schemas::answer_look(); }
