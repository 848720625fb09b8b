// All joint types, one line each. A new one is a file of its own that defines
// `ElementType<Joint> NAME()`, and a line here.

#include "core/type_list.h"
#include "elements/registry.h"

namespace monocoque {

const std::vector<ElementType<Joint>>& joint_types() {
  static const std::vector<ElementType<Joint>> types = [] {
    std::vector<ElementType<Joint>> list;
#define ADD(type) MONOCOQUE_ADD_TYPE(list, type)
    ADD(spherical_joint_type);
    ADD(revolute_joint_type);
    ADD(cylindrical_joint_type);
    ADD(prismatic_joint_type);
    ADD(universal_joint_type);
    ADD(rigid_joint_type);
    ADD(planar_joint_type);
    ADD(point_on_line_joint_type);
    ADD(point_on_plane_joint_type);
    ADD(parallel_joint_type);
    ADD(free_joint_type);
    ADD(rod_joint_type);
    ADD(driven_revolute_joint_type);
    ADD(driven_angle_joint_type);
    ADD(driven_prismatic_joint_type);
    ADD(driven_position_joint_type);
    ADD(driven_distance_joint_type);
    ADD(motion_joint_type);
    ADD(steered_rod_joint_type);
    ADD(coupler_joint_type);
    ADD(gear_joint_type);
    ADD(differential_joint_type);
    ADD(point_on_curve_joint_type);
    ADD(rolling_joint_type);
#undef ADD
    return list;
  }();
  return types;
}

}  // namespace monocoque
