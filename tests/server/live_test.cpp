// The live car on the network, as far as it needs none: who drives, frames as bytes, answers beside the
// session.

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "server/live_handler.h"
#include "support/run.h"

namespace monocoque::server {
namespace {

TEST(LiveSeat, TheFirstDrivesTheOthersWatch) {
  LiveSeat seat;
  seat.join(1, 0);
  seat.join(2, 1);
  EXPECT_EQ(seat.driver(), 1U);
  // An active driver is asked, and may give.
  seat.moved(5);
  EXPECT_EQ(seat.request(2, 6), LiveSeat::Answer::driver_asked);
  EXPECT_FALSE(seat.give(2, 6));
  EXPECT_TRUE(seat.give(1, 7));
  EXPECT_EQ(seat.driver(), 2U);
  EXPECT_FALSE(seat.give(2, 8));
  // An idle one is not.
  EXPECT_EQ(seat.request(1, 16.9), LiveSeat::Answer::driver_asked);
  EXPECT_EQ(seat.request(1, 17.1), LiveSeat::Answer::granted);
  EXPECT_EQ(seat.driver(), 1U);
}

TEST(LiveSeat, IsFreeWhenTheDriverLeaves) {
  LiveSeat seat;
  seat.join(1, 0);
  seat.join(2, 0);
  EXPECT_FALSE(seat.leave(2));
  seat.join(3, 0);
  EXPECT_EQ(seat.request(3, 1), LiveSeat::Answer::driver_asked);
  EXPECT_TRUE(seat.leave(1));
  EXPECT_EQ(seat.driver(), LiveSeat::nobody);
  EXPECT_EQ(seat.request(3, 2), LiveSeat::Answer::granted);
  EXPECT_TRUE(seat.leave(3));
  seat.join(4, 3);
  EXPECT_EQ(seat.driver(), 4U);
  // Who asked and left gets nothing.
  seat.join(5, 3);
  seat.moved(4);
  EXPECT_EQ(seat.request(5, 5), LiveSeat::Answer::driver_asked);
  seat.leave(5);
  EXPECT_FALSE(seat.give(4, 6));
}

TEST(LiveService, PacksFramesAsDocumented) {
  realtime::LiveFrame f;
  f.t_s = 12.5;
  f.sequence = 77;
  f.speed_m_per_s = -3;
  f.flags = 9;
  f.row = VecX::LinSpaced(4, 1, 4);
  f.arrows = {5, 6, 7};
  f.channels = VecX::LinSpaced(2, 8, 9);
  const std::string bytes = LiveService::packed(f);
  ASSERT_EQ(bytes.size(), 32U + 4 * 9);
  double head[4];
  float rest[9];
  std::memcpy(head, bytes.data(), sizeof head);
  std::memcpy(rest, bytes.data() + 32, sizeof rest);
  EXPECT_EQ(head[0], 12.5);
  EXPECT_EQ(head[1], 77);
  EXPECT_EQ(head[2], -3);
  EXPECT_EQ(head[3], 9);
  for (int k = 0; k < 9; ++k) EXPECT_EQ(rest[k], static_cast<float>(k + 1));
}

TEST(LiveHandler, AnswersWhatAPageAsks) {
  const test::Loaded car = test::load_model("camry/scenarios/random-road.yaml");
  const LiveFacts facts{*car.model, describe_scene(car.spec.model, *car.model), {{"id", 0}}};
  LiveHandler handler(facts, {{"speed/x", "m/s"}});
  const auto get = [&](const std::string& path, const std::string& query = "",
                       const std::string& method = "GET", const std::string& body = "") {
    return handler.answer({method, path, query, body, false});
  };
  const auto text = [](const Reply& r) { return r.shared ? *r.shared : r.body; };
  EXPECT_NE(text(get("/api/session")).find("\"mode\":\"live\""), std::string::npos);
  EXPECT_NE(text(get("/api/runs/0/channels")).find("speed/x"), std::string::npos);
  EXPECT_NE(text(get("/api/runs/0/scene")).find("\"assets\""), std::string::npos);
  EXPECT_EQ(get("/api/runs/0/road", "x=10&y=0&heading=0").status, 200);
  EXPECT_EQ(get("/api/runs/0/road", "x=1e300&y=0").status, 400);
  EXPECT_EQ(get("/api/runs/0/road", "x=nan").status, 400);
  for (const char* path :
       {"/api/runs/1/scene", "/api/runs/0/asset/99999999999999999999", "/api/runs/0/asset/-1",
        "/api/runs/0/asset/", "/api/../etc/passwd", "/etc/passwd", "/api/", "/api/runs/0/data"})
    EXPECT_EQ(get(path).status, 404) << path;
  EXPECT_EQ(get("/api/runs/0/scene", "", "PUT", "{}").status, 405);
  EXPECT_EQ(get("/api/runs/0/layout", "", "PUT", "{").status, 400);
  EXPECT_EQ(get("/api/runs/0/layout", "", "PUT", "{\"a\":1}").status, 200);
  EXPECT_EQ(text(get("/api/runs/0/layout")), "{\"a\":1}");
}

}  // namespace
}  // namespace monocoque::server
