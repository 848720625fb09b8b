#include "server/html_export.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include "io/files/json.h"

#include "core/error.h"
#include "server/container.h"
#include "server/page.h"

namespace monocoque::server {

namespace {

using Json = nlohmann::ordered_json;

std::string base64(const std::string& bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? letters[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

/// Series of a layout: channel paths, or e:EXPR. A layout comes from a file, so nothing of its form is sure.
struct Plot {
  std::string kind, x;
  double window = 2;
  std::vector<std::string> series;
};

std::vector<Plot> plots_of(const Json& layout) {
  std::vector<Plot> out;
  if (!layout.is_object() || !layout.contains("plots") || !layout["plots"].is_array()) return out;
  for (const Json& j : layout["plots"]) {
    if (!j.is_object()) continue;
    Plot p;
    const auto text = [&](const char* key) {
      return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : std::string();
    };
    p.kind = text("kind");
    p.x = text("x");
    if (j.contains("window") && j["window"].is_number()) p.window = j["window"].get<double>();
    if (j.contains("series") && j["series"].is_array())
      for (const Json& s : j["series"])
        if (s.is_string()) p.series.push_back(s.get<std::string>());
    out.push_back(std::move(p));
  }
  return out;
}

class Pack {
 public:
  Pack(RunApi& api, const std::vector<std::string>& patterns) : api_(api), patterns_(patterns) {
    container_.head["export"] = 1;
  }

  std::string bytes() {
    Json session = json("/api/session");
    session["readonly"] = true;
    session["export"] = true;
    Json layout;
    for (std::size_t i = 0; i < api_.runs(); ++i) {
      const Json own = json(fmt::format("/api/runs/{}/layout", i));
      if (!own.is_null()) layout = own;
      add_run(i, session["runs"][i], layout, !own.is_null());
    }
    put("/api/session", json_text(session));
    return container_.bytes();
  }

 private:
  Reply ask(const std::string& path, const std::string& query = {}) {
    Request r;
    r.method = "GET";
    r.path = path;
    r.query = query;
    return api_.answer(r);
  }
  Json json(const std::string& path) {
    const Json j = Json::parse(ask(path).body, nullptr, false);
    return j.is_discarded() ? Json() : j;
  }
  void put(const std::string& name, const std::string& body) {
    std::copy(body.begin(), body.end(), container_.add<char>(name, {body.size()}));
  }
  /// As the server would have sent it; false when it has none.
  bool copy(const std::string& name, const std::string& path, const std::string& query = {}) {
    const Reply r = ask(path, query);
    if (r.status != 200) return false;
    put(name, r.body);
    return true;
  }

  void add_run(std::size_t number, Json& info, const Json& layout, bool own_layout) {
    const std::string base = fmt::format("/api/runs/{}", number);
    const Json scene = json(base + "/scene");
    copy(base + "/scene", base + "/scene");
    const std::size_t assets = scene.is_object() && scene.contains("assets") ? scene["assets"].size() : 0;
    for (std::size_t k = 0; k < assets; ++k) {
      const std::string path = fmt::format("{}/asset/{}", base, k);
      copy(path, path);
    }
    copy(base + "/road", base + "/road");
    copy(base + "/modes", base + "/modes");
    if (own_layout) copy(base + "/layout", base + "/layout");
    add_motion(base, info);
    add_curves(base, info, plots_of(layout));
  }

  /// At most 60 rows a second, and 3600.
  void add_motion(const std::string& base, Json& info) {
    const auto rows = info["motion_rows"].get<std::size_t>();
    const double duration = info["t1"].get<double>() - info["t0"].get<double>();
    const auto wanted = static_cast<std::size_t>(std::clamp(60 * duration + 1, 1.0, 3600.0));
    const std::size_t stride = std::max<std::size_t>(1, (rows + wanted - 1) / wanted);
    if (copy(base + "/motion", base + "/motion", fmt::format("stride={}", stride)))
      info["motion_rows"] = rows == 0 ? 0 : (rows - 1) / stride + 1;
  }

  void add_curves(const std::string& base, Json& info, const std::vector<Plot>& plots) {
    const Json all = json(base + "/channels")["channels"];
    Json chosen = Json::array();
    std::vector<std::string> keys;  // as the server takes them: number or e:EXPR
    const auto choose = [&](const std::string& path) -> int {
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k]["path"] == path) return static_cast<int>(k);
      if (path.starts_with("e:")) {
        if (ask(base + "/at", "t=0&c=" + percent_encoded(path)).status != 200) return -1;
        chosen.push_back({{"path", path}, {"unit", ""}});
        keys.push_back(percent_encoded(path));
        return static_cast<int>(keys.size()) - 1;
      }
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k]["path"] == path) {
          chosen.push_back(all[k]);
          keys.push_back(std::to_string(k));
          return static_cast<int>(keys.size()) - 1;
        }
      return -1;  // a layout of another run
    };
    for (const Plot& p : plots) {
      if (!p.x.empty()) choose(p.x);
      for (const std::string& s : p.series) choose(s);
    }
    for (const Json& c : all)
      for (const std::string& pattern : patterns_)
        if (matches(pattern, c["path"].get<std::string>())) choose(c["path"].get<std::string>());
    if (keys.empty() && plots.empty() && patterns_.empty())
      for (const Json& c : all) choose(c["path"].get<std::string>());
    info["channels"] = keys.size();
    put(base + "/channels", json_text({{"channels", chosen}}));
    if (keys.empty()) return;
    const std::size_t points = std::clamp<std::size_t>(4000000 / keys.size(), 1000, 20000);
    copy(base + "/data", base + "/data",
         fmt::format("c={}&points={}&common_time=1", fmt::join(keys, ","), points));
    const auto key = [&](int k) { return keys[static_cast<std::size_t>(k)]; };
    for (const Plot& p : plots)
      for (const std::string& s : p.series) {
        const int y = choose(s), x = p.kind == "xy" ? choose(p.x) : -1;
        if (p.kind == "xy" && x >= 0 && y >= 0)
          copy(fmt::format("{}/xy?x={}&y={}", base, x, y), base + "/xy",
               fmt::format("x={}&y={}", key(x), key(y)));
        if (p.kind == "psd" && y >= 0)
          copy(fmt::format("{}/psd?c={}&window={:g}", base, y, p.window), base + "/psd",
               fmt::format("c={}&window={}", key(y), p.window));
      }
  }

  RunApi& api_;
  const std::vector<std::string>& patterns_;
  Container container_;
};

}  // namespace

std::string exported_page(RunApi& api, const std::vector<std::string>& channels) {
  const std::string& page = *page_text();
  const std::string mark = "<!--data-->";
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw Error("view", "the page of this program cannot hold data");
  return page.substr(0, at) + "<script type=\"application/octet-stream\" id=\"monocoque-data\">" +
         base64(gzip(Pack(api, channels).bytes())) + "</script>" + page.substr(at + mark.size());
}

}  // namespace monocoque::server
