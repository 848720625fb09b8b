#include "results/run_head.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace monocoque::run_access {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr const char* damaged = "the file is damaged";

/// Times of finished rows: the writer fills values before times, and a time that never arrived is NaN.
std::vector<double> read_times(hid_t file, const std::string& path, const char* name, std::size_t rows,
                               const std::vector<double>* before) {
  const Handle set = open_set(file, path, name);
  require_numbers(set, path, name);
  const hsize_t stored = lengths(set, path, name, 1, sizeof(double)).at(0);
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

void open_motion(hid_t file, const std::string& path, RunTables& tables) {
  if (!exists(file, "motion") || !exists(file, "motion/x") || !exists(file, "motion/arrows")) return;
  tables.motion_x = open_set(file, path, "motion/x");
  tables.motion_arrows = open_set(file, path, "motion/arrows");
  require_numbers(tables.motion_x, path, "motion/x");
  require_numbers(tables.motion_arrows, path, "motion/arrows");
}

/// What the viewer draws beside curves.
void read_pictures(hid_t file, const std::string& path, const RunHead* before, const RunTables& tables,
                   RunHead& head) {
  head.scene = exists(file, "scene");
  head.road = exists(file, "road") && exists(file, "road/z");
  if (tables.motion_x.valid()) {
    const auto x = lengths(tables.motion_x, path, "motion/x", 2, sizeof(double));
    const auto arrows = lengths(tables.motion_arrows, path, "motion/arrows", 2, sizeof(float));
    head.row = x[1];
    head.arrows = arrows[1];
    head.motion_time = read_times(file, path, "motion/time", std::min(x[0], arrows[0]),
                                  before != nullptr ? &before->motion_time : nullptr);
  }
  if (exists(file, "assets"))
    while (head.assets < 10000 && exists(file, fmt::format("assets/{}", head.assets).c_str())) ++head.assets;
  if (exists(file, "modes") && exists(file, "modes/frequency_Hz"))
    head.modes =
        lengths(open_set(file, path, "modes/frequency_Hz"), path, "modes/frequency_Hz", 1, sizeof(double))
            .at(0);
}

}  // namespace

RunHead read_head(hid_t file, const std::string& path, RunUse use, const RunHead* before, RunTables& tables) {
  RunHead head;
  if (!exists(file, "channels")) not_ours(path, "it has no group 'channels'");
  const auto paths = dataset_texts(file, path, "channels/path", 1),
             units = dataset_texts(file, path, "channels/unit", 1);
  if (paths.size() != units.size())
    not_ours(path, fmt::format("it has {} channel names and {} units", paths.size(), units.size()));
  for (std::size_t k = 0; k < paths.size(); ++k) head.channels.push_back({paths[k], units[k]});

  RunInfo& info = head.info;
  for (const auto& [name, value] :
       {std::pair{"model", &info.model}, std::pair{"scenario", &info.scenario},
        std::pair{"solver", &info.solver}, std::pair{"settings", &info.settings_json},
        std::pair{"version", &info.version}, std::pair{"git_commit", &info.git_commit},
        std::pair{"created", &info.created}, std::pair{"source", &info.source_text},
        std::pair{"summary", &head.summary_json}})
    *value = text(file, path, name);

  tables.data = open_set(file, path, "data");
  require_numbers(tables.data, path, "data");
  const auto size = lengths(tables.data, path, "data", 2, sizeof(double));
  if (size[1] != paths.size())
    not_ours(path, fmt::format("it names {} channels and holds {}", paths.size(), size[1]));
  // A file of another beginning, or with less in it, is another run.
  if (before != nullptr && (before->info.created != info.created || before->channels.size() != paths.size() ||
                            before->time.size() > size[0]))
    before = nullptr;
  head.time = read_times(file, path, "time", size[0], before != nullptr ? &before->time : nullptr);
  head.complete = complete_mark(file);
  if (use == RunUse::viewing) {
    open_motion(file, path, tables);
    read_pictures(file, path, before, tables, head);
  }
  return head;
}

}  // namespace monocoque::run_access
