#include "server/run_api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "server/container.h"
#include "server/page.h"

namespace monocoque::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array curve_kinds{"data", "at", "xy", "psd", "csv"};

bool is_curve(const std::string& kind) {
  return std::find(curve_kinds.begin(), curve_kinds.end(), kind) != curve_kinds.end();
}

std::vector<std::string> pieces_of(const std::string& path) {
  std::vector<std::string> out;
  std::istringstream in(path.substr(1));
  for (std::string piece; std::getline(in, piece, '/');) out.push_back(piece);
  return out;
}

std::size_t number_of(const std::string& text, std::size_t end, const char* what) {
  std::size_t n = 0;
  const auto [last, code] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (code != std::errc{} || last != text.data() + text.size() || n >= end)
    refuse(404, fmt::format("there is no {} '{}'", what, text));
  return n;
}

Reply json_reply(const Json& j) {
  Reply r;
  r.body = json_text(j);
  return r;
}

Reply container_reply(const Container& c) {
  Reply r;
  r.type = "application/octet-stream";
  r.body = c.bytes();
  return r;
}

/// JSON text of a file, or null when it is damaged.
Json parsed(const std::string& text) {
  Json j = Json::parse(text, nullptr, false);
  return j.is_discarded() ? Json(nullptr) : j;
}

/// Copies a dataset into the container; nothing when the file has none.
template <class T>
bool add_array(Container& c, const RunFile& file, const std::string& dataset, const std::string& name,
               int rank) {
  const auto shape = file.shape(dataset, rank);
  if (shape.empty()) return false;
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  file.numbers(dataset, count, c.add<T>(name, shape));
  return true;
}

std::string layout_path(const RunFile& file) {
  return std::filesystem::path(file.path()).replace_extension(".layout.json").string();
}

}  // namespace

RunApi::RunApi(ApiSettings settings) : settings_(std::move(settings)) {
  for (const std::string& path : settings_.runs)
    runs_.push_back(std::make_unique<Run>(path, settings_.memory_bytes));
}

int RunApi::worker(const Request& request) const {
  const std::size_t slash = request.path.rfind('/');
  return is_curve(request.path.substr(slash + 1)) ? 1 : 0;
}

Reply RunApi::answer(const Request& request) noexcept {
  try {
    const std::vector<std::string> path = pieces_of(request.path);
    if (path.empty() || (path.size() == 1 && path[0] == "index.html")) return page_reply(request);
    if (request.path == "/favicon.ico") {
      Reply none;
      none.status = 204;
      return none;
    }
    if (path[0] != "api" || path.size() < 2) return error_reply(404, "there is nothing of this name");
    if (path.size() == 2 && path[1] == "session") return session();
    if (path[1] != "runs" || path.size() < 4 || path.size() > 5)
      return error_reply(404, "there is nothing of this name");
    Run& run = *runs_[number_of(path[2], runs_.size(), "run")];
    return of_run(run, {path.begin() + 3, path.end()}, request);
  } catch (const Refusal& r) {
    return error_reply(r.status, r.text);
  } catch (const Error& e) {
    return error_reply(422, e.what());
  } catch (const std::bad_alloc&) {
    return error_reply(422, "there is not enough memory for this");
  } catch (const std::exception& e) {
    return error_reply(422, e.what());
  }
}

bool RunApi::background() noexcept {
  bool more = false;
  for (const auto& run : runs_) {
    try {
      if (run->damaged) continue;
      if (run->series.progress() == 0) run->series.update();
      more = run->series.work() || more;
    } catch (const std::exception&) {
      run->damaged = true;  // whoever asks for the damaged place is told
    }
  }
  return more;
}

Reply RunApi::session() {
  Json list = Json::array();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run& run = *runs_[i];
    run.file.refresh();
    const auto head = run.file.head();
    const RunInfo& info = head->info;
    Json j{{"id", i},
           {"file", run.file.name()},
           {"model", info.model},
           {"scenario", info.scenario},
           {"solver", info.solver},
           {"created", info.created},
           {"complete", head->complete},
           {"rows", head->time.size()},
           {"t0", head->time.empty() ? 0.0 : head->time.front()},
           {"t1", head->time.empty() ? 0.0 : head->time.back()},
           {"channels", head->channels.size()},
           {"motion_rows", head->motion_time.size()},
           {"modes", head->modes},
           {"generation", head->generation},
           {"progress", run.series.progress()},
           {"summary", parsed(head->summary_json)},
           {"settings", parsed(info.settings_json)},
           {"version", info.version},
           {"git_commit", info.git_commit}};
    list.push_back(std::move(j));
  }
  std::string mode = settings_.mode;
  if (mode.empty()) mode = !runs_.empty() && runs_[0]->file.head()->modes > 0 ? "modes" : "view";
  return json_reply({{"mode", mode}, {"runs", list}, {"readonly", settings_.read_only}});
}

Reply RunApi::of_run(Run& run, const std::vector<std::string>& path, const Request& request) {
  const std::string& kind = path[0];
  if (kind == "asset" && path.size() == 2) return asset(run, path[1]);
  if (path.size() != 1) refuse(404, "there is nothing of this name");
  if (request.method == "PUT" && kind != "layout") refuse(405, "only a layout can be kept");
  const Query query(request.query);
  if (is_curve(kind)) {
    run.series.update();
    return curve_answer(kind, run.file.name(), run.series, query);
  }
  if (kind == "scene") return scene(run);
  if (kind == "motion") return motion(run, query);
  if (kind == "road") return road(run);
  if (kind == "modes") return modes(run);
  if (kind == "values") return values(run, query);
  if (kind == "layout") return layout(run, request);
  if (kind == "channels") {
    Json list = Json::array();
    for (const Channel& c : run.file.head()->channels) list.push_back({{"path", c.path}, {"unit", c.unit}});
    return json_reply({{"channels", list}});
  }
  refuse(404, "there is nothing of this name");
}

