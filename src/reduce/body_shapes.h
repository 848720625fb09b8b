#pragma once
// Shapes of every node of a reduced body, for pictures.

#include "io/body_shapes.h"
#include "io/fe_mesh.h"
#include "reduce/reduce_body.h"

namespace monocoque::reduce {

/// In the frame of the body: origin_m as given to the reduction. Shells are faces, of solids the outer faces;
/// rods and beams are lines.
io::BodyShapes body_shapes(const io::FeMesh& mesh, const FeSystem& fe, const ReducedBody& body,
                           const Vec3& origin_m);

}  // namespace monocoque::reduce
