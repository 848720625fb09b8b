#pragma once
// The surface of a flexible body and how every node of it moves with the elastic coordinates: what pictures
// and viewers need beyond the body itself, which knows its interface nodes only. HDF5:
//   attributes  format "monocoque body shapes", version 1
//   /points     nodes x 3, m, axes and origin of the body's frame;  /node_ids
//   /faces      faces x 4 node indices from 0, the last of a triangle -1;  /lines  lines x 2
//   /modes      nodes x 3 x nq, single precision: displacement per unit of each elastic coordinate
//   /stress     nodes x 6 x nq, single precision, Pa per unit: xx yy zz xy yz zx in body axes; 0 at nodes
//   without
//               shell or solid; absent in bodies that have neither. Of shells the side that the reduction
//               chose
//               (--stress-surface): one side for the whole body, since the larger of two sides is not linear
//               in q.

#include <array>
#include <string>
#include <vector>

#include "core/types.h"

namespace monocoque::io {

struct BodyShapes {
  std::vector<long> node_ids;
  Eigen::Matrix<double, 3, Eigen::Dynamic> points;
  std::vector<std::array<int, 4>> faces;  ///< as of MeshSurface
  std::vector<std::array<int, 2>> lines;
  /// Row 3 i + c: component c of node i.
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> modes;
  /// Row 6 i + c; empty: none.
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> stress;

  Eigen::Index node_count() const { return points.cols(); }
  int coordinate_count() const { return static_cast<int>(modes.cols()); }
  /// 3 x nodes, m.
  Eigen::Matrix<double, 3, Eigen::Dynamic> displacements(const Eigen::Ref<const VecX>& q) const;
  bool has_stress() const { return stress.size() > 0; }
  /// 6 x nodes, Pa; xx yy zz xy yz zx.
  Eigen::Matrix<double, 6, Eigen::Dynamic> stresses(const Eigen::Ref<const VecX>& q) const;
};

/// Throw Error with file and dataset.
void write_body_shapes(const BodyShapes& shapes, const std::string& path);
BodyShapes read_body_shapes(const std::string& path);

}  // namespace monocoque::io
