#include "io/model/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace monocoque::io {

namespace {

/// Leaves the parser of yaml-cpp from inside an event.
struct Refusal {
  int line;
  std::string problem, remedy;
};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, Diagnostics& diagnostics, const DocumentLimits& limits)
      : file_(std::make_shared<const std::string>(file)), diagnostics_(diagnostics), limits_(limits) {}

  NodePtr root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_)
      throw Refusal{mark.line + 1, "a second YAML document begins here", "a file holds one document"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { finish(make(mark), anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end())
      throw Refusal{mark.line + 1, "an alias refers to a node that contains it",
                    "a model cannot contain itself"};
    add(it->second, mark.line + 1);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto node = make(mark);
    // Only unquoted text can be the word null.
    const bool plain = tag != "!";
    if (!(plain && (value == "~" || value == "null" || value.empty()))) {
      node->kind = Node::Kind::scalar;
      node->text = value;
    }
    finish(node, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, Node::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor;
    bool has_key = false;
    std::string key;
    int key_line = 0;
    std::set<std::string> seen;
    std::vector<NodePtr> merges;
  };

  std::shared_ptr<Node> make(const YAML::Mark& mark) const {
    auto node = std::make_shared<Node>();
    node->file = file_;
    node->line = mark.line + 1;
    return node;
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
    if (!levels_.empty() && levels_.back().node->is_map() && !levels_.back().has_key)
      throw Refusal{mark.line + 1, "a list or a map stands where a key is expected",
                    "a key must be plain text; check that every bracket is closed"};
    if (static_cast<int>(levels_.size()) >= limits_.depth)
      throw Refusal{mark.line + 1, fmt::format("the nesting is deeper than {} levels", limits_.depth), {}};
    auto node = make(mark);
    node->kind = kind;
    levels_.push_back({node, anchor, false, {}, 0, {}, {}});
  }
  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    merge(level);
    finish(level.node, level.anchor);
  }
  void finish(const std::shared_ptr<Node>& node, YAML::anchor_t anchor) {
    // What is not there has no place; the key that lacks it has one.
    if (node->is_null() && !levels_.empty() && levels_.back().has_key) node->line = levels_.back().key_line;
    for (const NodePtr& item : node->items) count(*node, *item);
    for (const Node::Member& m : node->members) count(*node, *m.value);
    check(*node, node->line);
    if (anchor != 0) anchors_[anchor] = node;
    add(node, node->line);
  }
  static void count(Node& node, const Node& child) {
    node.size += child.size;
    node.height = std::max(node.height, child.height + 1);
  }
  void check(const Node& node, int line) const {
    if (node.size > limits_.nodes)
      throw Refusal{
          line, fmt::format("the file holds more than {} values, aliases counted", limits_.nodes), {}};
    if (node.height > limits_.depth + 1)
      throw Refusal{line, fmt::format("the nesting is deeper than {} levels", limits_.depth), {}};
  }
  void add(const NodePtr& node, int line) {
    if (levels_.empty()) {
      root_ = node;
      return;
    }
    Level& level = levels_.back();
    if (level.node->is_list()) {
      level.node->items.push_back(node);
    } else if (!level.has_key) {
      if (!node->is_scalar()) throw Refusal{line, "a key is missing or is no text", "write key: value"};
      level.has_key = true;
      level.key = node->text;
      level.key_line = line;
    } else {
      level.has_key = false;
      add_member(level, node);
    }
  }
  void add_member(Level& level, const NodePtr& node) {
    if (level.key == "<<" && (node->is_map() || node->is_list())) {
      level.merges.push_back(node);
    } else if (!level.seen.insert(level.key).second) {
      diagnostics_.error({*file_, level.key_line}, {},
                         fmt::format("key '{}' appears twice in the same map", shorten(level.key)),
                         "keep one of them");
    } else {
      level.node->members.push_back({level.key, level.key_line, node});
    }
  }
  /// "<<: *other" adds the keys of other that the map does not have itself.
  void merge(Level& level) {
    std::vector<NodePtr> sources;
    for (const NodePtr& m : level.merges) {
      if (m->is_map()) sources.push_back(m);
      if (m->is_list()) sources.insert(sources.end(), m->items.begin(), m->items.end());
    }
    for (const NodePtr& source : sources) {
      if (!source->is_map()) throw Refusal{source->line, "'<<' merges a map or a list of maps", {}};
      for (const Node::Member& m : source->members)
        if (level.seen.insert(m.key).second) level.node->members.push_back(m);
    }
  }

  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  const DocumentLimits limits_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, NodePtr> anchors_;
  NodePtr root_;
};

/// Line of the first byte that text cannot hold, or 0.
int line_of_binary(const std::string& text) {
  int line = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') ++line;
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) return line;
  }
  return 0;
}

}  // namespace

const Node::Member* Node::member(const std::string& key) const {
  for (const Member& m : members)
    if (m.key == key) return &m;
  return nullptr;
}

NodePtr Node::find(const std::string& key) const {
  const Member* m = member(key);
  return m ? m->value : nullptr;
}

std::string shorten(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (out.size() >= 60) return out + "...";
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "empty";
    case Node::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    case Node::Kind::map:
      return "a map";
    case Node::Kind::scalar:
      break;
  }
  return node.text.empty() ? "''" : shorten(node.text);
}

NodePtr parse_document(const std::string& text, const std::string& file, Diagnostics& diagnostics,
                       const DocumentLimits& limits) {
  if (text.size() > limits.bytes) {
    diagnostics.error({file, 0}, {}, fmt::format("the file is larger than {} MiB", limits.bytes >> 20));
    return nullptr;
  }
  if (const int line = line_of_binary(text)) {
    diagnostics.error({file, line}, {}, "this is no text file: it holds a control character");
    return nullptr;
  }
  TreeBuilder builder(file, diagnostics, limits);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal& r) {
    diagnostics.error({file, r.line}, {}, r.problem, r.remedy);
    return nullptr;
  } catch (const YAML::Exception& e) {
    diagnostics.error({file, std::max(0, e.mark.line + 1)}, {},
                      fmt::format("this is not valid YAML: {}", e.msg),
                      "check indentation, quotes and brackets");
    return nullptr;
  } catch (const std::exception& e) {
    diagnostics.error({file, 0}, {}, fmt::format("the file cannot be read as YAML: {}", e.what()));
    return nullptr;
  }
  if (!builder.root() || builder.root()->is_null()) {
    diagnostics.error({file, 0}, {}, "the file is empty", "begin with monocoque: 1");
    return nullptr;
  }
  return builder.root();
}

std::unique_ptr<std::string> read_file(const std::string& path, const Place& from, Diagnostics& diagnostics,
                                       const DocumentLimits& limits) {
  const Place place = from.known() ? from : Place{path, 0};
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) {
    diagnostics.error(place, {}, fmt::format("file '{}' does not exist or is no file", path),
                      "check the path");
    return nullptr;
  }
  const auto size = std::filesystem::file_size(path, code);
  if (!code && size > limits.bytes) {
    diagnostics.error(place, {}, fmt::format("file '{}' is larger than {} MiB", path, limits.bytes >> 20));
    return nullptr;
  }
  std::ifstream in(path, std::ios::binary);
  auto text =
      std::make_unique<std::string>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (!in) {
    diagnostics.error(place, {}, fmt::format("file '{}' cannot be read", path), "check its permissions");
    return nullptr;
  }
  return text;
}

}  // namespace monocoque::io
