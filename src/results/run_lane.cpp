#include <algorithm>

#include <fmt/format.h>

#include "results/run_head.h"

namespace monocoque::run_access {

using hdf5::check;
using hdf5::Handle;

namespace {

using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Table table(hid_t file, const std::string& path, const char* name, hsize_t columns) {
  const Handle set = open_set(file, path, name);
  require_numbers(set, path, name);
  const auto size = lengths(set, path, name, 2, sizeof(double));
  if (size[1] != columns) not_ours(path, fmt::format("its dataset '{}' has {} columns", name, size[1]));
  Table out(static_cast<Eigen::Index>(size[0]), static_cast<Eigen::Index>(columns));
  if (out.size() > 0)
    check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), path,
          "the file is damaged");
  if (!out.allFinite()) not_ours(path, fmt::format("its dataset '{}' has numbers that are not finite", name));
  return out;
}

/// A small whole number of a table; others would be undefined as int.
int whole(double value) {
  return static_cast<int>(std::clamp(value, -1e9, 1e9));
}

}  // namespace

void read_lane(hid_t file, const std::string& path, RunData& run) {
  if (!exists(file, "lane")) return;
  LaneGeometry& lane = run.info.lane.emplace();
  {
    const Handle group = check(H5Gopen2(file, "lane", H5P_DEFAULT), H5Gclose, path, "the file is damaged");
    lane.type = text(group, path, "type");
    lane.frame = text(group, path, "frame");
  }
  const Table cones = table(file, path, "lane/cones", 5), limits = table(file, path, "lane/limits", 4),
              line = table(file, path, "lane/path", 2), outline = table(file, path, "lane/outline", 3);
  if (outline.rows() != 1) not_ours(path, "its dataset 'lane/outline' must have one row");
  lane.outline = {outline(0, 0), outline(0, 1), outline(0, 2)};
  for (Eigen::Index i = 0; i < cones.rows(); ++i)
    lane.cones.push_back({cones(i, 0), cones(i, 1), whole(cones(i, 3)), whole(cones(i, 4))});
  lane.cone_radius_m = cones.rows() > 0 ? cones(0, 2) : 0;
  for (Eigen::Index i = 0; i < limits.rows(); ++i) {
    const int section = whole(limits(i, 2)), side = whole(limits(i, 3));
    if (lane.limits.empty() || lane.limits.back().section != section || lane.limits.back().side != side)
      lane.limits.push_back({section, side, {}, {}});
    lane.limits.back().x_m.push_back(limits(i, 0));
    lane.limits.back().y_m.push_back(limits(i, 1));
  }
  for (Eigen::Index i = 0; i < line.rows(); ++i) {
    lane.path_x_m.push_back(line(i, 0));
    lane.path_y_m.push_back(line(i, 1));
  }
  if (!exists(file, "lane/hits")) return;  // a run that was cut off
  const Table hits = table(file, path, "lane/hits", 3);
  for (Eigen::Index i = 0; i < hits.rows(); ++i) {
    if (!(hits(i, 0) >= 1 && hits(i, 0) <= static_cast<double>(cones.rows())))
      not_ours(path, "its dataset 'lane/hits' names a cone that is not there");
    run.hits.push_back({whole(hits(i, 0)) - 1, hits(i, 1), hits(i, 2) != 0});
  }
}

}  // namespace monocoque::run_access
