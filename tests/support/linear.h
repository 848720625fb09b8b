#pragma once
// A model linearised at its consistent initial state, with its modes.

#include <complex>
#include <vector>

#include "analysis/linear/linearise.h"
#include "integrate/consistent.h"
#include "support/run.h"

namespace monocoque::test {

struct Linear {
  explicit Linear(Loaded loaded_model) : loaded(std::move(loaded_model)), ws(*loaded.model) {
    s = initial_state(*loaded.model);
    make_consistent(ws, s, LinearSolverKind::automatic);
    l = analysis::linearise(ws, s);
    modes = analysis::modes_of(*loaded.model, l);
  }
  Loaded loaded;
  Workspace ws;
  State s;
  analysis::Linearisation l;
  std::vector<analysis::ModelMode> modes;
  double omega(std::size_t i) const { return std::abs(modes.at(i).value.s); }
  /// Distance of the nearest eigenvalue (Im >= 0).
  double distance(std::complex<double> wanted) const {
    double least = INFINITY;
    for (const analysis::ModelMode& m : modes) least = std::min(least, std::abs(m.value.s - wanted));
    return least;
  }
};

}  // namespace monocoque::test
