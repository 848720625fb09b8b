// `monocoque signal`, `comfort`, `compare` and `loads` on runs of small models.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"

namespace monocoque::test {
namespace {

class SignalCommands : public Program {
 protected:
  std::string pendulum(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run", example("pendulum.yaml"), "-q", "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    if (std::find(more.begin(), more.end(), "--end") == more.end())
      arguments.insert(arguments.end(), {"--end", "4"});
    EXPECT_EQ(run(arguments).status, 0);
    return file;
  }
  nlohmann::json json_of(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, 0) << o.err;
    return nlohmann::json::parse(o.out);
  }
};

TEST_F(SignalCommands, EachAnalysis) {
  const std::string file = pendulum("p.h5");
  const auto rms = json_of({"signal", "rms", file, "bob/position/*", "norm(bob/velocity)"});
  ASSERT_EQ(rms["channels"].size(), 4U);
  EXPECT_EQ(rms["channels"][3]["unit"], "m/s");
  EXPECT_GT(rms["channels"][3]["rms"].get<double>(), 0);
  const auto psd =
      json_of({"signal", "psd", file, "bob/velocity/x", "--window", "2", "-o", "psd.csv", "--plot", "out"});
  EXPECT_EQ(psd["columns"][0]["name"], "frequency");
  EXPECT_EQ(psd["columns"][1]["unit"], "(m/s)^2/Hz");
  EXPECT_EQ(read_text(folder_ / "psd.csv").substr(0, 15), "frequency [Hz],");
  EXPECT_TRUE(has(read_text(folder_ / "out/psd.svg"), "<svg"));
  // From velocity to position: 1 / (2 pi f).
  const auto frf = json_of({"signal", "frf", file, "bob/velocity/x", "bob/position/x", "--window", "1"});
  EXPECT_EQ(frf["channels"][0]["unit"], "(m)/(m/s)");
  const Outcome filtered =
      run({"signal", "filter", file, "bob/velocity/x", "--low-pass", "5", "-o", "f.json"});
  EXPECT_EQ(filtered.status, 0) << filtered.err;
  EXPECT_EQ(nlohmann::json::parse(read_text(folder_ / "f.json"))["columns"][1]["name"], "bob/velocity/x");
  const auto flow =
      json_of({"signal", "rainflow", file, "bob/velocity/x", "--exponent", "3", "--residue", "repeat"});
  EXPECT_GT(flow["channels"][0]["equivalent_range"].get<double>(), 0);
  const Outcome table =
      run({"signal", "rms", file, "bob/position/x - bob/position/z", "--from", "1", "--to", "2"});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(has(table.out, "crest"));
}

TEST_F(SignalCommands, MistakesOfSignals) {
  const std::string file = pendulum("p.h5");
  EXPECT_TRUE(has(run({"signal", "rms", file, "bob/positoin/x"}).err, "did you mean 'bob/position/x'?"));
  EXPECT_TRUE(has(run({"signal", "filter", file, "bob/position/x"}).err, "no corner frequency"));
  EXPECT_TRUE(has(run({"signal", "frf", file, "bob/position/x"}).err, "input first"));
  EXPECT_TRUE(
      has(run({"signal", "rms", file, "bob/position/x", "--from", "9"}).err, "the run goes from 0 s to 4 s"));
  EXPECT_TRUE(has(run({"signal", "rms", file, "bob/position/x - bob/velocity/x"}).err, "do not go together"));
  EXPECT_TRUE(
      has(run({"signal", "psd", file, "bob/position/x", "--low-pass", "1e9"}).err, "half the sampling rate"));
  EXPECT_NE(run({"signal", "tidy", file}).status, 0);
}

TEST_F(SignalCommands, Comfort) {
  const std::string file = pendulum("p.h5");
  const auto c = json_of({"comfort", file, "--seat", "bob", "--plot", "out", "-o", "c.csv"});
  ASSERT_EQ(c["axes"].size(), 3U);
  EXPECT_EQ(c["axes"][2]["weighting"], "Wk");
  EXPECT_GT(c["total_value"].get<double>(), 0);
  EXPECT_FALSE(c["verdict"].empty());
  EXPECT_TRUE(c.contains("motion_sickness"));
  EXPECT_TRUE(has(read_text(folder_ / "out/running-rms.svg"), "<svg"));
  const Outcome feet = run({"comfort", file, "--z", "bob/acceleration/z", "--position", "feet"});
  EXPECT_EQ(feet.status, 0) << feet.err;
  EXPECT_TRUE(has(feet.out, "feet  z    Wk"));
  EXPECT_TRUE(has(run({"comfort", file}).err, "no acceleration is given"));
  EXPECT_TRUE(has(run({"comfort", file, "--seat", "nobody"}).err, "there are no channels nobody/x, y and z"));
  EXPECT_TRUE(has(run({"comfort", file, "--rx", "bob/acceleration/x", "--position", "feet"}).err, "no rule"));
}

TEST_F(SignalCommands, Compare) {
  const std::string a = pendulum("a.h5"), b = pendulum("b.h5"),
                    c = pendulum("c.h5", {"--set", "parts.bob.mass_kg=1.7", "--set",
                                          "parts.bob.inertia_kg_m2=[0.017,0.017,0.017]"}),
                    d = pendulum("d.h5", {"--end", "2"});
  const Outcome same = run({"compare", a, b, "--tolerance", "0"});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_TRUE(has(same.out, "the runs agree"));
  const Outcome other = run({"compare", a, c, "--plot", "out"});
  EXPECT_EQ(other.status, 1) << other.out;
  EXPECT_TRUE(has(other.out, "the runs differ"));
  EXPECT_TRUE(has(read_text(folder_ / "out/worst-channels.svg"), "<svg"));
  const Outcome positions =
      run({"compare", a, c, "--channels", "*/position/*", "--tolerance", "1e-6", "--json"});
  EXPECT_EQ(positions.status, 0) << positions.out;  // a pendulum's motion does not know its mass
  EXPECT_TRUE(nlohmann::json::parse(positions.out)["agree"].get<bool>());
  EXPECT_EQ(run({"compare", a, d}).status, 1);
  EXPECT_EQ(run({"compare", a, d, "--common-time"}).status, 0);
  EXPECT_TRUE(has(run({"compare", a, b, "-c", "nothing*"}).err, "no channel of these in common"));
}

TEST_F(SignalCommands, Loads) {
  const Outcome made =
      run({"run", example("flexible-double-pendulum.yaml"), "--end", "0.2", "-q", "-o", "f.h5"});
  ASSERT_EQ(made.status, 0) << made.err;
  const Outcome none = run({"loads", "f.h5", "nobody"});
  EXPECT_EQ(none.status, 3);
  const std::size_t at = none.err.find("there are: ");
  ASSERT_NE(at, std::string::npos) << none.err;
  const std::string part = none.err.substr(at + 11, none.err.find_first_of(",\n", at) - at - 11);
  for (const auto& [format, text] : {std::pair{"csv", "time,node_"}, std::pair{"nastran", "TABLED1*"},
                                     std::pair{"abaqus", "*CLOAD, AMPLITUDE=N"}}) {
    const Outcome o =
        run({"loads", "f.h5", part, "--format", format, "-o", "loads.txt", "--units", "mm-t-s"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "force_x")) << o.out;
    EXPECT_TRUE(has(read_text(folder_ / "loads.txt"), text)) << format;
  }
  EXPECT_TRUE(has(run({"loads", "f.h5", part, "--nodes", "99999"}).err, "no loads on node 99999"));
}

}  // namespace
}  // namespace monocoque::test
