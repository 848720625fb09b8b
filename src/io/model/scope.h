#pragma once
// What every part of the reader needs: where complaints go, the overrides of the command line, and the
// parameters in scope. Internal to io.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/model/document.h"
#include "io/model/parameter_set.h"
#include "io/model/reader.h"

namespace monocoque::io {

/// Complaints and overrides of one reading.
class Context {
 public:
  Context(const ReadOptions& options, Diagnostics& diagnostics);

  /// The same mistake at the same place is said once, however many instances repeat it.
  void error(const Place& place, const std::string& element, const std::string& problem,
             const std::string& remedy = {});
  /// No further complaint will be shown: work on messages can be saved.
  bool full() const;
  Diagnostics& diagnostics() { return diagnostics_; }

  /// Value of `--set path=...`, which is thereby used, or null.
  NodePtr override_of(const std::string& path);
  bool has_overrides() const { return !overrides_.empty(); }
  /// Remembers which keys a path has, for suggestions.
  void note_owner(const std::string& path, const std::vector<std::string>& keys);
  /// One complaint for each override that nothing asked for.
  void report_unused();

  /// False while text in memory is read: then nothing else may be opened.
  bool files_allowed() const { return files_allowed_; }
  void allow_files(bool allowed) { files_allowed_ = allowed; }

  /// default_entry, parsed once per reading.
  const std::optional<ParameterSet::Entry>& default_of(const Field& field);

 private:
  struct Override {
    NodePtr value;
    bool used = false;
  };
  Diagnostics& diagnostics_;
  bool files_allowed_ = true;
  std::set<std::string> said_;
  std::map<std::string, Override> overrides_;
  std::map<std::string, std::vector<std::string>> owners_;
  std::map<std::string, std::optional<ParameterSet::Entry>> defaults_;
};

/// Named parameters: each a number or a formula of others, evaluated when first asked for.
class Scope {
 public:
  Scope(Context& context, const Scope* parent) : context_(context), parent_(parent) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// A later definition replaces an earlier one; `evaluated_in` (default: here) is where its names are
  /// sought.
  void define(const std::string& name, NodePtr value, const Scope* evaluated_in = nullptr);
  void define(const std::string& name, double value);
  /// Nothing when unknown or when its own value is in error (which has then been reported).
  std::optional<double> value(const std::string& name) const;
  /// Everything visible from here.
  std::vector<std::string> names() const;
  /// Evaluates all, so that mistakes in unused parameters are reported too.
  void evaluate_all() const;
  /// True when the name exists but its value could not be computed.
  bool failed(const std::string& name) const;

 private:
  enum class Progress { waiting, running, done, failed };
  struct Entry {
    NodePtr node;
    const Scope* home = nullptr;
    Progress progress = Progress::waiting;
    double value = 0;
  };
  Entry* find(const std::string& name) const;
  void evaluate(const std::string& name, Entry& entry, int depth) const;

  Context& context_;
  const Scope* parent_;
  mutable std::map<std::string, Entry> entries_;
};

/// True for names of parameters: a letter or _ first, then letters, digits, _.
bool is_identifier(const std::string& name);

}  // namespace monocoque::io
