#pragma once
// `monocoque bench`: parts that measure, each giving tables, plots and figures with bounds. `reproduce
// performance` runs the same parts.

#include <functional>
#include <string>
#include <vector>

#include "apps/options.h"
#include "apps/reproduce/reproduction.h"
#include "measure/benchmark.h"

namespace monocoque {

struct BenchOptions : PrintOptions {
  std::vector<std::string> parts;  ///< names of parts, or files of models; empty: all parts
  std::vector<std::string> solvers, jacobians, manoeuvres, overrides;  ///< empty: the part's own choice
  std::vector<double> steps_s;
  int steps = 0;  ///< of a model's measurement; 0: 1000
  std::string linear_solver = "structured";
  std::string state;         ///< file for the last state of a model's measurement
  std::string output, docs;  ///< folder of plots, page and JSON; page whose marked part is replaced
  bool quick = false;
};

}  // namespace monocoque

namespace monocoque::bench {

/// A number with the text that shows it, or a text.
struct Cell {
  Cell(const char* words) : text(words), value(words) {}             // NOLINT: cells are written in lists
  Cell(const std::string& words) : text(words), value(words) {}      // NOLINT
  Cell(int number) : text(std::to_string(number)), value(number) {}  // NOLINT
  /// As fmt::format(format, number) shows it.
  Cell(double number, const std::string& format);

  std::string text;
  nlohmann::ordered_json value;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note;

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
  std::string markdown() const;
  nlohmann::ordered_json json() const;
};

/// What the user asked for, and what has been measured so far.
class Bench {
 public:
  Bench(const BenchOptions& command, Reproduction& figures) : command_(command), figures_(figures) {}

  const BenchOptions& command() const { return command_; }
  bool quick() const { return figures_.quick(); }
  Reproduction& figures() { return figures_; }
  void say(const std::string& progress) const;
  void add(Table table) { tables_.push_back(std::move(table)); }
  const std::vector<Table>& tables() const { return tables_; }
  int runs() const { return quick() ? 3 : 9; }  ///< of which the best counts

  /// A figure that may not exceed its bound, or fall below it.
  void at_most(const std::string& quantity, const std::string& published, double measured, double bound,
               const std::string& unit);
  void at_least(const std::string& quantity, const std::string& published, double measured, double bound);
  /// The same of times and their ratios: in short they are shown only, for a busy machine must not decide.
  void time_at_most(const std::string& quantity, const std::string& published, double measured, double bound,
                    const std::string& unit);
  void time_at_least(const std::string& quantity, const std::string& published, double measured,
                     double bound);

  /// Throws Error when the user has interrupted the program.
  void check_interrupt() const;

 private:
  const BenchOptions& command_;
  Reproduction& figures_;
  std::vector<Table> tables_;
};

struct Part {
  std::string name, doc;
  std::function<void(Bench&)> run;
};
/// The one list of all parts, in the order of the page.
const std::vector<Part>& parts();

void figure_5_15(Bench& bench);
void cost_by_modes(Bench& bench);
void cost_by_units(Bench& bench);
void cost_by_step(Bench& bench);
void linear_solvers(Bench& bench);
void phases(Bench& bench);
void frontier(Bench& bench);
void couplings(Bench& bench);
void spread(Bench& bench);
/// A model of the user's.
void one_model(Bench& bench, const std::string& file);

/// Processor, compiler, flags and commit, as lines of text.
nlohmann::ordered_json machine();

}  // namespace monocoque::bench
