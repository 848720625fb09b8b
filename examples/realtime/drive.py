#!/usr/bin/env python3
"""Drives the flexible Camry of models/camry/scenarios/external-control.yaml from outside.

    monocoque rt models/camry/scenarios/external-control.yaml --udp 5005 --layout layout.json --wait-input 30
    examples/realtime/drive.py udp 5005 layout.json

    monocoque rt models/camry/scenarios/external-control.yaml --shm car --layout layout.json --wait-input 30
    examples/realtime/drive.py shm car layout.json

Holds 15 m/s and the middle of a lane; changes to the lane 3.5 m to the left at 4 s and brakes from 10 s on.
"""

import math
import sys

from monocoque_rt import LAST, Layout, SharedLink, UdpLink

SPEED = 15.0  # m/s
WHEELBASE, RACK_PER_RAD, UNDERSTEER = 2.79, 0.13, -0.002


def steer(seen, lane_y):
    """Rack for the arc that meets the lane one second ahead; + turns to the right."""
    v = max(seen["speed/x"], 1.0)
    ahead = max(1.0 * v, 5.0)
    angle = math.atan2(lane_y - seen["place/y"], ahead) - seen["attitude/yaw"]
    curvature = 2 * math.sin(angle) / ahead
    return -RACK_PER_RAD * curvature * (WHEELBASE + UNDERSTEER * v * v)


def pedals(seen, wanted):
    """Torque and brakes on each front and rear wheel."""
    force = 400 * (wanted - seen["speed/x"])
    if wanted > 0:
        return max(-300, min(900, force)), 0, 0
    brake = 900 if seen["speed/x"] > 1 else 300 * max(seen["speed/x"], 0)
    return 0, brake, 0.3 * brake


def main(kind, where, layout_file):
    layout = Layout(layout_file)
    link = UdpLink(layout, int(where)) if kind == "udp" else SharedLink(layout, where)
    seen, silence, cycles = None, 0, 0
    while silence < 30:
        if seen is None:
            link.send()
        seen = link.receive(1.0)
        if seen is None:
            silence += 1
            continue
        silence = 0
        cycles += 1
        if seen["flags"] & LAST:
            break
        torque, front, rear = pedals(seen, SPEED if seen["t"] < 10 else 0)
        link.send(steer=steer(seen, 3.5 if seen["t"] > 4 else 0), throttle=torque, front_brake=front, rear_brake=rear)
        if cycles % 1000 == 0:
            print(f"t = {seen['t']:7.3f} s, x = {seen['place/x']:8.2f} m, y = {seen['place/y']:6.3f} m, "
                  f"{3.6 * seen['speed/x']:6.2f} km/h", file=sys.stderr)
    print(f"{cycles} cycles", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("udp", "shm"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
