#pragma once
// Histories of the loads on the nodes of a flexible part (channels PART/node_ID/force and torque, in the axes
// of the part's mesh) for programs of finite elements and fatigue:
//   csv      a table: time, force and torque of each node, stresses
//   nastran  per component a table (TABLED1), a unit load (FORCE, MOMENT) and their product in time (TLOAD1),
//            all summed by one DLOAD
//   abaqus   per component *AMPLITUDE and *CLOAD; for CalculiX too. Belongs inside of a step.
// The part is free: its inertia balances the loads, so the receiving model needs inertia relief or a
// transient analysis without supports.

#include <iosfwd>
#include <string>
#include <vector>

#include "io/mesh/fe_mesh.h"
#include "results/recorder.h"

namespace monocoque {

struct NodeHistory {
  long id = 0;
  Eigen::Index columns[6] = {-1, -1, -1, -1, -1, -1};  ///< of the run: force x y z, torque x y z
};
struct StressHistory {
  std::string marker;     ///< frame of the part
  std::string component;  ///< xx ... von_mises
  Eigen::Index column = -1;
};

struct PartLoads {
  std::string part;
  std::vector<NodeHistory> nodes;
  std::vector<StressHistory> stresses;
  std::vector<Eigen::Index> rows;  ///< of the run, in rising time: of equal times the last
};

struct LoadExportOptions {
  std::vector<long> nodes;  ///< empty: all that carry loads
  double from_s = -1e300, to_s = 1e300;
  bool from_zero = false;  ///< times count from the first row
  io::FeUnits units;       ///< of the receiving model
  long first_id = 1000;    ///< of DLOAD; the sets and tables follow
};

/// Throws Error for a part without such channels, naming those that have some, or a node without loads.
PartLoads part_loads(const RunData& run, const std::string& part, const LoadExportOptions& options);

/// Components that are zero all the time are left out of the decks, not of the table.
void write_loads_csv(const RunData& run, const PartLoads& loads, const LoadExportOptions& options,
                     std::ostream& out);
void write_loads_nastran(const RunData& run, const PartLoads& loads, const LoadExportOptions& options,
                         std::ostream& out);
void write_loads_abaqus(const RunData& run, const PartLoads& loads, const LoadExportOptions& options,
                        std::ostream& out);

/// A real number in at most `width` characters, always with a point, as exact as they allow.
std::string number_of_width(double value, int width);

}  // namespace monocoque
