#pragma once
// One function per command; each returns the exit status and throws Error for anything that went wrong.

#include <optional>
#include <string>
#include <vector>

namespace monocoque {

struct RunOptions {
  std::string scenario, output;
  std::string solver;                   ///< empty: as the scenario says
  std::optional<double> step_s, end_s;  ///< none: as the scenario says
  std::vector<std::string> overrides;
  bool json = false, quiet = false;
};
int command_run(const RunOptions& options);

struct RtCommand {
  std::string scenario, solver;
  std::optional<double> step_s, end_s;  ///< none: as the scenario says
  std::vector<std::string> overrides, outputs;
  bool forever = false, unpaced = false, no_lock = false;
  double spin_us = 0;
  std::optional<int> priority;  ///< none: 50 when paced
  int cpu = -1;
  std::string after_overrun = "catch-up";  ///< or skip, stop
  std::string udp, udp_peer;               ///< PORT or ADDRESS:PORT; empty: none
  std::string shared;                      ///< name of shared memory; empty: none
  double input_timeout_s = 0, wait_input_s = 0;
  std::string on_timeout = "hold";  ///< or initial, stop
  int send_every = 1;
  std::string layout, record, histogram, plot;  ///< files; empty: none
  bool json = false, quiet = false;
};
int command_rt(const RtCommand& options);

struct CheckOptions {
  std::string scenario;
  std::vector<std::string> overrides;
  bool json = false;
};
int command_check(const CheckOptions& options);

struct ExportOptions {
  std::string run, output;
  std::string lane_figure;  ///< SVG file
  std::vector<std::string> channels;
  int digits = 17;
  bool list = false, json = false;
};
int command_export(const ExportOptions& options);

struct ReportCommand {
  std::string run, other;  ///< other: empty, or a run to compare with
  std::string output;      ///< empty: name of the run with .html
};
int command_report(const ReportCommand& options);

/// A finite-element mesh and how to read it.
struct MeshOptions {
  std::string path;
  std::string units = "m-kg-s";              ///< length-mass-time, e.g. mm-t-s
  std::string mass = "consistent";           ///< or lumped; with matrices: file of the mass matrix
  bool lenient = false;                      ///< unknown cards that carry mass or stiffness are only listed
  std::string shared_rigid_nodes = "error";  ///< or first: a node of two rigid elements follows the first
  std::vector<std::string> only_properties;  ///< ids and ranges, "5-9"
  std::vector<std::string> only_elements;    ///< names of element kinds
  /// Assembled stiffness matrix and the meaning of its rows; the mesh then only gives the places of nodes.
  std::string stiffness, rows;
};

struct ReduceCommand {
  MeshOptions mesh;
  std::vector<std::string> boundary;  ///< ids, each with :components, e.g. 12:123456
  std::vector<std::string> interfaces;
  int modes = 20;
  double frequency_limit_Hz = 0;
  std::string basis = "craig-bampton";  ///< or modal, attachment, krylov
  std::string frame = "buckens";        ///< or tangent:ID, fixed:ID,ID,...
  double error_bound = 0, band_Hz = 0;
  std::vector<int> numbers;
  double damping = 0, rayleigh_alpha_per_s = 0, rayleigh_beta_s = 0;
  std::vector<double> origin_m;
  double memory_GiB = 0;
  bool geometric_stiffening = false;
  std::vector<std::string> stress;  ///< node ids, or all-interfaces
  std::string stress_surface = "top";
  std::string shapes;  ///< file of the shapes of all nodes; empty: none
  std::string report, output;
  bool json = false, quiet = false;
};
int command_reduce(const ReduceCommand& options);

/// Where a model is linearised; both: a run, then the equilibrium near its end.
struct StateOptions {
  bool equilibrium = false;
  std::optional<double> at_s;
  std::string turning_with;  ///< part whose turning about the vertical the frame follows; empty: world axes
};

struct ModesCommand {
  MeshOptions mesh;                    ///< its path may also be a reduced body or a model
  std::vector<std::string> held;       ///< ids, each with :components
  std::vector<std::string> overrides;  ///< models only
  std::optional<int> modes;            ///< none: 20 of a mesh, all of the others
  double frequency_limit_Hz = 0;
  StateOptions state;     ///< models only
  std::string output;     ///< models only: shapes for the viewer
  std::string plot;       ///< models only: eigenvalues as SVG; empty: none
  bool supports = false;  ///< keep those of the mesh
  bool json = false, quiet = false;
};
int command_modes(const ModesCommand& options);
/// Of Standard Input Data, and of a model at its initial state.
int command_modes_of_body(const ModesCommand& options);
int command_modes_of_model(const ModesCommand& options);

struct BodyCommand {
  std::optional<double> size_m, weld_pitch_m, thickness_scale, knockdown, bond_scale, mass_kg, centre_x_m,
      centre_z_m;              ///< none: as body::BodyParameters has it
  std::string weld = "rigid";  ///< or shared
  bool no_glass = false, closed_bulkhead = false;
  std::string output;    ///< mesh: .nas, .bdf, .inp; empty: none is written
  bool report = false;   ///< modes and static stiffness
  int modes = 10;        ///< of the report
  std::string pictures;  ///< folder for pictures of the mesh and, with report, of its modes
  bool json = false, quiet = false;
};
int command_body(const BodyCommand& options);

struct HandlingCommand {
  std::string scenario, output;  ///< output: folder of table and plots; empty: none are written
  std::vector<std::string> overrides;
  std::string speed_parameter = "speed_m_per_s", hold_parameter = "hold_speed";
  std::string steer = "rack", car = "car";
  std::vector<std::string> front, rear;  ///< empty: those of the Camry
  std::string solver;
  std::optional<double> step_s, speed_m_per_s, level_m_per_s2, small_steer;
  bool quick = false, json = false, quiet = false;
};
int command_handling(const HandlingCommand& options);

struct ReproduceCommand {
  std::string name;    ///< empty: list them
  std::string output;  ///< folder of plots and tables
  bool json = false, quick = false;
};
int command_reproduce(const ReproduceCommand& options);

struct BenchCommand {
  std::vector<std::string> parts;  ///< names of parts, or files of models; empty: all parts
  std::vector<std::string> solvers, jacobians, manoeuvres, overrides;  ///< empty: the part's own choice
  std::vector<double> steps_s;
  int steps = 0;  ///< of a model's measurement; 0: 1000
  std::string linear_solver = "structured";
  std::string state;         ///< file for the last state of a model's measurement
  std::string output, docs;  ///< folder of plots, page and JSON; page whose marked part is replaced
  bool quick = false, json = false, quiet = false;
};
int command_bench(const BenchCommand& options);

struct CovarianceCommand {
  std::string scenario, output, plot;  ///< output: spectra as CSV
  std::vector<std::string> overrides, outputs;
  std::string road_class = "C", over;  ///< over: path=from:to:count
  std::optional<double> roughness_m3, speed_m_per_s, at_s;
  double coherence = 1, longest_wavelength_m = 100, shortest_wavelength_m = 0;  ///< shortest 0: none
  bool isotropic = false, json = false;
};
int command_covariance(const CovarianceCommand& options);
struct LinearizeCommand {
  std::string scenario, output;  ///< .mat, .json or .csv; empty: none
  std::string plot;              ///< eigenvalues as SVG; empty: none
  std::vector<std::string> overrides, inputs, outputs;
  StateOptions state;
  bool json = false, quiet = false;
};
int command_linearize(const LinearizeCommand& options);

struct BodeCommand {
  std::string scenario, output, plot;  ///< CSV and SVG files; empty: none
  std::vector<std::string> overrides, inputs, outputs;
  StateOptions state;
  double from_Hz = 0.1, to_Hz = 100;
  int points = 401;
  bool json = false, quiet = false;
};
int command_bode(const BodeCommand& options);

struct LocusCommand {
  std::string scenario, over, output, plot;  ///< CSV and SVG files; empty: none
  std::vector<std::string> overrides;
  StateOptions state;
  double frequency_limit_Hz = 0;  ///< of what is shown; 0: all
  bool json = false, quiet = false;
};
int command_locus(const LocusCommand& options);

struct StabilityCommand {
  std::string scenario;  ///< empty: only pictures
  std::string pictures;  ///< folder; empty: none
  std::string output;    ///< .json or .csv; empty: none
  std::vector<std::string> overrides;
  StateOptions state;
  bool no_run = false, json = false, quiet = false;
};
int command_stability(const StabilityCommand& options);
struct ViewCommand {
  std::string run, other;   ///< other: empty, or a run to compare with
  std::string host;         ///< empty: loopback
  std::optional<int> port;  ///< none: 8740 or one of the next
  std::string html;         ///< one file instead of a server; empty: none
  std::vector<std::string> channels;
  bool no_browser = false, read_only = false, json = false;
};
int command_view(const ViewCommand& options);

/// The JSON Schema of model files on stdout.
int command_schema();
/// Element types with their keys, or the integrators, as a table.
int command_list(const std::string& what, bool json);

struct DriveCommandOptions {
  std::string scenario;     ///< empty: the Camry on a flat road
  std::string road;         ///< flat, random:A to random:E, FILE.crg; empty: that of the scenario
  std::string host;         ///< empty: loopback
  std::optional<int> port;  ///< none: 8740 or one of the next
  std::string record;       ///< result file; empty: none
  std::vector<std::string> overrides;
  std::optional<double> step_s;  ///< none: as the scenario says
  double seconds = 0;            ///< 0: until Ctrl-C
  std::optional<int> priority;
  int cpu = -1;
  bool rigid = false, no_browser = false, no_lock = false, json = false;
};
int command_drive(const DriveCommandOptions& options);

}  // namespace monocoque
