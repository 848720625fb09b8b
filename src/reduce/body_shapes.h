#pragma once
// Shapes and modal stresses of every node of a reduced body, for pictures.

#include "fe/stress.h"
#include "io/body/body_shapes.h"
#include "io/mesh/fe_mesh.h"
#include "reduce/reduce_body.h"

namespace monocoque::reduce {

/// In the frame of the body: origin_m as given to the reduction. Shells are faces, of solids the outer faces;
/// rods and beams are lines. Stresses are those that add_modal_stress gives single nodes.
io::BodyShapes body_shapes(const io::FeMesh& mesh, const FeSystem& fe, const ReducedBody& body,
                           const Vec3& origin_m, Surface surface = Surface::top);

}  // namespace monocoque::reduce
