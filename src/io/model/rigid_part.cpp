#include "io/model/rigid_part.h"

#include <algorithm>

namespace monocoque::io {

std::vector<const FrameSpec*> make_rigid(PartSpec& part) {
  const Sid& body = *part.body;
  part.kind = PartKind::rigid;
  part.mass_kg = body.mass_kg;
  if (part.mass_kg > 0) part.center_of_mass_m = body.mdCM.zero.col(0) / part.mass_kg;
  const auto& j = body.J.zero;
  const Vec3& c = part.center_of_mass_m;
  Mat3 about_frame;
  about_frame << j(0), j(3), j(4), j(3), j(1), j(5), j(4), j(5), j(2);
  part.inertia_kg_m2 = about_frame - part.mass_kg * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  std::vector<const FrameSpec*> missing;
  for (FrameSpec& frame : part.frames) {
    if (frame.node < 0) continue;
    const auto node = std::find_if(body.nodes.begin(), body.nodes.end(),
                                   [&](const SidNode& k) { return k.id == frame.node; });
    if (node == body.nodes.end()) {
      missing.push_back(&frame);
      continue;
    }
    frame.position_m += node->origin.zero.col(0);
    frame.node = -1;
  }
  part.body.reset();
  part.elastic_position.clear();
  part.elastic_velocity.clear();
  return missing;
}

}  // namespace monocoque::io
