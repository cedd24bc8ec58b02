// tacet/studies/study_list.h: the list of studies, in the order of the papers; at last those of our
// own levels and coverage.
//
//   const Study third = rogers_table_3::make();
//
// A new study has one file, studies/papers/<study>.cc or studies/levels/<study>.cc, which defines
// `Study make()` in a namespace of its own, <study>, and a line here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/studies/study.h"

// clang-format off
#define TACET_ALL_STUDIES(STUDY) \
  STUDY(rogers_adaptive_attack) \
  STUDY(rogers_figures_3_4) \
  STUDY(rogers_figure_5) \
  STUDY(rogers_figures_6_7) \
  STUDY(rogers_table_3) \
  STUDY(rogers_figures_8_10) \
  STUDY(rogers_figures_11_12) \
  STUDY(rogers_figures_13_14) \
  STUDY(rogers_figures_15_16) \
  STUDY(rogers_figures_17_18) \
  STUDY(rogers_figures_19_20) \
  STUDY(rogers_figures_21_22) \
  STUDY(rogers_figure_23) \
  STUDY(rogers_figures_24_25) \
  STUDY(rogers_flip_or_exp) \
  STUDY(lee_figures_2_3) \
  STUDY(lee_figures_4_6) \
  STUDY(lee_figures_7_8) \
  STUDY(lee_figures_9_10) \
  STUDY(lee_figures_11_12) \
  STUDY(hotelling_table_1) \
  STUDY(hotelling_figure_1) \
  STUDY(hotelling_example_b) \
  STUDY(adjusted_figure_1) \
  STUDY(adjusted_volumes) \
  STUDY(aggregation_errors) \
  STUDY(levels_of_fit) \
  STUDY(levels_of_tables) \
  STUDY(levels_of_equal_means) \
  STUDY(coverage_of_proportions) \
  STUDY(coverage_of_quantiles) \
  STUDY(coverage_of_regions) \
  STUDY(coverage_of_differences)
// clang-format on

namespace tacet::studies {

#define TACET_DECLARED_STUDY(study) \
  namespace study {                 \
  Study make();                     \
  }
TACET_ALL_STUDIES(TACET_DECLARED_STUDY)
#undef TACET_DECLARED_STUDY

}  // namespace tacet::studies
