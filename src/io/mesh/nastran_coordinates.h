#pragma once
// Coordinate systems of Nastran (CORD2R, CORD2C, CORD2S): each given by three points A (origin), B (on the z
// axis), C (in the x-z plane) in another system. Angles of cylindrical and spherical ones in degrees.

#include <unordered_map>
#include <vector>

#include "core/types.h"
#include "io/mesh/mesh_draft.h"

namespace monocoque::io {

struct CoordinateSystem {
  char kind = 'R';  ///< R, C or S
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< columns: its axes in basic
  Vec3 to_basic(const Vec3& coordinates) const;
  /// Columns: the directions of displacement at a place, in basic.
  Mat3 basis_at(const Vec3& p_basic) const;
};

class CoordinateSystems {
 public:
  void add(long id, char kind, long reference, const Vec3& a, const Vec3& b, const Vec3& c, FileLine where);
  /// Follows the chains; reports doubled ids, missing references, circles and points in line.
  void resolve(Mistakes& mistakes);
  /// Null: there is none; 0 is basic.
  const CoordinateSystem* find(long id) const;

 private:
  struct Definition {
    long id = 0, reference = 0;
    char kind = 'R';
    Vec3 a, b, c;
    FileLine where;
    int state = 0;  ///< 0: open, 1: under way, 2: done, 3: faulty
  };
  void settle(Definition& d, Mistakes& mistakes);
  std::vector<Definition> definitions_;
  std::unordered_map<long, std::size_t> by_id_;
  std::unordered_map<long, CoordinateSystem> systems_;
};

}  // namespace monocoque::io
