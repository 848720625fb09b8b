#pragma once
// How the flexible parts of a run deformed: surface, shapes and elastic coordinates, from /scene, /assets and
// /motion of a result file (docs/results-file.md), and where they deformed most.

#include <optional>
#include <string>
#include <vector>

#include "io/body/body_shapes.h"

namespace monocoque {

struct BodyMotion {
  std::string part;
  io::BodyShapes shapes;  ///< without numbers of nodes
  VecX time;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> q;  ///< one row for each instant
};

struct RunMotion {
  std::string vehicle;             ///< the part that cameras follow; empty: the file does not say
  std::vector<BodyMotion> bodies;  ///< flexible parts with a surface
};

/// Nothing in a file without scene. Throws Error where it is damaged.
RunMotion read_run_motion(const std::string& path);

/// The greatest value over all nodes and instants.
struct BodyPeak {
  double value = 0, at_s = 0;
  Eigen::Index row = 0, node = 0;
};
struct BodyPeaks {
  BodyPeak displacement;              ///< m, against the undeformed body, in its frame
  std::optional<BodyPeak> von_mises;  ///< Pa
  bool thinned = false;               ///< not all instants were searched
};

/// Of long runs some thousand instants are searched: of each stretch of time the one with the greatest
/// mean square over the nodes.
BodyPeaks body_peaks(const BodyMotion& body);

}  // namespace monocoque
