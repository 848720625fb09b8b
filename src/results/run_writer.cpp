// Crash safety: the file is written in HDF5's single-writer mode (SWMR), in which every write leaves it
// readable. Of each block the data go first and are flushed, then the times; a row exists when its time does.
// What is still missing after a kill shows as the fill value NaN in /time, where the reader stops.

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/error.h"
#include "io/files/hdf5.h"
#include "results/motion_store.h"
#include "results/recorder.h"

namespace monocoque {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr std::size_t attribute_limit =
    32 * 1024;  // attributes may hold 64 KiB; longer texts become datasets
constexpr hsize_t chunk_bytes = 1 << 20;

std::string now_utc() {
  const std::time_t t = std::time(nullptr);
  std::tm tm{};
  gmtime_r(&t, &tm);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
  return text;
}

void put_text_dataset(hid_t file, const std::string& path, const char* name, const std::string& text) {
  const Handle type = hdf5::string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set = check(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose, path, "the file cannot be written");
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), path, "the file cannot be written");
}

void put_text(hid_t object, const std::string& path, const char* name, const std::string& text) {
  if (text.size() > attribute_limit) return put_text_dataset(object, path, name, text);
  const Handle type = hdf5::string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute = check(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                                 path, "the file cannot be written");
  check(H5Awrite(attribute, type, text.c_str()), path, "the file cannot be written");
}

void put_texts(hid_t group, const std::string& path, const char* name,
               const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& t : texts) longest = std::max(longest, t.size());
  std::vector<char> bytes(longest * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) texts[k].copy(bytes.data() + k * longest, longest);
  const Handle type = hdf5::string_type(longest);
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle set = check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose, path, "the file cannot be written");
  if (size > 0)
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path,
          "the file cannot be written");
}

void put_complete(hid_t file, const std::string& path, int value, bool create) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute =
      check(create ? H5Acreate2(file, "complete", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT)
                   : H5Aopen(file, "complete", H5P_DEFAULT),
            H5Aclose, path, "the file cannot be written");
  check(H5Awrite(attribute, H5T_NATIVE_INT, &value), path, "the file cannot be written");
}

using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void put_table(hid_t group, const std::string& path, const char* name, const Table& table,
               const char* columns) {
  const hsize_t size[2] = {static_cast<hsize_t>(table.rows()), static_cast<hsize_t>(table.cols())};
  const Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
  const Handle set =
      check(H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
            path, "the file cannot be written");
  put_text(set, path, "columns", columns);
  if (table.size() > 0)
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()), path,
          "the file cannot be written");
}

