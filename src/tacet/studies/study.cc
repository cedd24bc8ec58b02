#include "tacet/studies/study.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tacet/schemas/words.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies {

void Measured::set(std::string cell, std::size_t trials, Sums sums) { all_[std::move(cell)] = {trials, std::move(sums)}; }

const Sums& Measured::sums(const std::string& cell) const {
  const auto found = all_.find(cell);
  if (found == all_.end()) std::abort();
  return found->second.sums;
}

double Measured::sum(const std::string& cell, std::size_t i) const {
  const Sums& all = sums(cell);
  if (i >= all.size()) std::abort();
  return all[i];
}

double Measured::trials(const std::string& cell) const {
  const auto found = all_.find(cell);
  if (found == all_.end()) std::abort();
  return static_cast<double>(found->second.trials);
}

Rate Measured::rate(const std::string& cell, std::size_t i) const { return {sum(cell, i) / trials(cell), trials(cell)}; }

const std::vector<Study>& all_studies() {
#define TACET_MADE_STUDY(study) study::make(),
  static const std::vector<Study> kAll = {TACET_ALL_STUDIES(TACET_MADE_STUDY)};
#undef TACET_MADE_STUDY
  return kAll;
}

Result<const Study*> find_study(std::string_view name) {
  const std::vector<Study>& all = all_studies();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Study& study) { return study.name == name; });
  if (found != all.end()) return &*found;
  std::vector<std::string> names;
  for (const Study& study : all) names.push_back(study.name);
  const std::string written(name.substr(0, 60)), nearest = schemas::did_you_mean(written, names);
  return Error::invalid("study", written, "must be the name of a study, or all", nearest.empty() ? "`study list` names them" : nearest);
}

}  // namespace tacet::studies
