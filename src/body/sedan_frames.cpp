#include <fmt/format.h>

#include "body/sedan_parts.h"

namespace monocoque::body {

namespace {

/// The four edges around the end of a rail.
Names rail_end(int s) {
  return {fmt::format("F{0}c2-F{0}c3", s), fmt::format("F{0}c3-L{0}c3", s), fmt::format("L{0}c3-L{0}c2", s),
          fmt::format("L{0}c2-F{0}c2", s)};
}

void add_bumpers(Skeleton& b) {
  b.point("BF2", 2.25, .47, .48);
  b.point("BF1", 2.345, .25, .48);
  b.point("BF0", 2.378, 0, .48);
  b.point("BF3", 2.18, .70, .48);
  b.beam("bumper", {"BF3", "BF2", "BF1", "BF0"});
  b.spider("BF2", rail_end(0));
  b.point("BR2", -2.33, .49, .40);
  b.point("BR1", -2.40, .25, .40);
  b.point("BR0", -2.428, 0, .40);
  b.point("BR3", -2.28, .72, .40);
  b.beam("bumper", {"BR3", "BR2", "BR1", "BR0"});
  b.spider("BR2", rail_end(20));
}

void add_radiator_support(Skeleton& b) {
  b.point("RU2", 1.95, .70, .74);
  b.point("RU1", 2.0, .47, .75);
  b.point("RU0", 2.03, 0, .75);
  b.point("RM", 1.97, .47, .48);
  b.point("RL1", 2.0, .47, .28);
  b.point("RL0", 2.0, 0, .28);
  b.spider("RU2", {"G1a-G1b", "G1b-G1c", "G1c-G1d", "G1d-G1a"});
  b.spider("RM", {"F1c2-F1c3"});
  b.beam("radsupport", {"RU2", "RU1", "RU0"});
  b.beam("radsupport", {"RU1", "RM", "RL1", "RL0"});
}

void add_subframes(Skeleton& b) {
  b.point("SFa", 1.80, .45, .30);
  b.point("SFm", 1.84, .13, .30);
  b.point("SFm0", 1.85, 0, .30);
  b.point("SFb", 1.419, .41, .26);
  b.point("SFc", 1.234, .385, .265);
  b.point("SFd", 1.133, .37, .27);
  b.point("SFe", .96, .45, .25);
  b.point("SFd0", 1.133, 0, .28);
  b.point("SFa1", 1.88, .46, .37);
  b.beam("subframe", {"SFa", "SFb", "SFc", "SFd", "SFe"});
  b.beam("subframe_cross", {"SFa", "SFm", "SFm0"});
  b.beam("subframe_cross", {"SFd", "SFd0"});
  b.beam("subframe", {"SFa", "SFa1"});
  b.spider("SFa1", {"L1c2-L1c3"});
  b.spider("SFe", {"#sf5"});

  b.point("RSa", -1.317, .47, .33);
  b.point("RSb", -1.317, .199, .319);
  b.point("RSb0", -1.317, 0, .319);
  b.point("RSd", -1.54, .47, .32);
  b.point("RSe", -1.536, .145, .295);
  b.point("RSe0", -1.536, 0, .295);
  b.beam("subframe_cross", {"RSa", "RSb", "RSb0"});
  b.beam("subframe_cross", {"RSd", "RSe", "RSe0"});
  b.beam("subframe", {"RSb", "RSe"});
  b.spider("RSa", {"L16c2-L16c3"});
  b.spider("RSd", {"L17c2-L17c3"});
}

void add_reinforcements(Skeleton& b) {
  b.beam("rearbox", {"F14c0", "F14c1", "F14c2", "F14c3", "S14a"});  // rear seat
  b.beam("rearbox", {"F12c1", "F12c2", "F12c3", "S12a"});
  for (const int s : {8, 9, 10, 11}) {  // hoop and bridge of the tunnel
    b.beam("rearbox", {floor_point(s, 1), fmt::format("F{}ct", s), floor_point(s, 0)});
    b.bridge("rearbox", floor_point(s, 1));
  }
  b.bridge("stiffener", "F12c1");
}

void add_cross_car_beam(Skeleton& b) {
  b.point("IP1", .84, .40, .84);
  b.point("IP0", .84, 0, .84);
  b.point("IP2", .86, .69, .84);
  b.point("IPt", .80, .12, .60);
  b.beam("carbeam", {"IP2", "IP1", "IP0"});
  b.spider("IP2", {"H2ri-H3ri"});
  b.beam("carbeam", {"IP0", "IPt"});
  b.spider("IPt", {"F6ct-F7ct"});
}

}  // namespace

void add_frames(Skeleton& b) {
  add_bumpers(b);
  add_radiator_support(b);
  add_subframes(b);
  add_reinforcements(b);
  add_cross_car_beam(b);
  b.hang("panel", {"IP1", "IP0", "IP2"});
  b.hang("front", {"BF2", "BF0", "RU1", "RU0", "RL1", "RL0", "BF1"});
}

}  // namespace monocoque::body
