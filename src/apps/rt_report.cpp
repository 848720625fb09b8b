#include "apps/rt_report.h"

#include <array>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/common.h"
#include "results/svg_plot.h"

namespace monocoque {

using realtime::LoopEnd;
using realtime::LoopStatistics;
using realtime::OverrunCause;
using realtime::RealtimeReport;
using realtime::StepHistogram;
using realtime::StepRecord;

namespace {

using Json = nlohmann::ordered_json;

struct NamedTimes {
  const char *key, *text;
  const StepHistogram* times;
};

std::array<NamedTimes, 6> rt_times(const LoopStatistics& s) {
  return {{{"step_cpu_us", "step, CPU time", &s.cpu},
           {"step_wall_us", "step, wall time", &s.wall},
           {"undisturbed_cpu_us", "undisturbed steps, CPU", &s.undisturbed_cpu},
           {"input_output_us", "inputs and outputs", &s.other},
           {"latency_us", "wake-up latency", &s.latency},
           {"slack_us", "slack", &s.slack}}};
}

double us(double ns) {
  return 1e-3 * ns;
}
double us(std::int64_t ns) {
  return 1e-3 * static_cast<double>(ns);
}

const char* end_name(LoopEnd end, const RealtimeReport& report) {
  if (report.stopped_by_timeout) return "input-timeout";
  switch (end) {
    case LoopEnd::finished:
      return "finished";
    case LoopEnd::interrupted:
      return "interrupted";
    case LoopEnd::overrun:
      return "overrun";
    case LoopEnd::task:
      break;
  }
  return "failed";
}

/// UTC with microseconds.
std::string stamp(const RealtimeReport& report, std::int64_t since_start_ns) {
  const std::int64_t ns = report.unix_start_ns + since_start_ns;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(static_cast<std::time_t>(ns / 1000000000)),
                     ns % 1000000000 / 1000);
}

Json record_json(const StepRecord& r, const RealtimeReport& report) {
  return {{"step", r.step},
          {"t_s", r.simulated_s},
          {"at", stamp(report, r.since_start_ns)},
          {"since_start_s", 1e-9 * static_cast<double>(r.since_start_ns)},
          {"cpu_us", us(r.cpu_ns)},
          {"wall_us", us(r.wall_ns)},
          {"input_output_us", us(r.other_wall_ns)},
          {"latency_us", us(r.latency_ns)},
          {"backlog_us", us(r.backlog_ns)},
          {"slack_us", us(r.slack_ns)},
          {"preemptions", r.preemptions},
          {"minor_faults", r.minor_faults},
          {"major_faults", r.major_faults}};
}

Json times_json(const StepHistogram& h) {
  return {{"mean", us(h.mean_ns())},          {"min", us(h.least_ns())},
          {"p50", us(h.quantile_ns(0.5))},    {"p99", us(h.quantile_ns(0.99))},
          {"p999", us(h.quantile_ns(0.999))}, {"p9999", us(h.quantile_ns(0.9999))},
          {"max", us(h.largest_ns())}};
}

std::string record_text(const StepRecord& r, const RealtimeReport& report) {
  return fmt::format(
      "t = {:.6g} s, {}: CPU {:.1f} us, wall {:.1f}, latency {:.1f}; preemptions {}, page faults {}",
      r.simulated_s, stamp(report, r.since_start_ns), us(r.cpu_ns), us(r.wall_ns), us(r.latency_ns),
      r.preemptions, r.minor_faults + r.major_faults);
}

}  // namespace

