#pragma once
// Reference line of an OpenCRG road: equally spaced points P_i joined by straight segments, and the
// coordinates u (along) and v (to the left) around it. Between P_1 and P_2, with neighbours P_0 and P_3:
//   v = distance from the line P_1 P_2
//   u = u_1 + t_a / (t_a + t_b) du,  t_a = (P_2 - P_0).(P - P_1) / (P_2 - P_0).(P_2 - P_1),
//                                    t_b = (P_3 - P_1).(P_2 - P) / (P_3 - P_1).(P_2 - P_1)
// so lines of constant u are the normals on P_2 - P_0 through P_1 and on P_3 - P_1 through P_2, and u is
// continuous across them. Before the first and behind the last point: a straight line with the heading there.
// Valid while |v| is less than the radius of curvature on the inner side.
// The search takes the point of the line nearest to (x, y) from a raster laid out at construction, then
// walks: its time does not grow with the length of the road.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace monocoque {

/// u and v of a point with their derivatives by x and y; the second derivatives of v are zero.
struct CrgPosition {
  double u = 0, v = 0;
  double u_x = 0, u_y = 0, u_xx = 0, u_xy = 0, u_yy = 0;
  double v_x = 0, v_y = 0;
};

class CrgLine {
 public:
  struct Point {
    double x, y;
  };
  CrgLine() = default;
  /// At least two points; headings for the continuations; |v| up to `reach` belongs to the road.
  CrgLine(std::vector<Point> points, double u_start, double step, double heading_begin, double heading_end,
          double v_min, double v_max);

  double u_begin() const { return u_begin_; }
  double u_end() const { return u_begin_ + step_ * static_cast<double>(points_.size() - 1); }
  double step() const { return step_; }
  const std::vector<Point>& points() const { return points_; }

  /// hint: segment of the last answer, or negative; holds the segment of this answer afterwards.
  void locate(double x, double y, std::int32_t& hint, CrgPosition& out) const noexcept;
  Point position(double u, double v) const;

  /// Whether the two continuations meet (angle below 60 degrees, end before begin), and for which u they do.
  bool closable() const { return closable_; }
  double u_close_min() const { return u_close_min_; }
  double u_close_max() const { return u_close_max_; }

 private:
  void find_closure();
  void lay_raster();
  std::int32_t nearest(double x, double y) const noexcept;
  bool walk(double x, double y, int limit, std::int32_t& segment) const noexcept;
  void inside(double x, double y, std::int32_t segment, CrgPosition& out) const noexcept;
  void continued(double x, double y, bool begin, CrgPosition& out) const noexcept;
  double squared_distance(double x, double y, std::int32_t i) const noexcept {
    const double dx = x - points_[static_cast<std::size_t>(i)].x,
                 dy = y - points_[static_cast<std::size_t>(i)].y;
    return dx * dx + dy * dy;
  }

  std::vector<Point> points_;
  double u_begin_ = 0, step_ = 1, v_min_ = 0, v_max_ = 0;
  double cos_begin_ = 1, sin_begin_ = 0, cos_end_ = 1, sin_end_ = 0;
  bool straight_ = false, closable_ = false;
  double u_close_min_ = 0, u_close_max_ = 0;
  /// Nearest point of the line for the centre of each cell.
  std::vector<std::int32_t> raster_;
  std::int32_t columns_ = 0, lines_ = 0, largest_stride_ = 1;
  double x_0_ = 0, y_0_ = 0, cells_per_m_ = 1;
};

}  // namespace monocoque
