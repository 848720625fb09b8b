#pragma once
// Stiffness and mass matrix as another program assembled them, with the meaning of each row: no elements
// needed. Symmetric; entries with row >= column only, each place once. SI.
//   Matrices: Matrix Market coordinate form (real or integer, general or symmetric), or CalculiX's plain
//   lines
//             "row column value" (.sti, .mas of *FREQUENCY, SOLVER=MATRIXSTORAGE). Rows count from 1.
//   Rows:     CalculiX's .dof, one "node.component" per line, or lines "row, node, component". Components 1
//   to 6. Places:   lines "node, x, y, z", or any mesh file that read_fe_mesh knows.
// Lines that begin with a letter, % or # are headings and comments.

#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque::io {

struct MatrixEntry {
  int row = 0, column = 0;
  double value = 0;
};

struct AssembledMatrices {
  struct Row {
    int node = -1;      ///< into nodes
    int component = 0;  ///< 0..5
  };
  std::vector<FeNode> nodes;  ///< those with rows, in order of their ids
  std::vector<Row> rows;
  std::vector<MatrixEntry> K, M;
  int size() const { return static_cast<int>(rows.size()); }
};

struct AssembledFiles {
  std::string stiffness, mass, rows, nodes;
};

/// Throws Error with every mistake.
AssembledMatrices read_assembled(const AssembledFiles& files, const FeUnits& units);

/// The same from memory; the nodes as lines. Names are for messages.
AssembledMatrices read_assembled_text(const AssembledFiles& texts, const AssembledFiles& names,
                                      const FeUnits& units);

}  // namespace monocoque::io