Json rt_json(realtime::RealtimeRun& run, bool paced) {
  const RealtimeReport& report = run.report();
  const LoopStatistics& s = run.statistics();
  const io::SimulationSpec& settings = run.simulation().settings();
  Json machine = Json::array(), worst = Json::array(), overruns = Json::array(), causes = Json::object(),
       links = Json::array(), final_values = Json::object();
  for (const realtime::MachineAnswer& a : report.machine)
    machine.push_back({{"what", a.what}, {"granted", a.granted}, {"text", a.text}});
  for (std::size_t i = 0; i < s.worst_kept(); ++i) worst.push_back(record_json(s.worst(i), report));
  for (std::size_t i = 0; i < s.overruns_kept(); ++i) {
    Json o = record_json(s.overrun(i).record, report);
    o["cause"] = cause_name(s.overrun(i).cause);
    overruns.push_back(std::move(o));
  }
  for (int c = 0; c < static_cast<int>(OverrunCause::count); ++c)
    causes[cause_name(static_cast<OverrunCause>(c))] = s.overruns_of(static_cast<OverrunCause>(c));
  for (const auto& link : run.links()) {
    Json counts = Json::object();
    for (const auto& [name, count] : link->counts()) counts[name] = count;
    links.push_back({{"link", link->description()}, {"counts", counts}});
  }
  for (std::size_t i = 0; i < run.layout().outputs.size(); ++i)
    final_values[run.layout().outputs[i].path] =
        json_number(run.last_outputs()[static_cast<Eigen::Index>(i)]);
  const double median_us = us(s.cpu.quantile_ns(0.5)), period_us = us(s.period_ns());
  Json out = {{"model", run.layout().model},
              {"solver", settings.solver},
              {"linear_solver", settings.linear_solver},
              {"jacobian", settings.jacobian},
              {"step_s", settings.step_s},
              {"paced", paced},
              {"end", end_name(report.loop.end, report)},
              {"started", stamp(report, 0)},
              {"steps", report.loop.steps},
              {"simulated_s", report.simulated_s},
              {"wall_s", 1e-9 * static_cast<double>(report.loop.wall_ns)},
              {"median_share_of_period", median_us / period_us}};
  for (const NamedTimes& t : rt_times(s)) out[t.key] = times_json(*t.times);
  out["least_slack_us"] = us(s.least_slack_ns());
  out["disturbed_steps"] = s.disturbed_steps();
  out["overruns"] = {{"count", s.overruns()},
                     {"causes", causes},
                     {"skipped_periods", report.loop.skipped_periods},
                     {"largest_backlog_us", us(s.largest_backlog_ns())},
                     {"behind_at_end_us", us(report.loop.behind_ns)},
                     {"first", overruns}};
  out["worst_steps"] = worst;
  out["machine"] = machine;
  out["stolen_s"] = report.stolen_s;
  out["memory_kB"] = {{"start", report.resident_start_kB}, {"end", report.resident_end_kB}};
  out["inputs"] = {{"timeouts", report.input_timeouts},
                   {"steps_without", report.steps_without_input},
                   {"limited", report.inputs_limited},
                   {"links", links}};
  out["state_crc32"] = report.state_crc32;
  out["final"] = final_values;
  return out;
}

void print_rt(realtime::RealtimeRun& run, bool paced) {
  const RealtimeReport& report = run.report();
  const LoopStatistics& s = run.statistics();
  const io::SimulationSpec& settings = run.simulation().settings();
  const double period_us = us(s.period_ns());
  fmt::print("model       {}\n", run.layout().model);
  fmt::print("solver      {}, step {:.6g} ms, {}\n", settings.solver, 1e3 * settings.step_s,
             paced ? "paced" : "unpaced");
  fmt::print("run         {} steps, {:.6g} s simulated in {:.6g} s: {}\n", report.loop.steps,
             report.simulated_s, 1e-9 * static_cast<double>(report.loop.wall_ns),
             end_name(report.loop.end, report));
  fmt::print("\n{:<24}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "us", "mean", "min", "50 %", "99 %", "99.9 %",
             "max");
  for (const NamedTimes& t : rt_times(s)) {
    if (!paced && (t.times == &s.latency || t.times == &s.slack)) continue;
    fmt::print("{:<24}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}\n", t.text,
               us(t.times->mean_ns()), us(t.times->least_ns()), us(t.times->quantile_ns(0.5)),
               us(t.times->quantile_ns(0.99)), us(t.times->quantile_ns(0.999)), us(t.times->largest_ns()));
  }
  fmt::print(
      "\nload        {:.1f} % of the period at the median, {:.1f} % at 99.9 % (CPU time of the step)\n",
      100 * us(s.cpu.quantile_ns(0.5)) / period_us, 100 * us(s.cpu.quantile_ns(0.999)) / period_us);
  fmt::print("disturbed   {} steps (preempted or with page faults)\n", s.disturbed_steps());
  fmt::print("overruns    {}", s.overruns());
  const char* separator = ": ";
  for (int c = 0; c < static_cast<int>(OverrunCause::count); ++c)
    if (const std::int64_t n = s.overruns_of(static_cast<OverrunCause>(c)); n > 0) {
      fmt::print("{}{} {}", separator, n, cause_name(static_cast<OverrunCause>(c)));
      separator = ", ";
    }
  if (report.loop.skipped_periods > 0) fmt::print("; {} periods skipped", report.loop.skipped_periods);
  if (report.loop.behind_ns > s.period_ns())
    fmt::print("; {:.6g} s behind at the end", 1e-9 * static_cast<double>(report.loop.behind_ns));
  fmt::print("\n");
  if (s.worst_kept() > 0)
    fmt::print("worst       step {}, {}\n", s.worst(0).step, record_text(s.worst(0), report));
  if (report.stolen_s > 0)
    fmt::print("stolen      {:.3g} s of processors were taken by the host of this virtual machine\n",
               report.stolen_s);
  fmt::print("memory      {} kB at the start, {} kB at the end\n", report.resident_start_kB,
             report.resident_end_kB);
  for (const auto& link : run.links()) {
    fmt::print("link        {}", link->description());
    for (const auto& [name, count] : link->counts())
      if (count > 0) fmt::print("; {} {}", name, count);
    fmt::print("\n");
  }
  if (!run.links().empty())
    fmt::print("inputs      {} steps without new ones, {} timeouts, {} values limited\n",
               report.steps_without_input, report.input_timeouts, report.inputs_limited);
  fmt::print("state       crc32 {:08x}\n", report.state_crc32);
}

