#pragma once
// Orientations of a model file, and the reflection and shift of subsystems. Internal to io.

#include <optional>
#include <string>

#include "core/types.h"
#include "io/model/map_reader.h"

namespace monocoque::io {

/// x -> S x + d with S a reflection along axes. Frames turn with it as R -> S R S, so that right-handed axes
/// stay right-handed: a mirrored frame is the mirror image of the original with its mirrored axis reversed.
struct Transform {
  Vec3 sign = Vec3::Ones();
  Vec3 shift = Vec3::Zero();

  Vec3 point(const Vec3& x) const { return sign.cwiseProduct(x) + shift; }
  Vec3 direction(const Vec3& x) const { return sign.cwiseProduct(x); }
  /// Of angular velocities: an axial vector turns around in a reflection.
  Vec3 axial(const Vec3& w) const { return side() * sign.cwiseProduct(w); }
  /// Of rotations and of inertia tensors.
  Mat3 conjugate(const Mat3& m) const { return sign.asDiagonal() * m * sign.asDiagonal(); }
  /// -1 when the transform turns left into right.
  double side() const { return sign.prod(); }
  /// First `inner`, then this.
  Transform after(const Transform& inner) const {
    return {sign.cwiseProduct(inner.sign), point(inner.shift)};
  }
};

/// Axes given by an `orientation` map; nothing after a complaint.
std::optional<Mat3> read_orientation(Context& context, const Scope& scope, const NodePtr& node,
                                     const std::string& path, const Where& where);

/// The symmetric tensor of 3 or 6 numbers; complains when no rigid body can have it.
std::optional<Mat3> read_inertia(Context& context, const Scope& scope, const Node& node, const Where& where);

}  // namespace monocoque::io
