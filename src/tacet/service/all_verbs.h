// tacet/service/all_verbs.h: one line per verb; each is defined in the file of its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/service/verb.h"

namespace tacet::service {

Verb init_verb();
Verb budget_create_verb();
Verb budget_show_verb();
Verb budget_history_verb();
Verb budget_verify_verb();
Verb dataset_show_verb();
Verb dataset_check_verb();
Verb dataset_amend_verb();
Verb dataset_adopt_verb();
Verb release_counts_verb();
Verb release_sum_verb();
Verb release_mean_verb();
Verb release_second_moment_verb();
Verb release_covariance_verb();
Verb release_query_verb();
Verb import_table_verb();
Verb import_local_verb();
Verb infer_estimate_verb();
Verb infer_gof_verb();
Verb infer_independence_verb();
Verb infer_homogeneity_verb();
Verb infer_gwas_verb();
Verb infer_region_verb();
Verb infer_mean_test_verb();
Verb infer_two_sample_verb();
Verb infer_k_sample_verb();
Verb randomize_exp_verb();
Verb randomize_flip_verb();
Verb randomize_gaussian_verb();
Verb randomize_laplace_verb();
Verb calibrate_gaussian_verb();
Verb calibrate_laplace_verb();
Verb convert_verb();
Verb tradeoff_gaussian_verb();
Verb tradeoff_laplace_verb();
Verb tradeoff_curves_verb();
Verb compose_verb();

Verb plan_costs_verb();
Verb plan_clip_verb();
Verb plan_adjusted_verb();
Verb plan_mean_test_verb();
Verb plan_region_verb();
Verb plan_gof_verb();
Verb plan_independence_verb();
Verb plan_two_sample_verb();
Verb plan_k_sample_verb();
Verb critical_weighted_chi2_verb();
Verb critical_gof_verb();
Verb critical_gwas_verb();

}  // namespace tacet::service