void tell_overruns(const realtime::RealtimeRun& run) {
  const LoopStatistics& s = run.statistics();
  for (std::size_t i = 0; i < s.overruns_kept(); ++i)
    fmt::print(stderr, "overrun {:>8.1f} us, {:<12} step {}, {}\n", us(-s.overrun(i).record.slack_ns),
               cause_name(s.overrun(i).cause), s.overrun(i).record.step,
               record_text(s.overrun(i).record, run.report()));
  if (s.overruns() > static_cast<std::int64_t>(s.overruns_kept()))
    fmt::print(stderr, "and {} more overruns, counted but not listed\n",
               s.overruns() - static_cast<std::int64_t>(s.overruns_kept()));
}

void write_rt_histogram(const LoopStatistics& s, const std::string& path) {
  std::ofstream out(path);
  out << "from_us,to_us";
  const auto all = rt_times(s);
  for (const NamedTimes& t : all) {
    const std::string key = t.key;
    out << ',' << key.substr(0, key.size() - 3);  // the unit is that of the cells
  }
  out << '\n';
  for (std::size_t cell = 0; cell < StepHistogram::kCells; ++cell) {
    std::uint64_t any = 0;
    for (const NamedTimes& t : all) any += t.times->cell_count(cell);
    if (any == 0) continue;
    out << fmt::format("{:.3f},{:.3f}", us(StepHistogram::cell_begin_ns(cell)),
                       us(StepHistogram::cell_begin_ns(cell + 1)));
    for (const NamedTimes& t : all) out << ',' << t.times->cell_count(cell);
    out << '\n';
  }
  out.close();
  if (!out) throw SystemError(Place{path, 0}, "--histogram", "cannot be written", "");
}

void write_rt_plot(const LoopStatistics& s, const std::string& title, const std::string& path) {
  Plot plot;
  plot.title = title;
  plot.x_label = "time [us]";
  plot.y_label = "steps";
  plot.log_x = plot.log_y = true;
  for (const NamedTimes& t : rt_times(s)) {
    if (t.times == &s.undisturbed_cpu || t.times->largest_ns() == 0) continue;
    PlotSeries line;
    line.name = t.text;
    // Cells of a sixteenth of a power of two, drawn as stairs: finer ones are noise.
    constexpr std::size_t merged = 4;
    for (std::size_t cell = 2U << StepHistogram::kCellBits; cell + merged < StepHistogram::kCells;
         cell += merged) {
      std::uint64_t n = 0;
      for (std::size_t k = 0; k < merged; ++k) n += t.times->cell_count(cell + k);
      const double height = n > 0 ? static_cast<double>(n) : 0.5;
      const bool begins = line.x.empty();
      if (begins && n == 0) continue;
      const double from = us(StepHistogram::cell_begin_ns(cell)),
                   to = us(StepHistogram::cell_begin_ns(cell + merged));
      if (begins) {
        line.x.push_back(from);
        line.y.push_back(0.5);
      }
      line.x.insert(line.x.end(), {from, to});
      line.y.insert(line.y.end(), {height, height});
      if (StepHistogram::cell_begin_ns(cell + merged) > t.times->largest_ns()) {
        line.x.push_back(to);
        line.y.push_back(0.5);
        break;
      }
    }
    plot.series.push_back(std::move(line));
  }
  write_svg(plot, path);
}

}  // namespace monocoque
