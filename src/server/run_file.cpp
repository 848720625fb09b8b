#include "server/run_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "results/run_access.h"

namespace monocoque::server {

namespace {

using hdf5::check;
using hdf5::Handle;
using run_access::exists;
using run_access::not_ours;
using run_access::open_set;

constexpr const char* damaged = "the file is damaged";

double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Rows first, first + stride, ... of a table.
void read_rows(hid_t set, const std::string& path, std::size_t columns, std::size_t first, std::size_t count,
               std::size_t stride, hid_t type, void* out) {
  if (count == 0 || columns == 0) return;
  const hsize_t start[2] = {first, 0}, step[2] = {stride, 1}, size[2] = {count, columns};
  const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
  const Handle memory = check(H5Screate_simple(2, size, nullptr), H5Sclose, path, damaged);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, size, nullptr), path, damaged);
  check(H5Dread(set, type, memory, space, H5P_DEFAULT, out), path, damaged);
}

/// Times of finished rows: the writer fills values before times, and a time that never arrived is NaN.
std::vector<double> read_times(hid_t file, const std::string& path, const char* name, std::size_t rows,
                               const std::vector<double>* before) {
  const Handle set = open_set(file, path, name);
  run_access::require_numbers(set, path, name);
  const hsize_t stored = run_access::lengths(set, path, name, 1, sizeof(double)).at(0);
  const std::size_t n = std::min<std::size_t>(stored, rows);
  std::vector<double> time;
  if (before != nullptr) time = *before;
  const std::size_t known = std::min(time.size(), n);
  time.resize(n);
  if (n > known) {
    const hsize_t start = known, count = n - known;
    const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
    const Handle memory = check(H5Screate_simple(1, &count, nullptr), H5Sclose, path, damaged);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr), path, damaged);
    check(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, time.data() + known), path, damaged);
  }
  for (std::size_t i = known; i < n; ++i) {
    if (!std::isfinite(time[i])) {
      time.resize(i);
      break;
    }
    if (i > 0 && time[i] < time[i - 1])
      not_ours(path, fmt::format("its times go back at row {} of '{}'", i, name));
  }
  return time;
}

/// Rows and columns of a table; quicker than run_access::lengths, which looks at every chunk.
std::array<hsize_t, 2> extents(hid_t set, const std::string& path) {
  const Handle space = check(H5Dget_space(set), H5Sclose, path, damaged);
  std::array<hsize_t, 2> size{};
  if (H5Sget_simple_extent_ndims(space) != 2) not_ours(path, "it has changed meanwhile");
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return size;
}

}  // namespace

std::size_t RunHead::first_at(double t) const {
  return static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
}

std::size_t RunHead::first_after(double t) const {
  return static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
}

RunFile::RunFile(std::string path) : path_(std::move(path)) {
  const hdf5::Session session;
  stamp_ = stamp();
  open();
  auto head = std::make_shared<RunHead>();
  read_head(*head, nullptr);
  head_ = std::move(head);
  checked_s_ = clock_s();
}

std::string RunFile::name() const {
  return std::filesystem::path(path_).filename().string();
}

std::shared_ptr<const RunHead> RunFile::head() const {
  const std::lock_guard lock(head_mutex_);
  return head_;
}

RunFile::Stamp RunFile::stamp() const {
  struct stat s = {};
  if (stat(path_.c_str(), &s) != 0) return {};
  return {s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec, s.st_size, static_cast<std::int64_t>(s.st_ino)};
}

void RunFile::open() {
  data_.reset();
  motion_x_.reset();
  motion_arrows_.reset();
  file_.reset();
  // No lock: the run may be repeated under the same name while it is looked at.
  file_ = run_access::open_file(path_, false);
  data_ = open_set(file_, path_, "data");
  run_access::require_numbers(data_, path_, "data");
  if (!exists(file_, "motion") || !exists(file_, "motion/x") || !exists(file_, "motion/arrows")) return;
  motion_x_ = open_set(file_, path_, "motion/x");
  motion_arrows_ = open_set(file_, path_, "motion/arrows");
  run_access::require_numbers(motion_x_, path_, "motion/x");
  run_access::require_numbers(motion_arrows_, path_, "motion/arrows");
}

