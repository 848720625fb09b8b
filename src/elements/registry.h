#pragma once
// All element types. Each kind has one list: joint_types.cpp, force_types.cpp, sensor_types.cpp,
// controller_types.cpp, roads/road_types.cpp, lanes/lane_types.cpp, tires/tire_law_types.cpp. A type that has
// a line there is read from model files, described in the JSON Schema and in docs/elements.md, and run
// through the generic tests, without further code.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elements/controller.h"
#include "elements/force.h"
#include "elements/joint.h"
#include "elements/sensor.h"
#include "io/model/field.h"
#include "io/model/parameter_set.h"

namespace monocoque {

/// Makes an element, or throws monocoque::Error with a problem text where values contradict each other.
template <class Element>
struct ElementType {
  io::TypeInfo info;
  std::function<std::unique_ptr<Element>(const io::ParameterSet&)> make;
};

const std::vector<ElementType<Joint>>& joint_types();
const std::vector<ElementType<Force>>& force_types();
const std::vector<ElementType<Sensor>>& sensor_types();
const std::vector<ElementType<Controller>>& controller_types();

/// All types as the reader wants them.
const io::Library& element_library();

/// Whether the type of this name declares the role; false for a name that no type has.
bool has_role(const std::string& type, io::Role role);

}  // namespace monocoque
