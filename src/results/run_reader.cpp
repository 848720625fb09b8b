#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "core/error.h"
#include "io/hdf5.h"
#include "results/recorder.h"

namespace monocoque {

namespace {

using hdf5::check;
using hdf5::Handle;

[[noreturn]] void not_ours(const std::string& path, const std::string& what) {
  hdf5::complain(path, what, "give a result file written by monocoque run");
}

Handle open_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    hdf5::complain(path, "it is a folder", "give the name of a result file");
  // 1: a closed file.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, true, true);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file.valid()) return file;
  const std::string why = hdf5::reason();
  const bool marked = why.find("consistency flags") != std::string::npos;
  const bool shorter = why.find("truncated file") != std::string::npos;
  // 2: one that is being written, or was cut off while it was. HDF5 doubles its pause between attempts, and
  // the usual 100 attempts would take for ever at a damaged place; 20 take about a millisecond.
  if (marked || shorter) {
    H5Pset_metadata_read_attempts(access, 20);
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
    if (file.valid()) return file;
    // 3: one cut off in the moment of finishing, or by a full disk: read into memory, without its "open for
    // writing" mark and the check of its length, as the tool h5clear does. The file itself stays as it is.
    const Handle core(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const hbool_t yes = true;
    H5Pset_fapl_core(core, std::size_t{1} << 24, false);
    H5Pset(core, "clear_status_flags", &yes);
    H5Pset(core, "skip_eof_check", &yes);
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, core), H5Fclose);
    if (file.valid()) return file;
  }
  H5Eclear2(H5E_DEFAULT);
  file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);  // once more, for its reason
  if (!file.valid()) hdf5::fail(path, "the file cannot be read");
  return file;
}

bool exists(hid_t file, const char* name) {
  return H5Lexists(file, name, H5P_DEFAULT) > 0 && H5Oexists_by_name(file, name, H5P_DEFAULT) > 0;
}

Handle open_set(hid_t file, const std::string& path, const char* name) {
  if (!exists(file, name)) not_ours(path, fmt::format("it has no dataset '{}'", name));
  return check(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, path, "the file is damaged");
}

/// Lengths of a dataset of the given rank. A size that its stored bytes cannot fill is a damaged file, not a
/// reason to ask for terabytes.
std::vector<hsize_t> lengths(hid_t set, const std::string& path, const char* name, int rank,
                             std::size_t item) {
  const Handle space = check(H5Dget_space(set), H5Sclose, path, "the file is damaged");
  if (H5Sget_simple_extent_ndims(space) != rank)
    not_ours(path,
             fmt::format("its dataset '{}' does not have {} dimension{}", name, rank, rank == 1 ? "" : "s"));
  std::vector<hsize_t> n(static_cast<std::size_t>(rank), 1);
  H5Sget_simple_extent_dims(space, n.data(), nullptr);
  double bytes = static_cast<double>(item);
  for (const hsize_t k : n) bytes *= static_cast<double>(k);
  const double stored = static_cast<double>(H5Dget_storage_size(set));
  if (bytes > 1000 * stored + 1e6)
    not_ours(path, fmt::format("its dataset '{}' claims {:.3g} bytes and holds {:.3g}", name, bytes, stored));
  return n;
}

/// Strings of an attribute or dataset. Variable length is refused: see hdf5.h.
std::vector<std::string> texts(hid_t type, std::size_t count, const std::string& path, const auto& read) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    not_ours(path, "a text in it is not stored as a string of fixed length");
  std::vector<std::string> out;
  if (count == 0) return out;
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > (std::size_t{1} << 30) / count) not_ours(path, "a text in it is too long");
  std::vector<char> data(size * count, '\0');
  check(read(static_cast<void*>(data.data())), path, "the file is damaged");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text(data.data() + k * size, size);
    out.push_back(text.substr(0, text.find('\0')));
  }
  return out;
}

std::vector<std::string> dataset_texts(hid_t file, const std::string& path, const char* name, int rank) {
  const Handle set = open_set(file, path, name);
  const Handle type = check(H5Dget_type(set), H5Tclose, path, "the file is damaged");
  std::size_t count = 1;
  for (const hsize_t n : lengths(set, path, name, rank, H5Tget_size(type)))
    count *= static_cast<std::size_t>(n);
  return texts(type, count, path,
               [&](void* data) { return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); });
}

/// Empty when the file does not say. Long texts are datasets of the same name.
std::string text(hid_t file, const std::string& path, const char* name) {
  if (H5Aexists(file, name) <= 0)
    return exists(file, name) ? dataset_texts(file, path, name, 0).at(0) : std::string{};
  const Handle attribute = check(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, path, "the file is damaged");
  const Handle type = check(H5Aget_type(attribute), H5Tclose, path, "the file is damaged");
  const Handle space = check(H5Aget_space(attribute), H5Sclose, path, "the file is damaged");
  if (H5Sget_simple_extent_npoints(space) != 1)
    not_ours(path, fmt::format("its attribute '{}' is not one text", name));
  return texts(type, 1, path, [&](void* data) { return H5Aread(attribute, type, data); }).at(0);
}

bool complete_mark(hid_t file) {
  if (H5Aexists(file, "complete") <= 0) return false;
  const Handle attribute(H5Aopen(file, "complete", H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  int value = 0;
  return H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1 &&
         H5Aread(attribute, H5T_NATIVE_INT, &value) >= 0 && value == 1;
}

void require_numbers(hid_t set, const std::string& path, const char* name) {
  const Handle type = check(H5Dget_type(set), H5Tclose, path, "the file is damaged");
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    not_ours(path, fmt::format("its dataset '{}' holds no numbers", name));
}

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
