#include "server/live_handler.h"

#include <algorithm>
#include <cmath>

#include "io/files/json.h"

#include "server/container.h"
#include "server/page.h"
#include "server/query.h"

namespace monocoque::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kAhead_m = 120, kBehind_m = 40, kPiece_m = 0.5;
constexpr double kFarthest_m = 1e6;

std::shared_ptr<const std::string> shared(const Json& j) {
  return std::make_shared<const std::string>(json_text(j));
}

Reply reply_of(std::shared_ptr<const std::string> text, const char* type = "application/json") {
  Reply out;
  out.type = type;
  out.shared = std::move(text);
  return out;
}

}  // namespace

std::string asset_bytes(const SceneAsset& a) {
  Container out;
  const auto points = static_cast<std::size_t>(a.points.cols());
  std::copy_n(a.points.data(), 3 * points, out.add<float>("points", {points, 3}));
  auto* triangles = out.add<std::int32_t>("triangles", {a.triangles.size(), 3});
  for (const auto& t : a.triangles) triangles = std::copy(t.begin(), t.end(), triangles);
  auto* lines = out.add<std::int32_t>("lines", {a.lines.size(), 2});
  for (const auto& l : a.lines) lines = std::copy(l.begin(), l.end(), lines);
  const auto shapes = [&](const char* name, const SceneAsset::Rows& rows, std::size_t components) {
    if (rows.size() == 0) return;
    std::copy_n(rows.data(), rows.size(),
                out.add<float>(name, {points, components, static_cast<std::size_t>(rows.cols())}));
  };
  shapes("modes", a.modes, 3);
  shapes("stress", a.stress, 6);
  return out.bytes();
}

LiveHandler::LiveHandler(const LiveFacts& facts, const std::vector<Channel>& channels) : facts_(facts) {
  session_ = shared({{"mode", "live"}, {"runs", Json::array({facts.run})}, {"readonly", true}});
  Json scene = Json::parse(facts.scene.json);
  scene["assets"] = Json::array();
  for (const SceneAsset& a : facts.scene.assets) {
    scene["assets"].push_back({{"points", a.points.cols()},
                               {"triangles", a.triangles.size()},
                               {"nq", a.modes.cols()},
                               {"stress", a.stress.size() > 0}});
    assets_.push_back(std::make_shared<const std::string>(asset_bytes(a)));
  }
  scene["modes"] = 0;
  scene_ = shared(scene);
  Json list = Json::array();
  for (const Channel& c : channels) list.push_back({{"path", c.path}, {"unit", c.unit}});
  channels_ = shared({{"channels", std::move(list)}});
}

int LiveHandler::worker(const Request& request) const {
  return request.path == "/api/runs/0/road" ? 1 : 0;
}

Reply LiveHandler::answer(const Request& request) noexcept {
  try {
    if (request.path == "/" || request.path == "/index.html") return page_reply(request);
    if (!request.path.starts_with("/api/")) return error_reply(404, "there is no such page");
    return api(request.path.substr(5), request);
  } catch (const Refusal& r) {
    return error_reply(r.status, r.text);
  } catch (const std::exception& e) {
    return error_reply(500, e.what());
  }
}

Reply LiveHandler::road(const Request& request) const {
  const Query query(request.query);
  const double x = query.number("x", 0), y = query.number("y", 0), heading = query.number("heading", 0);
  if (std::abs(x) > kFarthest_m || std::abs(y) > kFarthest_m) refuse(400, "this place is too far away");
  std::vector<std::array<double, 3>> way;
  for (double s = -kBehind_m; s <= kAhead_m; s += kPiece_m)
    way.push_back({x + s * std::cos(heading), y + s * std::sin(heading), heading});
  const RoadStrip strip = road_strip(facts_.model, way);
  if (strip.empty()) return error_reply(404, "the road is flat");
  Container out;
  const auto rows = static_cast<std::size_t>(strip.line.rows()),
             columns = static_cast<std::size_t>(strip.offsets.size());
  std::copy_n(strip.line.data(), 4 * rows, out.add<double>("line", {rows, 4}));
  std::copy_n(strip.offsets.data(), columns, out.add<double>("offsets", {columns}));
  std::copy_n(strip.z.data(), rows * columns, out.add<float>("z", {rows, columns}));
  Reply reply;
  reply.type = "application/octet-stream";
  reply.body = out.bytes();
  return reply;
}

Reply LiveHandler::api(const std::string& path, const Request& request) {
  const bool put = request.method == "PUT";
  if (put && path != "runs/0/layout") return error_reply(405, "only a layout can be stored");
  if (path == "session") return reply_of(session_);
  if (path == "runs/0/scene") return reply_of(scene_);
  if (path == "runs/0/channels") return reply_of(channels_);
  if (path == "runs/0/road") return road(request);
  if (path == "runs/0/layout") {
    const std::scoped_lock lock(layout_mutex_);
    Reply reply;
    if (put) {
      if (!Json::accept(request.body)) return error_reply(400, "a layout is JSON");
      layout_ = request.body;
    }
    reply.body = layout_;
    return reply;
  }
  constexpr std::string_view asset = "runs/0/asset/";
  if (path.starts_with(asset)) {
    const std::string number = path.substr(asset.size());
    const bool digits =
        !number.empty() && number.size() < 6 &&
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::size_t k = digits ? std::stoul(number) : assets_.size();
    if (k < assets_.size()) return reply_of(assets_[k], "application/octet-stream");
  }
  return error_reply(404, "a live session has no such data; record it with --record and open the run");
}

}  // namespace monocoque::server
