// The options of the commands that evaluate runs: signal, comfort, compare, loads.

#include "apps/signal_commands.h"

#include <memory>

#include <CLI/CLI.hpp>

namespace monocoque {

namespace {

void add_choice(CLI::App& command, SignalChoice& c, bool sample) {
  command.add_option("run", c.run, "result file (HDF5)")->required();
  command.add_option("--from", c.from_s, "first time, s");
  command.add_option("--to", c.to_s, "last time, s");
  if (sample)
    command.add_option("--sample", c.sample_s, "step of the samples, s; default: as recorded")
        ->check(CLI::PositiveNumber);
}

void register_signal(CLI::App& app, int& status) {
  CLI::App* signal = app.add_subcommand("signal", "spectra, filters, statistics and load cycles of channels");
  signal->require_subcommand(1);
  for (const auto& [name, help] :
       {std::pair{"psd", "power spectral density (Welch)"},
        std::pair{"frf", "frequency response and coherence; the first channel is the input"},
        std::pair{"filter", "Butterworth filters"}, std::pair{"rms", "mean, rms, extremes, crest factor"},
        std::pair{"rainflow", "load cycles (ASTM E1049) and damage-equivalent ranges"}}) {
    const auto o = std::make_shared<SignalCommand>();
    const std::string what = o->what = name;
    CLI::App* c = signal->add_subcommand(what, help);
    add_choice(*c, o->choice, true);
    c->add_option("channels", o->channels,
                  "channels, patterns with *, norm(V), rate(C), integral(C), \"C - D\"")
        ->required();
    c->add_option("--low-pass", o->low_pass_Hz, "Hz: filter before")->check(CLI::PositiveNumber);
    c->add_option("--high-pass", o->high_pass_Hz, "Hz: filter before; with --low-pass: a band")
        ->check(CLI::PositiveNumber);
    c->add_option("--order", o->order, "of the filter; 4");
    c->add_flag("--causal", o->causal, "filter forward only; default: zero phase");
    if (what == "psd" || what == "frf")
      c->add_option("--window", o->window_s, "length of a piece, s; default: an eighth of the signal")
          ->check(CLI::PositiveNumber);
    if (what == "rainflow") {
      c->add_option("--residue", o->residue, "half, repeat or drop");
      c->add_option("--hysteresis", o->hysteresis, "ranges up to this are passed over");
      c->add_option("--exponent", o->woehler_exponent, "of the Woehler line; 5")->check(CLI::PositiveNumber);
      c->add_option("--cycles", o->reference_cycles, "reference cycles; 1e6")->check(CLI::PositiveNumber);
      c->add_option("--bins", o->bins, "of the histogram; 32")->check(CLI::Range(1, 1000));
    }
    c->add_option("-o,--output", o->output, "table: .csv or .json");
    c->add_option("--plot", o->plot, "picture (SVG)");
    c->add_flag("--json", o->json, "as one JSON object on stdout");
    c->callback([o, &status] { status = command_signal(*o); });
  }
}

void register_comfort(CLI::App& app, int& status) {
  const auto o = std::make_shared<ComfortCommand>();
  CLI::App* c = app.add_subcommand("comfort", "whole-body vibration by ISO 2631-1 (docs/comfort.md)");
  add_choice(*c, o->choice, true);
  c->add_option("--seat", o->seat, "vector of acceleration at the seat: NAME/x, y, z, or a part");
  c->add_option("--back", o->back, "the same at the back");
  c->add_option("--feet", o->feet, "the same at the feet");
  c->add_option("--rotation", o->rotation, "vector of angular acceleration of the seat, or a part");
  const char* names[] = {"--x", "--y", "--z", "--rx", "--ry", "--rz"};
  for (int i = 0; i < 6; ++i) c->add_option(names[i], o->axes[i], "one channel for this axis, at --position");
  c->add_option("--position", o->position, "seat, back or feet")
      ->check(CLI::IsMember({"seat", "back", "feet"}));
  c->add_option("-o,--output", o->output, "weighted histories: .csv or .json");
  c->add_option("--plot", o->plot, "running rms (SVG)");
  c->add_flag("--json", o->json, "as one JSON object on stdout");
  c->callback([o, &status] { status = command_comfort(*o); });
}

void register_compare(CLI::App& app, int& status) {
  const auto o = std::make_shared<CompareCommand>();
  CLI::App* c = app.add_subcommand("compare", "two runs beside each other; status 1 when they differ");
  c->add_option("first", o->first, "result file (HDF5)")->required();
  c->add_option("second", o->second, "result file (HDF5)")->required();
  c->add_option("--tolerance", o->relative, "share of a channel's scale; 0.001")
      ->check(CLI::NonNegativeNumber);
  c->add_option("--absolute", o->absolute, "added to it, in units of each channel; 0")
      ->check(CLI::NonNegativeNumber);
  c->add_option("-c,--channels", o->channels, "channel patterns with *; default: all")->take_all();
  c->add_flag("--common-time", o->common_time, "runs of different length may agree");
  c->add_option("--shown", o->shown, "rows of the table; 20")->check(CLI::PositiveNumber);
  c->add_option("-o,--output", o->output, "all channels: .csv or .json");
  c->add_option("--plot", o->plot, "the worst channels (SVG)");
  c->add_flag("--json", o->json, "as one JSON object on stdout");
  c->callback([o, &status] { status = command_compare(*o); });
}

void register_loads(CLI::App& app, int& status) {
  const auto o = std::make_shared<LoadsCommand>();
  CLI::App* c = app.add_subcommand("loads", "loads on the nodes of a flexible part, for programs of fatigue");
  add_choice(*c, o->choice, false);
  c->add_option("part", o->part, "name of the part")->required();
  c->add_option("--nodes", o->nodes, "ids; default: all that carry loads")->delimiter(',');
  c->add_option("--format", o->format, "csv, nastran or abaqus (CalculiX)")
      ->check(CLI::IsMember({"csv", "nastran", "abaqus"}));
  c->add_option("--units", o->units, "of the file, length-mass-time, e.g. mm-t-s");
  c->add_option("--first-id", o->first_id, "Nastran: number of DLOAD, those of the sets and tables follow");
  c->add_flag("--from-zero", o->from_zero, "times count from the first instant");
  c->add_option("-o,--output", o->output, "file of the histories");
  c->add_option("--plot", o->plot, "sizes of forces and torques over time (SVG)");
  c->add_flag("--json", o->json, "largest loads as one JSON object on stdout");
  c->callback([o, &status] { status = command_loads(*o); });
}

}  // namespace

void register_signal_commands(CLI::App& app, int& status) {
  register_signal(app, status);
  register_comfort(app, status);
  register_compare(app, status);
  register_loads(app, status);
}

}  // namespace monocoque
