#pragma once
// The key geometry of a body, before any mesh: named points, curved edges, sheets between points, beams,
// rigid spiders. Axes: x forward, y left, z up from the ground; metres. The left half is described; what is
// off the middle plane is mirrored, a point NAME with y > 0 to NAME*.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace monocoque::body {

using Names = std::vector<std::string>;

/// Sheet between three or four points, as seen by the mesher.
struct Patch {
  int corners = 4;
  std::array<int, 4> point{};
  int part = 0;   ///< sheets of one part are one piece; parts are welded where they meet
  int sheet = 0;  ///< into sheets()
  int zone = 0;   ///< into zones(), or kNoZone
  int tag = -1;   ///< into Skeleton::tags
};

struct Beam {
  int section = 0;
  int a = 0, b = 0;
};

/// What a spider holds: "NAME" a point, "NAME-NAME" all nodes of an edge, "#NAME" those of tagged sheets.
struct Spider {
  int point = -1;
  Names targets;
};

class Skeleton {
 public:
  /// Makes the point and its image; returns the name.
  std::string point(const std::string& name, double x, double y, double z);
  std::string point(const std::string& name, const Vec3& p) { return point(name, p.x(), p.y(), p.z()); }
  std::string mirrored(const std::string& name) const;
  int index(std::string_view name) const;
  const Vec3& at(std::string_view name) const { return points[static_cast<std::size_t>(index(name))]; }

  void sheet(const std::string& part, std::string_view sheet, std::string_view zone, const Names& corners,
             const std::string& tag = "");
  /// Edges between successive points become one smooth curve.
  void curve(const Names& through);
  /// A closed polygon led from section to section.
  void box(const std::string& part, std::string_view sheet, std::string_view zone,
           const std::vector<Names>& sections);
  /// Sheet with a square of its own around the middle, which gets the tag.
  void ring(const std::string& part, std::string_view sheet, std::string_view zone, const Names& outer,
            const Names& inner, const std::string& tag);
  void beam(std::string_view section, const Names& through);
  /// From a point to its own image.
  void bridge(std::string_view section, const std::string& point);
  void spider(const std::string& point, const Names& targets);
  /// The zone's trim hangs on these points (and their images) instead of on sheets.
  void hang(std::string_view zone, const Names& at);

  std::vector<std::string> names;
  std::vector<Vec3> points;
  std::vector<Patch> patches;
  std::vector<Beam> beams;
  std::vector<Spider> spiders;
  std::vector<std::vector<int>> curves;
  std::vector<std::string> parts, tags;
  std::vector<bool> part_is_glass;
  std::map<int, std::vector<int>> hung;  ///< zone to points

 private:
  std::map<std::string, int, std::less<>> index_;
  int part(const std::string& name, bool glass);
  int tag(const std::string& name);
  void patch(const std::string& part, std::string_view sheet, std::string_view zone, const Names& corners,
             const std::string& tag);
};

/// Parts a target into its points or tag.
struct Target {
  enum class Kind { point, edge, tag } kind = Kind::point;
  int a = -1, b = -1;  ///< points, or a: the tag
};
Target target_of(const Skeleton& skeleton, std::string_view text);

}  // namespace monocoque::body
