#include "tacet/studies/papers/lee_tables.h"

#include <cmath>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/privacy/parameters.h"

namespace tacet::studies {

using inference::Shrinkage;
using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

Result<std::vector<TableMechanism>> table_mechanisms(std::string_view mu, Projection project) {
  TACET_TRY(const privacy::Mu target, privacy::Mu::parse(mu));
  TACET_TRY(const accounting::LaplaceScale laplace_scale, accounting::laplace_scale_table(target, Decimal(2)));
  const double scale = std::sqrt(2.0) / target.value().approximate();
  const NoiseDistribution gaussian{NoiseFamily::Gaussian, scale, NoiseStructure::Independent};
  const NoiseDistribution sum_zero{NoiseFamily::Gaussian, scale, NoiseStructure::SumZero};
  const NoiseDistribution laplace{NoiseFamily::Laplace, laplace_scale.value(), NoiseStructure::Independent};
  return std::vector<TableMechanism>{{"M_G", gaussian, {Shrinkage::None, project}},
                                     {"M_r", sum_zero, {Shrinkage::None, project}},
                                     {"M_JS0", gaussian, {Shrinkage::TowardsZero, project}},
                                     {"M_JS", gaussian, {Shrinkage::TowardsMean, project}},
                                     {"M_rJS", sum_zero, {Shrinkage::RankDeficient, project}},
                                     {"M_Lap", laplace, {Shrinkage::None, project}}};
}

}  // namespace tacet::studies
