#pragma once
// What a run comes to, for its first screen: the outcome in plain words, key figures, a verdict on energy and
// drift, and whatever speaks against believing it. Found from the names of channels, as the figures are.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/body_motion.h"
#include "results/recorder.h"

namespace monocoque {

struct KeyFigure {
  std::string name, value, unit, note;
};

struct Verdict {
  enum class Level { good, fair, bad, unknown };
  Level level = Level::unknown;
  std::string text;
};

struct RunDigest {
  std::vector<std::string> outcome;  ///< sentences
  std::vector<KeyFigure> figures;
  Verdict energy, drift;
  std::vector<std::string> doubts;
};

/// `motion` and `peaks` (of its bodies, in their order) may be empty.
RunDigest digest_of(const RunData& run, const nlohmann::ordered_json& settings,
                    const nlohmann::ordered_json& summary, const RunMotion& motion,
                    const std::vector<BodyPeaks>& peaks);

/// What a vehicle did: of a run with tires and a part whose motion was recorded. Forward is the part's x
/// axis, seen from above.
struct VehicleFigures {
  std::string part;
  double start_speed = 0, end_speed = 0, largest_speed = 0, smallest_speed = 0;  ///< m/s, over ground
  double distance = 0;  ///< m, of its way over ground
  struct Peak {
    double value = 0, at_s = 0;
    std::string of;
  };
  Peak lateral, forward;           ///< m/s^2, greatest by size, with sign; left and forward positive
  Peak roll, pitch;                ///< deg
  Peak yaw_rate;                   ///< deg/s
  Peak least_load, greatest_load;  ///< N, of all tires
  std::vector<std::pair<std::string, double>> lifted;  ///< tires and how long they carried nothing, s
};
/// Empty name of the part: there is no vehicle. `wanted`: the part that is the vehicle, if known.
VehicleFigures vehicle_figures(const RunData& run, const std::string& wanted);

}  // namespace monocoque
