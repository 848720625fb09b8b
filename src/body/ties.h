#pragma once
// What holds the parts of a grid together: rigid spiders of beams and interfaces, the adhesive of the glass,
// spot welds. In this order: a node that a spider holds is not welded, as its whole place follows the spider.

#include <vector>

#include "body/grid.h"

namespace monocoque::body {

struct Rigid {
  int independent = 0;
  std::vector<int> dependent;
  bool weld = false;
};

/// Equal stiffness in x, y and z between glass and body: the bead is softer than either, its direction is
/// not followed.
struct Bead {
  int glass = 0, body = 0;
  double stiffness_N_per_m = 0;
};

struct Ties {
  std::vector<Rigid> rigid;
  std::vector<Bead> beads;
  std::vector<int> interface_nodes;  ///< in the order of interfaces(); nodes that tie() added to the grid
};

/// Welds stand at the ends of each edge and at the nodes nearest to every `pitch_m` between them.
Ties tie(Grid& grid, double size_m, double pitch_m, double bond_scale);

}  // namespace monocoque::body
