#pragma once
// One function per controller type; controller_types() lists them all.

#include "elements/registry.h"

namespace monocoque {

ElementType<Controller> pid_type();
ElementType<Controller> relay_type();
ElementType<Controller> driver_type();
ElementType<Controller> lane_speed_type();
ElementType<Controller> external_type();

}  // namespace monocoque
