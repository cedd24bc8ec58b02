// tacet/service/all_verbs.h: the list of verbs, in the order of a first walk through the program.
//
//   const Verb gof = infer_gof_verb::make();
//
// A new verb has one file, service/verbs/<verb>.cc, which defines `Verb make()` in a namespace of
// its own, <verb>_verb, and a line here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/service/verb.h"

// clang-format off
#define TACET_ALL_VERBS(VERB) \
  VERB(init) \
  VERB(budget_create) \
  VERB(budget_show) \
  VERB(budget_history) \
  VERB(dataset_show) \
  VERB(dataset_check) \
  VERB(dataset_amend) \
  VERB(dataset_adopt) \
  VERB(release_counts) \
  VERB(release_histogram) \
  VERB(release_sum) \
  VERB(release_mean) \
  VERB(release_second_moment) \
  VERB(release_covariance) \
  VERB(release_query) \
  VERB(session_open) \
  VERB(session_ask) \
  VERB(session_check) \
  VERB(session_test) \
  VERB(session_show) \
  VERB(session_close) \
  VERB(budget_verify) \
  VERB(import_table) \
  VERB(import_mean) \
  VERB(import_local) \
  VERB(infer_estimate) \
  VERB(infer_proportion) \
  VERB(infer_ratio) \
  VERB(infer_margin) \
  VERB(infer_quantile) \
  VERB(infer_distribution) \
  VERB(infer_gof) \
  VERB(infer_model) \
  VERB(infer_independence) \
  VERB(infer_residuals) \
  VERB(infer_trend) \
  VERB(infer_stratified) \
  VERB(infer_homogeneity) \
  VERB(infer_gwas) \
  VERB(infer_region) \
  VERB(infer_mean_test) \
  VERB(infer_t_test) \
  VERB(infer_two_sample) \
  VERB(infer_k_sample) \
  VERB(plan_budget) \
  VERB(plan_costs) \
  VERB(plan_clip) \
  VERB(plan_adjusted) \
  VERB(plan_mean_test) \
  VERB(plan_region) \
  VERB(plan_gof) \
  VERB(plan_independence) \
  VERB(plan_homogeneity) \
  VERB(plan_gwas) \
  VERB(plan_two_sample) \
  VERB(plan_k_sample) \
  VERB(plan_adaptive) \
  VERB(plan_pvalue) \
  VERB(critical_weighted_chi2) \
  VERB(critical_gof) \
  VERB(critical_gwas) \
  VERB(tail_weighted_chi2) \
  VERB(randomize_exp) \
  VERB(randomize_flip) \
  VERB(randomize_gaussian) \
  VERB(randomize_laplace) \
  VERB(calibrate_gaussian) \
  VERB(calibrate_laplace) \
  VERB(loss_laplace) \
  VERB(convert) \
  VERB(tradeoff_gaussian) \
  VERB(tradeoff_laplace) \
  VERB(tradeoff_curves) \
  VERB(compose) \
  VERB(study_list) \
  VERB(study_run)
// clang-format on

namespace tacet::service {

#define TACET_DECLARED(verb) \
  namespace verb##_verb {    \
    Verb make();             \
  }
TACET_ALL_VERBS(TACET_DECLARED)
#undef TACET_DECLARED

}  // namespace tacet::service
