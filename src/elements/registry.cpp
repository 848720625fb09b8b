#include "elements/registry.h"

#include "elements/lanes/lane_types.h"
#include "elements/roads/road_types.h"

namespace monocoque {

const io::Library& element_library() {
  static const io::Library library = [] {
    io::Library all;
    for (const auto& t : joint_types()) all.types.push_back(t.info);
    for (const auto& t : force_types()) all.types.push_back(t.info);
    for (const auto& t : sensor_types()) all.types.push_back(t.info);
    for (const auto& t : controller_types()) all.types.push_back(t.info);
    for (const auto& t : road_types()) all.types.push_back(t.info);
    for (const auto& t : lane_types()) all.types.push_back(t.info);
    return all;
  }();
  return library;
}

bool has_role(const std::string& type, io::Role role) {
  const io::TypeInfo* info = element_library().find(type);
  return info != nullptr && info->has(role);
}

}  // namespace monocoque