void RunFile::read_head(RunHead& head, const RunHead* before) const {
  const auto text_at = [&](const char* name) { return run_access::text(file_, path_, name); };
  RunInfo& info = head.info;
  info.created = text_at("created");
  // A file of another beginning, or with less in it, is another run.
  if (before != nullptr && before->info.created != info.created) before = nullptr;
  if (!exists(file_, "channels")) not_ours(path_, "it has no group 'channels'");
  const auto paths = run_access::dataset_texts(file_, path_, "channels/path", 1),
             units = run_access::dataset_texts(file_, path_, "channels/unit", 1);
  if (paths.size() != units.size())
    not_ours(path_, fmt::format("it has {} channel names and {} units", paths.size(), units.size()));
  for (std::size_t k = 0; k < paths.size(); ++k) head.channels.push_back({paths[k], units[k]});
  const auto size = run_access::lengths(data_, path_, "data", 2, sizeof(double));
  if (size[1] != paths.size())
    not_ours(path_, fmt::format("it names {} channels and holds {}", paths.size(), size[1]));
  if (before != nullptr && (before->channels.size() != paths.size() || before->time.size() > size[0]))
    before = nullptr;
  head.time = read_times(file_, path_, "time", size[0], before != nullptr ? &before->time : nullptr);
  for (const auto& [name, value] :
       {std::pair{"model", &info.model}, std::pair{"scenario", &info.scenario},
        std::pair{"solver", &info.solver}, std::pair{"settings", &info.settings_json},
        std::pair{"version", &info.version}, std::pair{"git_commit", &info.git_commit},
        std::pair{"summary", &head.summary_json}})
    *value = text_at(name);
  head.complete = run_access::complete_mark(file_);
  head.scene = exists(file_, "scene");
  head.road = exists(file_, "road") && exists(file_, "road/z");
  if (motion_x_.valid()) {
    const auto x = run_access::lengths(motion_x_, path_, "motion/x", 2, sizeof(double));
    const auto arrows = run_access::lengths(motion_arrows_, path_, "motion/arrows", 2, sizeof(float));
    head.row = x[1];
    head.arrows = arrows[1];
    head.motion_time = read_times(file_, path_, "motion/time", std::min(x[0], arrows[0]),
                                  before != nullptr ? &before->motion_time : nullptr);
  }
  if (exists(file_, "assets"))
    while (head.assets < 10000 && exists(file_, fmt::format("assets/{}", head.assets).c_str())) ++head.assets;
  if (exists(file_, "modes") && exists(file_, "modes/frequency_Hz"))
    head.modes = run_access::lengths(open_set(file_, path_, "modes/frequency_Hz"), path_,
                                     "modes/frequency_Hz", 1, sizeof(double))
                     .at(0);
}

void RunFile::refresh() {
  const hdf5::Session session;
  if (clock_s() - checked_s_ < 0.5) return;
  checked_s_ = clock_s();
  const auto before = head();
  const Stamp now = stamp();
  if (now == stamp_ || now.size < 0) return;
  auto next = std::make_shared<RunHead>();
  try {
    open();
    read_head(*next, before.get());
  } catch (const Error&) {
    return;  // in the middle of being written; the next look may see more
  }
  stamp_ = now;
  const bool same = before->info.created == next->info.created &&
                    before->channels.size() == next->channels.size() &&
                    before->time.size() <= next->time.size();
  next->generation = before->generation + (same ? 0 : 1);
  const std::lock_guard lock(head_mutex_);
  head_ = std::move(next);
}

void RunFile::rows(std::size_t first, std::size_t count, std::size_t columns, double* out) const {
  const hdf5::Session session;
  if (!data_.valid()) not_ours(path_, "it cannot be read any more");
  const auto size = extents(data_, path_);
  if (first + count > size[0] || columns != size[1]) not_ours(path_, "it has changed meanwhile");
  read_rows(data_, path_, columns, first, count, 1, H5T_NATIVE_DOUBLE, out);
}

void RunFile::motion(const RunHead& head, std::size_t first, std::size_t count, std::size_t stride, float* x,
                     float* arrows) const {
  const hdf5::Session session;
  if (!motion_x_.valid()) not_ours(path_, "it holds no motion");
  for (const auto& [set, columns, out] :
       {std::tuple{hid_t{motion_x_}, head.row, x}, std::tuple{hid_t{motion_arrows_}, head.arrows, arrows}}) {
    const auto size = extents(set, path_);
    if (size[1] != columns || (count > 0 && first + (count - 1) * stride >= size[0]))
      not_ours(path_, "it has changed meanwhile");
    read_rows(set, path_, columns, first, count, stride, H5T_NATIVE_FLOAT, out);
  }
}

std::string RunFile::text(const char* name) const {
  const hdf5::Session session;
  return run_access::dataset_texts(file_, path_, name, 0).at(0);
}

bool RunFile::has(const std::string& name) const {
  const hdf5::Session session;
  return exists(file_, name.c_str());
}

std::vector<std::size_t> RunFile::shape(const std::string& name, int rank) const {
  const hdf5::Session session;
  if (!exists(file_, name.c_str())) return {};
  const Handle set = open_set(file_, path_, name.c_str());
  run_access::require_numbers(set, path_, name.c_str());
  const auto size = run_access::lengths(set, path_, name.c_str(), rank, sizeof(float));
  return {size.begin(), size.end()};
}

void RunFile::numbers(const std::string& name, std::size_t count, hid_t type, void* out) const {
  const Handle set = open_set(file_, path_, name.c_str());
  run_access::require_numbers(set, path_, name.c_str());
  const Handle space = check(H5Dget_space(set), H5Sclose, path_, damaged);
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(count))
    not_ours(path_, "it has changed meanwhile");
  if (count == 0) return;
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), path_, damaged);
}

void RunFile::numbers(const std::string& name, std::size_t count, float* out) const {
  const hdf5::Session session;
  numbers(name, count, H5T_NATIVE_FLOAT, out);
}

void RunFile::numbers(const std::string& name, std::size_t count, double* out) const {
  const hdf5::Session session;
  numbers(name, count, H5T_NATIVE_DOUBLE, out);
}

void RunFile::numbers(const std::string& name, std::size_t count, std::int32_t* out) const {
  const hdf5::Session session;
  numbers(name, count, H5T_NATIVE_INT32, out);
}

}  // namespace monocoque::server
