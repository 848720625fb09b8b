#pragma once
// Sensors: scalars measured between two markers, or the wrench of an interact. They act on nothing.

#include <string>
#include <vector>

#include "elements/marker.h"

namespace monocoque {

struct SensorInput {
  double t = 0;
  const MarkerKinematics* m[2] = {};  ///< with accelerations
  const Vec6* wrench = nullptr;       ///< of the watched interact on its second marker, world axes
};

class Sensor {
 public:
  struct Output {
    std::string name;  ///< "" for a sensor of one value, else x, y, z, ...
    std::string unit;
  };
  virtual ~Sensor() = default;
  virtual const std::vector<Output>& outputs() const = 0;
  virtual void measure(const SensorInput& in, double* values) const = 0;
  /// It reads accelerations or a wrench, for which the equations of motion have to be solved.
  virtual bool needs_accelerations() const { return false; }
};

}  // namespace monocoque
