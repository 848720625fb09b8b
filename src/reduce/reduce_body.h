#pragma once
// From a finite-element model to a flexible body: basis, frame, damping, SID, in one call.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/body/sid.h"
#include "reduce/basis.h"

namespace monocoque::reduce {

struct BoundaryNode {
  long id = 0;
  std::uint8_t components = 7;  ///< bit k: component k of (u, theta)
};

enum class StaticModes { none, constraint, attachment };
enum class DynamicModes {
  none,
  held,   ///< with the boundary components held: with constraint modes this is Craig-Bampton's basis
  free,   ///< of the free body
  krylov  ///< moments of the response to forces at boundary and interface nodes
};

struct ReduceOptions {
  std::string name = "body";
  std::vector<BoundaryNode> boundary;
  std::vector<long> interface_nodes;  ///< retained, but without static modes of their own
  StaticModes statics = StaticModes::constraint;
  DynamicModes dynamics = DynamicModes::held;
  int modes = 20;                 ///< dynamic modes computed
  double frequency_limit_Hz = 0;  ///< > 0: those up to it, at most `modes`
  int krylov_order = 2;
  /// Which elastic coordinates stay, counted from 1; empty: all.
  std::vector<int> numbers;
  /// > 0: drops coordinates that the responses at boundary and interface nodes do not need up to `band_Hz`.
  double error_bound = 0, band_Hz = 0;
  /// > 0: the finished coordinates are reduced once more by moment matching about these frequencies.
  int further_krylov_order = 0;
  std::vector<double> further_shifts_Hz = {0};
  FrameChoice frame;
  Damping damping;
  Vec3 origin_m = Vec3::Zero();
  bool second_order = true;
  double memory_limit_bytes = 0;
  Log log;
};

struct ReducedBody {
  io::Sid sid;
  OrthonormalBasis basis;                      ///< Buckens frame
  MatX Phi;                                    ///< in the chosen frame
  std::vector<int> boundary, interface_nodes;  ///< node indices
  std::vector<NodeComponent> boundary_components;
  int static_count = 0, dynamic_count = 0;
  double cholesky_s = 0, modes_s = 0, sid_s = 0, total_s = 0;
  CholeskyCost cost;
  std::vector<std::string> notes;
};

ReducedBody reduce_body(const FeSystem& fe, const NodeMap& map, const ReduceOptions& options);

}  // namespace monocoque::reduce
