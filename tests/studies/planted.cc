// A fault is planted in an inference function: every upper quantile of a sum of chi-squares is 5 %
// too small. It stands in place of the true one for all who link it (the linker's --wrap). Exits
// with 0 if in each study that is named some verdict notices.
#include <cstdio>

#include "tacet/numeric/weighted_chi2.h"
#include "tacet/studies/run_study.h"

using tacet::numeric::WeightedChi2;

// Under the linker's names, which are reserved.
double true_quantile(const WeightedChi2* q, double p) asm("__real__ZNK5tacet7numeric12WeightedChi214upper_quantileEd");
double planted_quantile(const WeightedChi2* q, double p) asm("__wrap__ZNK5tacet7numeric12WeightedChi214upper_quantileEd");

double planted_quantile(const WeightedChi2* q, double p) { return 0.95 * true_quantile(q, p); }

int main(int argc, char** argv) {
  bool all_notice = argc > 1;
  for (int i = 1; i < argc; ++i) {
    const auto study = tacet::studies::find_study(argv[i]);
    if (!study) return 2;
    const auto run = run_study(**study, {.effort = {.quick = true}});
    if (!run) return 2;
    for (const auto& verdict : run->findings.verdicts) {
      if (!verdict.expected) (void)std::puts(("noticed: " + verdict.claim).c_str());
    }
    all_notice = all_notice && !as_expected(run->findings.verdicts);
  }
  return all_notice ? 0 : 1;
}
