#pragma once
// Reads one map of a model file by its table of keys: complains about unknown and missing keys, fills in
// defaults, lets --set replace values. Internal to io.

#include <optional>
#include <string>
#include <vector>

#include "io/model/structure.h"
#include "io/model/values.h"

namespace monocoque::io {

class MapReader {
 public:
  /// `path` is how --set calls this map ("parts.rod"), `element` how messages call it. A null node stands for
  /// a map that is not there. The table of keys must outlive the reader.
  MapReader(Context& context, const Scope& scope, NodePtr node, const Keys& keys, std::string path,
            std::string element);

  /// The replaced value or the one of the file; null when the key is absent.
  NodePtr find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key) != nullptr; }
  Place place(const std::string& key) const;
  const std::string& element() const { return element_; }
  std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  /// The value, or else the default, or else (after a complaint) nothing.
  std::optional<ParameterSet::Entry> entry(const std::string& key, const Names& names = {}) const;
  double number(const std::string& key) const;
  Vec3 vec3(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<std::string> words(const std::string& key) const;  ///< empty when absent
  /// Items of a list of maps; anything else is a complaint.
  std::vector<NodePtr> maps(const std::string& key) const;
  void error(const std::string& key, const std::string& problem, const std::string& remedy = {}) const;

 private:
  const Key& key_info(const std::string& key) const;
  void report_unknown(const Node::Member& member) const;

  Context& context_;
  const Scope& scope_;
  NodePtr node_;
  const Keys& keys_;
  const std::string path_, element_;
};

/// Text and remedy for a key that a map does not have: spelling, unit, or the list of what there is.
std::string unknown_key_remedy(const std::string& key, const std::vector<std::string>& known);

}  // namespace monocoque::io
