// Inputs for the examples of all headers; see tests/docs/header_examples.py.
#pragma once

#include "tacet/privacy/parameters.h"

namespace tacet::inputs {

/// The answer of the function around an example, which may return anything.
struct Anything {
  template <class T>
  Anything(T&& value);
};

/// What the reader does with a value.
template <class... T>
void show(const T&... values);

}  // namespace tacet::inputs
