#pragma once
// One function per road type: its name, fields and maker. road_types() lists them all.

#include "elements/roads/road_types.h"

namespace monocoque {

ElementType<Road> flat_road_type();
ElementType<Road> slope_road_type();
ElementType<Road> bump_road_type();
ElementType<Road> step_road_type();
ElementType<Road> curb_road_type();
ElementType<Road> washboard_road_type();
ElementType<Road> sine_sweep_road_type();
ElementType<Road> random_road_type();
ElementType<Road> grid_road_type();
ElementType<Road> opencrg_road_type();
ElementType<Road> friction_patch_type();

}  // namespace monocoque