void put_lane(hid_t file, const std::string& path, const LaneGeometry& lane) {
  const Handle group = check(H5Gcreate2(file, "lane", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, path,
                             "the file cannot be written");
  put_text(group, path, "type", lane.type);
  put_text(group, path, "frame", lane.frame);
  Table cones(static_cast<Eigen::Index>(lane.cones.size()), 5);
  for (std::size_t i = 0; i < lane.cones.size(); ++i) {
    const Cone& c = lane.cones[i];
    cones.row(static_cast<Eigen::Index>(i)) << c.x_m, c.y_m, lane.cone_radius_m, c.section, c.side;
  }
  put_table(group, path, "cones", cones, "x, y, base radius (m), section, side (1 left, -1 right)");
  Eigen::Index points = 0;
  for (const LaneLimit& l : lane.limits) points += static_cast<Eigen::Index>(l.x_m.size());
  Table limits(points, 4);
  points = 0;
  for (const LaneLimit& l : lane.limits)
    for (std::size_t i = 0; i < l.x_m.size(); ++i)
      limits.row(points++) << l.x_m[i], l.y_m[i], l.section, l.side;
  put_table(group, path, "limits", limits, "x, y (m), section, side; a line while the last two stay");
  Table line(static_cast<Eigen::Index>(lane.path_x_m.size()), 2);
  for (std::size_t i = 0; i < lane.path_x_m.size(); ++i)
    line.row(static_cast<Eigen::Index>(i)) << lane.path_x_m[i], lane.path_y_m[i];
  put_table(group, path, "path", line, "x, y (m) of the driver's path");
  Table outline(1, 3);
  outline << lane.outline.width_m, lane.outline.front_m, lane.outline.rear_m;
  put_table(group, path, "outline", outline, "width, length before and behind the frame (m)");
}

void put_hits(hid_t file, const std::string& path, const std::vector<ConeHit>& hits) {
  const Handle group =
      check(H5Gopen2(file, "lane", H5P_DEFAULT), H5Gclose, path, "the file cannot be finished");
  Table table(static_cast<Eigen::Index>(hits.size()), 3);
  for (std::size_t i = 0; i < hits.size(); ++i)
    table.row(static_cast<Eigen::Index>(i)) << hits[i].cone + 1, hits[i].t_s, hits[i].wrong_side;
  put_table(group, path, "hits", table,
            "number of the cone (from 1), time (s), 0 touched or 1 passed on the wrong side");
}

/// A dataset that grows along its first dimension; columns 0: a vector.
void put_growing(hid_t file, const std::string& path, const char* name, hsize_t chunk_rows, hsize_t columns,
                 int rank) {
  const hsize_t size[2] = {0, columns};
  const hsize_t limit[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const hsize_t chunk[2] = {chunk_rows, std::max<hsize_t>(1, std::min<hsize_t>(columns, chunk_bytes / 8))};
  const Handle space(H5Screate_simple(rank, size, limit), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const double missing = std::nan("");
  H5Pset_chunk(create, rank, chunk);
  H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &missing);
  const Handle set = check(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT),
                           H5Dclose, path, "the file cannot be written");
  if (rank == 1) put_text(set, path, "unit", "s");
}

}  // namespace

struct RunWriter::Impl {
  std::string path;
  hsize_t columns = 0, capacity = 0, filled = 0, written = 0;
  bool has_lane = false;
  std::vector<double> time, rows;
  Handle file, time_set, data_set;
  MotionStore motion;
  bool failed = false;

  Handle access() const {
    Handle a(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(a, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);  // what single-writer mode asks for
    H5Pset_file_locking(a, true, true);  // file systems without locks are no obstacle
    return a;
  }

  void create(const std::vector<Channel>& channels, const RunInfo& info, const Scene* scene) {
    const Handle a = access();
    const Handle layout(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_file_space_strategy(layout, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(layout, 4096);
    file = check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout, a), H5Fclose, path,
                 "the file cannot be created");
    for (const auto& [name, text] : {std::pair<const char*, const std::string&>{"model", info.model},
                                     {"scenario", info.scenario},
                                     {"solver", info.solver},
                                     {"settings", info.settings_json},
                                     {"version", info.version},
                                     {"git_commit", info.git_commit}})
      put_text(file, path, name, text);
    put_text(file, path, "created", info.created.empty() ? now_utc() : info.created);
    put_complete(file, path, 0, true);
    put_text_dataset(file, path, "source", info.source_text);
    has_lane = info.lane.has_value();
    if (has_lane) put_lane(file, path, *info.lane);

    std::vector<std::string> paths, units;
    for (const Channel& c : channels) {
      paths.push_back(c.path);
      units.push_back(c.unit);
    }
    {
      const Handle group = check(H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                 H5Gclose, path, "the file cannot be written");
      put_texts(group, path, "path", paths);
      put_texts(group, path, "unit", units);
    }
    const hsize_t chunk_rows =
        std::clamp<hsize_t>(chunk_bytes / (8 * std::max<hsize_t>(1, columns)), 1, capacity);
    put_growing(file, path, "time", std::max<hsize_t>(capacity, 8192), 0, 1);  // few chunks: a small index
    put_growing(file, path, "data", chunk_rows, columns, 2);
    if (scene != nullptr) motion.create(file, path, *scene);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), path, "the file cannot be written");
    check(H5Fstart_swmr_write(file), path, "the file cannot be written");
    time_set = check(H5Dopen2(file, "time", H5P_DEFAULT), H5Dclose, path, "the file cannot be written");
    data_set = check(H5Dopen2(file, "data", H5P_DEFAULT), H5Dclose, path, "the file cannot be written");
    motion.open(file);
  }

  void append(hid_t set, int rank, const double* values) {
    const hsize_t size[2] = {written + filled, columns}, start[2] = {written, 0},
                  count[2] = {filled, columns};
    check(H5Dset_extent(set, size), path, "results cannot be written");
    if (rank == 1 || columns > 0) {
      const Handle space = check(H5Dget_space(set), H5Sclose, path, "results cannot be written");
      const Handle memory =
          check(H5Screate_simple(rank, count, nullptr), H5Sclose, path, "results cannot be written");
      check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path,
            "results cannot be written");
      check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values), path,
            "results cannot be written");
    }
    check(H5Fflush(file, H5F_SCOPE_LOCAL), path, "results cannot be written");
  }

  void write_block() {
    if (failed) return;
    const hdf5::Session session;
    failed = true;  // until all of it has succeeded: a half-written block must not be tried again
    motion.write_block();
    failed = false;
    if (filled == 0) return;
    failed = true;
    append(data_set, 2, rows.data());
    append(time_set, 1, time.data());
    failed = false;
    written += filled;
    filled = 0;
  }

  void close() {
    time_set.reset();
    data_set.reset();
    motion.close();
    if (!file.reset() && !failed) hdf5::fail(path, "the file cannot be closed");
  }
};

