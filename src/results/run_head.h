#pragma once
// The head of a result file: the one place where it is read. Callers hold an hdf5::Session.

#include "results/run_access.h"
#include "results/run_file.h"

namespace monocoque::run_access {

/// The datasets that stay open beside the file.
struct RunTables {
  hdf5::Handle data, motion_x, motion_arrows;  ///< of motion: invalid when there is none
};

/// `before`: what was read earlier from the same file, so that known times need not be read again. Throws
/// Error when the file is not one of ours or damaged.
RunHead read_head(hid_t file, const std::string& path, RunUse use, const RunHead* before, RunTables& tables);

/// Lane and hits of cones, where the run has a lane.
void read_lane(hid_t file, const std::string& path, RunData& run);

}  // namespace monocoque::run_access
