// error: 'tacet::kernel::Released<T>::Released\(T\) .*is private within this context
// What was not released is not a release: the type says that noise was added and paid for.
#include <utility>

#include "tacet/kernel/release.h"

using namespace tacet::kernel;

Released<NoisyVector> again(const Released<NoisyVector>& published) {
#ifdef MISUSE
  NoisyVector without_noise = published.value();
  return Released<NoisyVector>(std::move(without_noise));
#else
  return published;
#endif
}
