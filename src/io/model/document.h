#pragma once
// A YAML file as a tree of our own: every node knows its file and line, keys are unique, aliases are shared.
// Hostile files are refused here (size, depth, alias bombs, bytes that are no text), so the rest of the
// reader may walk the tree without guards. Internal to io.

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"

namespace monocoque::io {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

struct Node {
  enum class Kind { null, scalar, list, map };
  struct Member {
    std::string key;
    int line = 0;
    NodePtr value;
  };

  Kind kind = Kind::null;
  std::shared_ptr<const std::string> file;
  int line = 0;
  std::string text;             ///< of a scalar
  std::vector<NodePtr> items;   ///< of a list
  std::vector<Member> members;  ///< of a map, in the order of the file
  std::size_t size = 1;         ///< nodes below and including this one, aliases counted at every use
  int height = 1;

  Place place() const { return {file ? *file : std::string{}, line}; }
  const Member* member(const std::string& key) const;
  NodePtr find(const std::string& key) const;
  bool is_null() const { return kind == Kind::null; }
  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_scalar() const { return kind == Kind::scalar; }
};

/// What a node is, for messages: "-1200", "a list", "a map", "empty"; long text is cut.
std::string describe(const Node& node);
/// Text without line ends and control characters, cut to a length that fits a message.
std::string shorten(const std::string& text);

struct DocumentLimits {
  std::size_t bytes = 64u << 20;
  std::size_t nodes = 1'000'000;
  int depth = 100;
};

/// The root of the (one) document of a text, or null after a diagnostic.
NodePtr parse_document(const std::string& text, const std::string& file, Diagnostics& diagnostics,
                       const DocumentLimits& limits = {});
/// The whole file, or null after a diagnostic.
std::unique_ptr<std::string> read_file(const std::string& path, const Place& from, Diagnostics& diagnostics,
                                       const DocumentLimits& limits = {});

}  // namespace monocoque::io