RunWriter::RunWriter(const std::string& path, std::vector<Channel> channels, const RunInfo& info,
                     int block_rows, const Scene* scene)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->columns = channels.size();
  impl_->capacity = static_cast<hsize_t>(std::max(1, block_rows));
  impl_->time.resize(impl_->capacity);
  impl_->rows.resize(impl_->capacity * std::max<std::size_t>(1, channels.size()));
  const hdf5::Session session;
  try {
    impl_->create(channels, info, scene);
  } catch (...) {
    impl_->failed = true;
    impl_->close();  // while HDF5 is still kept quiet
    throw;
  }
}

RunWriter::~RunWriter() {
  if (!impl_->file.valid()) return;
  const hdf5::Session session;
  try {
    impl_->write_block();
    impl_->close();
  } catch (const std::exception&) {
    impl_->failed = true;  // a destructor has nobody to tell; finish() is the way to learn of it
    impl_->close();
  }
}

double* RunWriter::next_row(double t) {
  Impl& d = *impl_;
  if (!d.file.valid() || d.failed)
    hdf5::complain(d.path, "no rows can be added, the file is closed or a write has failed");
  if (d.filled == d.capacity) d.write_block();
  d.time[d.filled] = t;
  return d.rows.data() + d.columns * d.filled++;
}

void RunWriter::motion(double t, const double* x, const float* arrows) {
  Impl& d = *impl_;
  if (!d.motion.used() || d.failed || !d.file.valid()) return;
  if (d.motion.full()) d.write_block();
  d.motion.add(t, x, arrows);
}

void RunWriter::flush() {
  impl_->write_block();
}

void RunWriter::finish(const std::string& summary_json, const std::vector<ConeHit>& hits,
                       const RoadStrip* road) {
  Impl& d = *impl_;
  if (!d.file.valid()) return;
  const hdf5::Session session;
  if (d.failed) hdf5::complain(d.path, "the results are incomplete, a write has failed");
  d.write_block();
  d.close();
  // Single-writer mode cannot add attributes, so the closed file is opened once more for the last words.
  const Handle a = d.access();
  Handle file =
      check(H5Fopen(d.path.c_str(), H5F_ACC_RDWR, a), H5Fclose, d.path, "the file cannot be finished");
  put_text(file, d.path, "summary", summary_json);
  if (d.has_lane) put_hits(file, d.path, hits);
  if (road != nullptr) MotionStore::put_road(file, d.path, *road);
  put_complete(file, d.path, 1, false);
  if (!file.reset()) hdf5::fail(d.path, "the file cannot be finished");
}

}  // namespace monocoque
