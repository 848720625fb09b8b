#pragma once
// What a viewer needs to draw a model: parts, markers, joints, forces, road and lane as JSON text
// (docs/results-file.md), surfaces of parts, and for every instant a row of motion: the positions x of the
// state and the forces of all force elements and joints.

#include <array>
#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "elements/road.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque {

/// A surface in axes of its part's state frame.
struct SceneAsset {
  Eigen::Matrix<float, 3, Eigen::Dynamic> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> lines;
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows modes;   ///< row 3 i + c: displacement of point i per elastic coordinate; empty: it is rigid
  Rows stress;  ///< row 6 i + c: xx yy zz xy yz zx in Pa per elastic coordinate; empty: none
};

struct Scene {
  std::string json;
  std::vector<SceneAsset> assets;
  std::size_t row = 0;     ///< numbers of a row of motion
  std::size_t arrows = 0;  ///< numbers of its forces, three for each
  int vehicle = 0;         ///< part that cameras follow
};

/// `spec` is that of the model; its meshes are read. Throws Error where one is damaged.
Scene describe_scene(const io::ModelSpec& spec, const Model& model);

/// Forces on the second marker of all force elements, then of all joints, world axes; `ws` as outputs leave
/// it. `out` has Scene::arrows numbers.
void fill_arrows(const Model& model, const Workspace& ws, float* out);

/// The road along the way of the vehicle: heights at `offsets` to the left of a line.
struct RoadStrip {
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> line;  ///< x, y, heading, station
  VecX offsets;
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> z;
  bool empty() const { return line.rows() == 0; }
};

/// Around a way of points (x, y, heading), with some metres before and behind; empty on a flat road.
RoadStrip road_strip(const Model& model, const std::vector<std::array<double, 3>>& way);

/// x, y and heading of the scene's vehicle.
std::array<double, 3> vehicle_place(const Model& model, int vehicle, const VecX& x);

}  // namespace monocoque
