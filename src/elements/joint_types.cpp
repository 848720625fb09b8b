// The list of all joint types: a new family of joints is added here.

#include "elements/joints/basic_joints.h"
#include "elements/joints/coupler.h"
#include "elements/joints/differential.h"
#include "elements/joints/driven_joints.h"
#include "elements/joints/point_on_curve.h"
#include "elements/joints/rolling.h"
#include "elements/joints/steered_rod.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Joint>>& joint_types() {
  static const std::vector<ElementType<Joint>> types = [] {
    std::vector<ElementType<Joint>> all;
    for (auto family : {basic_joint_types, driven_joint_types, steered_rod_types, coupler_types,
                        differential_types, point_on_curve_types, rolling_types})
      for (auto& type : family()) all.push_back(std::move(type));
    return all;
  }();
  return types;
}

}  // namespace monocoque
