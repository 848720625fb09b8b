#pragma once
// Named channels with units, recorded into a block sized beforehand; a full block goes to the file.
// record() itself allocates nothing; flush() may (it calls HDF5).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"
#include "elements/lanes/lane.h"

namespace monocoque {

struct Scene;
struct RoadStrip;

struct Channel {
  std::string path;  ///< "rod0/position/x"
  std::string unit;  ///< "m"; "1" for dimensionless
};

/// What the file says about its origin.
struct RunInfo {
  std::string model, scenario, solver, settings_json, version, git_commit, source_text, created;
  std::optional<LaneGeometry> lane = std::nullopt;  ///< group /lane of the file
};

/// One HDF5 file: dataset /time (n), /data (n x channels, chunked), /channels (path, unit), attributes of
/// RunInfo, /scene and /motion for the viewer. Each full block is written and flushed at once, so a run that
/// is cut off opens up to its last block.
class RunWriter {
 public:
  /// With a scene the file also holds what the viewer draws, and motion() adds to it.
  RunWriter(const std::string& path, std::vector<Channel> channels, const RunInfo& info, int block_rows = 256,
            const Scene* scene = nullptr);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;
  /// Row to fill for time t; the pointer is valid until the next call. Writes the block out when it is full.
  double* next_row(double t);
  /// Positions and forces of one instant, of the sizes the scene tells.
  void motion(double t, const double* x, const float* arrows);
  void flush();
  /// Writes the rest, marks the run complete and closes. Called by the destructor without the mark.
  void finish(const std::string& summary_json, const std::vector<ConeHit>& hits = {},
              const RoadStrip* road = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A run read back into memory.
struct RunData {
  std::vector<Channel> channels;
  VecX time;
  MatX data;  ///< rows: times; columns: channels
  RunInfo info;
  bool complete = false;
  std::string summary_json;
  std::vector<ConeHit> hits;  ///< of cones of info.lane
  /// Column of a channel; throws Error with a suggestion when there is none.
  int column(const std::string& path) const;
};
/// Opens also a file cut off by a crash, up to its last flush. Throws Error with the reason otherwise.
RunData read_run(const std::string& path);

/// Comma-separated values: header "time [s],rod0/position/x [m],..."; patterns with * choose channels (empty:
/// all).
void export_csv(const RunData& run, const std::vector<std::string>& patterns, std::ostream& out,
                int digits = 17);

/// Whether a path matches a pattern in which * stands for any run of characters.
bool matches(const std::string& pattern, const std::string& path);

}  // namespace monocoque
