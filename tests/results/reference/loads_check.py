#!/usr/bin/env python3
"""Loads and stresses of a flexible part, read back without any code of ours.

    monocoque run models/camry/scenarios/washboard-flexible.yaml -o run.h5
    monocoque loads run.h5 car --format nastran --units mm-t-s -o loads.bdf
    tests/results/reference/loads_check.py run.h5 loads.bdf models/camry/camry-body-40.h5 car

The deck is read by its columns (8 and 16 characters), its tables are multiplied with the unit loads and compared with
the channels of the run (N, N m). Stresses are sigma q, from the modal stresses of the body file and the elastic
coordinates of the run; von Mises from the six of them. Ends with status 1 beyond 1e-6 of the largest value.
"""
import sys

import h5py
import numpy as np

run_file, deck, body_file, part = sys.argv[1:5]
LENGTH = 1e-3  # m of the deck's unit


def cards(path):
    card = []
    for line in open(path):
        line = line.rstrip("\n")
        if not line or line[0] == "$":
            continue
        assert len(line) <= 72, line
        name = line[:8].strip()
        if name not in ("*", "+", ""):
            if card:
                yield card
            card = [name.rstrip("*")]
        width = 16 if name.endswith("*") else 8
        line = line.ljust(72)
        card += [line[8 + i * width:8 + (i + 1) * width].strip() for i in range(64 // width)]
    if card:
        yield card


tables, unit_loads, histories, selected = {}, {}, {}, []
for c in cards(deck):
    if c[0] == "TABLED1":
        end = c.index("ENDT")
        numbers = np.array([float(v) for v in c[9:end]])
        tables[int(c[1])] = numbers[0::2], numbers[1::2]
    elif c[0] in ("FORCE", "MOMENT"):
        direction = float(c[4]) * np.array([float(v or 0) for v in c[5:8]])
        unit_loads[int(c[1])] = c[0], int(c[2]), direction
    elif c[0] == "TLOAD1":
        histories[int(c[1])] = int(c[2]), int(c[5])
    elif c[0] == "DLOAD":
        selected = [int(s) for s in c[4::2] if s]
    else:
        sys.exit(f"a card that was not expected: {c[0]}")

with h5py.File(run_file) as f:
    names = [n.decode() for n in f["channels/path"][()]]
    time, data = f["time"][()], f["data"]
    data = data[: len(time)]
column = {n: i for i, n in enumerate(names)}

worst_load, compared = 0, 0
seen = set()
for load_set in selected:
    unit_set, table = histories[load_set]
    kind, node, direction = unit_loads[unit_set]
    t, value = tables[table]
    quantity, factor = ("force", 1.0) if kind == "FORCE" else ("torque", LENGTH)
    axis = int(np.argmax(np.abs(direction)))
    path = f"{part}/node_{node}/{quantity}/{'xyz'[axis]}"
    ours = data[:, column[path]]
    assert np.allclose(t, time, rtol=0, atol=1e-9), path
    scale = max(np.abs(ours).max(), 1e-9)
    worst_load = max(worst_load, np.abs(factor * value * direction[axis] - ours).max() / scale)
    compared += len(t)
    seen.add(path)
left_out = [n for n in names if n.startswith(f"{part}/node_") and ("/force/" in n or "/torque/" in n) and n not in seen]
assert all(np.all(data[:, column[n]] == 0) for n in left_out), "the deck leaves out a load that is not zero"
print(f"deck: {len(selected)} components, {compared} numbers, worst difference {worst_load:.1e} of the largest load")

coordinates = [n for n in names if n.startswith(f"{part}/elastic/q")]
q = data[:, [column[f"{part}/elastic/q{i + 1}"] for i in range(len(coordinates))]]
worst_stress, nodes = 0, 0
with h5py.File(body_file) as f:
    for node in f["nodes"]:
        if "sigma" not in f["nodes"][node] or f"{part}/node_{node}/stress/xx" not in column:
            continue
        sigma = f[f"nodes/{node}/sigma/zero"][()]
        s = q @ sigma.T  # xx yy zz and shear
        run = {k: data[:, column[f"{part}/node_{node}/stress/{k}"]] for k in ("xx", "yy", "zz", "xy", "xz", "yz")}
        mises = data[:, column[f"{part}/node_{node}/stress/von_mises"]]
        scale = np.abs(mises).max()
        for i, k in enumerate(("xx", "yy", "zz", "xy", "xz", "yz")):
            worst_stress = max(worst_stress, np.abs(s[:, i] - run[k]).max() / scale)
        xx, yy, zz, xy, xz, yz = s.T
        own = np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy ** 2 + yz ** 2 + xz ** 2))
        worst_stress = max(worst_stress, np.abs(own - mises).max() / scale)
        nodes += 1
        print(f"node {node}: largest von Mises stress {mises.max() / 1e6:.3f} MPa")
print(f"stresses of {nodes} nodes: worst difference {worst_stress:.1e} of the largest")
sys.exit(0 if max(worst_load, worst_stress) < 1e-6 and nodes > 0 else 1)
