#pragma once
// What a report draws, found from the names of the channels alone, so that it fits any model. A figure names
// its channels; curves of a run are computed from it, so that a second run gets the same figures.

#include <optional>
#include <string>
#include <vector>

#include "results/recorder.h"
#include "results/svg_plot.h"

namespace monocoque {

struct ReportCurve {
  /// value: one channel; length: of a vector; roll, pitch, yaw: degrees, from the four channels of a
  /// quaternion; turn: degrees about one axis, from q0 and its component; balance: energy left over;
  /// path: two channels, one over the other
  enum class Kind { value, length, roll, pitch, yaw, turn, balance, path };
  std::string name;
  std::vector<std::string> paths;
  Kind kind = Kind::value;
};

struct ReportFigure {
  std::string title, x_label = "t in s", y_label;
  std::vector<ReportCurve> curves;
  bool log_y = false, equal_axes = false;
};

struct ReportSection {
  std::string title, text;
  std::vector<ReportFigure> figures;
};

/// Figures of the run, without those of energy and drift. Curves that are zero all the time are left out.
std::vector<ReportSection> report_sections(const RunData& run);
/// Energies, energy left over, drift.
std::vector<ReportFigure> audit_figures(const RunData& run);

/// Nothing when the run lacks a channel.
std::optional<PlotSeries> report_series(const ReportCurve& curve, const RunData& run);

/// The energy balance as docs/theory/equations-of-motion.md has it, from the recorded channels: largest
/// |E - E(0) - supplied + dissipated|, and the largest kinetic plus elastic energy. Nothing without them.
struct EnergyAudit {
  double largest_error_J = 0, largest_energy_J = 0;
};
std::optional<EnergyAudit> energy_audit(const RunData& run);

}  // namespace monocoque
