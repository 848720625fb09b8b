#pragma once
// Who takes part in a mode: shares of the kinetic energy by part, of the elastic energy by flexible part and
// by force element. Energies are means over a period of the motion exp(s t) without its decay; of motions
// that do not change with time (s = 0) those of the shape itself.

#include "analysis/linear/linearise.h"

namespace monocoque::analysis {

struct Share {
  std::string name;
  double share = 0;  ///< of the sum
};

struct Participation {
  std::vector<Share> kinetic, elastic;  ///< falling; those below a thousandth are left out
};

/// Of the modes of a linearisation at this state.
std::vector<Participation> participation(Workspace& ws, const State& s, const Linearisation& l,
                                         const std::vector<ModelMode>& modes);

/// What a mode does: "stands" (zero), "oscillates", "decays", "grows", "oscillates and grows".
std::string kind_of_mode(const Eigenvalue& value);

}  // namespace monocoque::analysis