Reply RunApi::scene(const Run& run) const {
  const auto head = run.file.head();
  if (!head->scene)
    refuse(404, "this run holds no scene: it was recorded without one, or by an older program");
  Json j = parsed(run.file.text("scene"));
  if (!j.is_object()) refuse(422, "the scene in this run is damaged");
  j["assets"] = Json::array();
  for (std::size_t k = 0; k < head->assets; ++k) {
    const std::string group = fmt::format("assets/{}/", k);
    const auto points = run.file.shape(group + "points", 2),
               triangles = run.file.shape(group + "triangles", 2);
    const auto modes = run.file.shape(group + "modes", 3), stress = run.file.shape(group + "stress", 3);
    j["assets"].push_back({{"points", points.empty() ? 0 : points[0]},
                           {"triangles", triangles.empty() ? 0 : triangles[0]},
                           {"nq", modes.empty() ? 0 : modes[2]},
                           {"stress", !stress.empty()}});
  }
  j["modes"] = head->modes;
  return json_reply(j);
}

Reply RunApi::asset(const Run& run, const std::string& number) const {
  const std::size_t k = number_of(number, run.file.head()->assets, "asset");
  const std::string group = fmt::format("assets/{}/", k);
  Container c;
  add_array<float>(c, run.file, group + "points", "points", 2);
  add_array<std::int32_t>(c, run.file, group + "triangles", "triangles", 2);
  add_array<std::int32_t>(c, run.file, group + "lines", "lines", 2);
  add_array<float>(c, run.file, group + "modes", "modes", 3);
  add_array<float>(c, run.file, group + "stress", "stress", 3);
  return container_reply(c);
}

Reply RunApi::motion(const Run& run, const Query& query) const {
  const auto head = run.file.head();
  const std::size_t rows = head->motion_time.size(), most = std::size_t{1} << 40;
  if (head->row == 0) refuse(404, "this run holds no motion");
  const std::size_t from = query.whole("from", 0, most), stride = query.whole("stride", 1, most);
  if (stride == 0) refuse(400, "'stride' is 0, it must be at least 1");
  std::size_t count = from >= rows ? 0 : (rows - from - 1) / stride + 1;
  count = std::min({count, query.whole("count", count, most),
                    settings_.answer_bytes / (4 * std::max(head->row, head->arrows))});
  Container c;
  double* time = c.add<double>("time", {count});
  for (std::size_t i = 0; i < count; ++i) time[i] = head->motion_time[from + i * stride];
  float* x = c.add<float>("x", {count, head->row});
  float* arrows = c.add<float>("arrows", {count, head->arrows});
  run.file.motion(*head, from, count, stride, x, arrows);
  c.head = {{"from", from}, {"stride", stride}, {"count", count}, {"rows", rows}};
  return container_reply(c);
}

Reply RunApi::road(const Run& run) const {
  if (!run.file.head()->road) refuse(404, "the road of this run is flat, or not recorded");
  Container c;
  add_array<double>(c, run.file, "road/line", "line", 2);
  add_array<double>(c, run.file, "road/offsets", "offsets", 1);
  add_array<float>(c, run.file, "road/z", "z", 2);
  return container_reply(c);
}

Reply RunApi::modes(const Run& run) const {
  if (run.file.head()->modes == 0) refuse(404, "this run holds no modes; `monocoque modes -o` writes them");
  Container c;
  add_array<double>(c, run.file, "modes/frequency_Hz", "frequency", 1);
  add_array<double>(c, run.file, "modes/damping_ratio", "damping", 1);
  add_array<double>(c, run.file, "modes/shape_real", "real", 2);
  add_array<double>(c, run.file, "modes/shape_imag", "imag", 2);
  return container_reply(c);
}

Reply RunApi::values(const Run& run, const Query& query) const {
  const auto head = run.file.head();
  const double t = query.number("t");
  if (head->time.empty()) refuse(404, "this run has no rows yet");
  std::size_t row = std::min(head->first_at(t), head->time.size() - 1);
  if (row > 0 && t - head->time[row - 1] < head->time[row] - t) --row;
  std::vector<double> values(head->channels.size());
  run.file.rows(row, 1, values.size(), values.data());
  return json_reply({{"t", head->time[row]}, {"row", row}, {"values", values}});
}

Reply RunApi::layout(const Run& run, const Request& request) const {
  namespace fs = std::filesystem;
  const std::string path = layout_path(run.file);
  std::error_code none;
  Reply r;
  if (request.method != "PUT") {
    r.body = "null";
    if (!fs::is_regular_file(path, none) || fs::file_size(path, none) > (1U << 20)) return r;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (Json::accept(text.str())) r.body = text.str();
    return r;
  }
  if (settings_.read_only) refuse(403, "the server was started with --read-only");
  if (!Json::accept(request.body)) refuse(400, "the layout is no JSON text");
  // A second file and a new name, so that a layout is never cut off.
  const std::string draft = path + ".new";
  std::ofstream out(draft, std::ios::binary);
  out << request.body;
  out.close();
  if (!out) refuse(422, "the layout cannot be written beside the run");
  fs::rename(draft, path, none);
  if (none) refuse(422, fmt::format("the layout cannot be written beside the run: {}", none.message()));
  r.body = R"({"kept":true})";
  return r;
}

}  // namespace monocoque::server
