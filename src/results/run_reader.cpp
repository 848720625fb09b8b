#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "core/error.h"
#include "results/recorder.h"
#include "results/run_access.h"

namespace monocoque {

namespace {

using hdf5::check;
using hdf5::Handle;
using namespace run_access;

void read_numbers(hid_t file, const std::string& path, RunData& run) {
  const Handle times = open_set(file, path, "time"), data = open_set(file, path, "data");
  require_numbers(times, path, "time");
  require_numbers(data, path, "data");
  const hsize_t stored = lengths(times, path, "time", 1, sizeof(double)).at(0);
  const auto size = lengths(data, path, "data", 2, sizeof(double));
  if (size[1] != run.channels.size())
    not_ours(path, fmt::format("it names {} channels and holds {}", run.channels.size(), size[1]));

  VecX time(static_cast<Eigen::Index>(stored));
  if (stored > 0)
    check(H5Dread(times, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time.data()), path,
          "the file is damaged");
  // The writer fills data before times, and a time that never arrived is NaN.
  auto n = static_cast<Eigen::Index>(std::min(stored, size[0]));
  for (Eigen::Index i = 0; i < n; ++i)
    if (std::isnan(time[i])) n = i;
  run.time = time.head(n);
  const auto m = static_cast<Eigen::Index>(size[1]);
  run.data.resize(n, m);
  if (n == 0 || m == 0) return;

  // In slices of about 8 MB, because the file is row by row and RunData column by column.
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Index slice = std::clamp<Eigen::Index>((1 << 20) / m, 1, n);
  RowMajor buffer(slice, m);
  const Handle space = check(H5Dget_space(data), H5Sclose, path, "the file is damaged");
  for (Eigen::Index i = 0; i < n; i += slice) {
    const Eigen::Index rows = std::min(slice, n - i);
    const hsize_t start[2] = {static_cast<hsize_t>(i), 0}, count[2] = {static_cast<hsize_t>(rows), size[1]};
    const Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path,
          "the file is damaged");
    check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, buffer.data()), path,
          "the file is damaged");
    run.data.middleRows(i, rows) = buffer.topRows(rows);
  }
}

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

}  // namespace

RunData read_run(const std::string& path) {
  const hdf5::Session session;
  const Handle file = open_file(path);
  RunData run;
  try {
    if (!exists(file, "channels")) not_ours(path, "it has no group 'channels'");
    const auto paths = dataset_texts(file, path, "channels/path", 1),
               units = dataset_texts(file, path, "channels/unit", 1);
    if (paths.size() != units.size())
      not_ours(path, fmt::format("it has {} channel names and {} units", paths.size(), units.size()));
    for (std::size_t k = 0; k < paths.size(); ++k) run.channels.push_back({paths[k], units[k]});
    read_numbers(file, path, run);
    RunInfo& info = run.info;
    for (const auto& [name, value] :
         {std::pair{"model", &info.model}, std::pair{"scenario", &info.scenario},
          std::pair{"solver", &info.solver}, std::pair{"settings", &info.settings_json},
          std::pair{"version", &info.version}, std::pair{"git_commit", &info.git_commit},
          std::pair{"created", &info.created}, std::pair{"source", &info.source_text},
          std::pair{"summary", &run.summary_json}})
      *value = text(file, path, name);
    read_lane(file, path, run);
    run.complete = complete_mark(file);
  } catch (const std::bad_alloc&) {
    not_ours(path, "it does not fit into memory");
  } catch (const std::length_error&) {
    not_ours(path, "it does not fit into memory");
  }
  return run;
}

int RunData::column(const std::string& path) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].path == path) return static_cast<int>(k);
    names.push_back(channels[k].path);
  }
  throw Error("results", fmt::format("there is no channel '{}'", path), suggestion(path, names));
}

}  // namespace monocoque
