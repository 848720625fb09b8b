#pragma once
// The groups the sedan is built of, in the order they are called: each uses points of those before it.

#include <map>

#include "body/sedan.h"

namespace monocoque::body {

/// x of a station, z of the floor there, y of the rail's inner and outer web, z of its lower flange.
struct Station {
  double x, floor_z, rail_in, rail_out, rail_z;
};
constexpr int kStations = 21;
const Station& station(int s);

/// Point of the floor at a station; column 0 middle, 1 foot of the tunnel, 2 and 3 rail, 4 sill.
std::string floor_point(int s, int column);
/// Corner a to d of the ring of roof rail, A and C pillar.
std::string rail_point(int s, char corner);
/// Roof and glass: points from the middle to the rail, by row.
using Rows = std::map<int, Names>;

constexpr double kFrontDomeZ = 0.930, kRearDomeZ = 0.915;
constexpr double kHingeZ[] = {0.64, 0.80, 0.95};  ///< stations of the hinge pillar

void add_underbody(Skeleton& b);  ///< rails, sills, floor, tunnel, cross members
void add_dash(Skeleton& b);       ///< hinge pillars, dash panel, cowl
void add_side(Skeleton& b);       ///< A pillar, roof rail, C pillar, B pillar
Rows add_roof(Skeleton& b, bool glass);
void add_front(Skeleton& b);  ///< upper rails, strut towers, aprons
void add_rear(Skeleton& b, const Rows& rows, bool closed_bulkhead);
void add_frames(Skeleton& b);  ///< bumpers, radiator support, subframes, cross-car beam, reinforcements

}  // namespace monocoque::body
