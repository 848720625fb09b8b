#pragma once
// HTTP beside a live session: what the page asks of a run, for the one that is being driven.
//   /api/session, /api/runs/0/scene, asset/K, channels, layout, and road?x=..&y=..&heading=..: the surface
//   around a place, since nobody knows where a driver will go.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http.h"
#include "server/live_service.h"

namespace monocoque::server {

class LiveHandler final : public Handler {
 public:
  LiveHandler(const LiveFacts& facts, const std::vector<Channel>& channels);
  int worker(const Request& request) const override;
  Reply answer(const Request& request) noexcept override;

 private:
  Reply api(const std::string& path, const Request& request);
  Reply road(const Request& request) const;

  const LiveFacts& facts_;
  std::shared_ptr<const std::string> session_, scene_, channels_;
  std::vector<std::shared_ptr<const std::string>> assets_;
  std::mutex layout_mutex_;
  std::string layout_ = "null";  ///< kept as long as the session lasts
};

/// A mesh as the page reads it.
std::string asset_bytes(const SceneAsset& asset);

}  // namespace monocoque::server
