#pragma once
// The one list of all element types. A new element is added here and is then read from model files, described
// in the JSON Schema, and run through the generic tests, without further code.

#include <functional>
#include <memory>
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

}  // namespace monocoque
