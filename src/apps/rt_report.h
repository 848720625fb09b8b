#pragma once
// What `monocoque rt` prints and writes about its steps.

#include <string>

#include "io/files/json.h"

#include "realtime/realtime_run.h"

namespace monocoque {

nlohmann::ordered_json rt_json(realtime::RealtimeRun& run, bool paced);
/// The same as a table on stdout.
void print_rt(realtime::RealtimeRun& run, bool paced);
/// Overruns kept, one line each, on stderr.
void tell_overruns(const realtime::RealtimeRun& run);
/// Times of all steps: rows of cells that are not empty. Throws Error when the file cannot be written.
void write_rt_histogram(const realtime::LoopStatistics& statistics, const std::string& path);
void write_rt_plot(const realtime::LoopStatistics& statistics, const std::string& title,
                   const std::string& path);

}  // namespace monocoque
