// tacet-scan: reads one data file for its parent and answers with integers (data/scan.h).
// SPDX-License-Identifier: Apache-2.0
#include "tacet/data/scan.h"

int main() { return tacet::data::answer_scan(); }
