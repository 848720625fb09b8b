#!/usr/bin/env python3
"""Compliance of the Camry's front left wheel on its flexible wishbone, by linear algebra of its own.

Small motions of carrier (6), wishbone (6) and the wishbone's 13 deformations; joints as rows of a matrix, stiffness of
the body file and of the spring, no reference load. Hard points: the table of the 2012 Camry (docs/camry.md).
Prints toe and camber (deg), x and y of the wheel centre (mm), wind-up (deg) per kN and per 100 Nm, as
`monocoque kinematics models/camry/camry-flexible-wishbone.yaml --compliance --corner FL` does.
"""
import pathlib

import h5py
import numpy as np

root = pathlib.Path(__file__).resolve().parents[3]
car = np.array([0, 0, 0.602])
cog = np.array([1.413, 0.765, 0.297])
centre = np.array([1.413, 0.805, 0.297])
contact = centre * [1, 1, 0]
front = car + [1.419, 0.419, -0.355]
rear = car + [1.133, 0.368, -0.335]
ball = cog + [0.009, -0.009, -0.116]
rod = car + [1.234, 0.380, -0.255], cog + [-0.129, -0.026, -0.038]
dome = car + [1.369, 0.599, 0.330]
strut = cog + [-0.023, -0.147, 0.314]
spring_N_per_m = 50e3


def unit(v):
    return v / np.linalg.norm(v)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


with h5py.File(root / "models/camry/parts/wishbone.h5") as f:
    K_body = f["Ke/zero"][()]
    nodes = {n: tuple(f[f"nodes/{n}/{k}/zero"][()] for k in ("origin", "phi", "psi")) for n in (1, 2, 3)}
modes = K_body.shape[0]
a, b = front - ball, rear - ball
x_axis, z_axis = unit(a), unit(np.cross(a, b))
R = np.column_stack([x_axis, np.cross(z_axis, x_axis), z_axis])
size = 12 + modes  # carrier, wishbone, its modes


def carrier_rows(point):
    rows = np.zeros((3, size))
    rows[:, :3], rows[:, 3:6] = np.eye(3), -skew(point - cog)
    return rows


def wishbone_rows(point, node):
    origin, phi, psi = nodes[node]
    arm = R.T @ (point - ball) - origin.ravel()  # from the node to the frame, rigid
    rows = np.zeros((3, size))
    rows[:, 6:9], rows[:, 9:12] = np.eye(3), -skew(point - ball)
    rows[:, 12:] = R @ (phi - skew(arm) @ psi)
    return rows


def across(direction):
    return np.linalg.svd(unit(direction)[None, :])[2][1:]


axis = unit(dome - strut)
G = np.vstack([
    carrier_rows(ball) - wishbone_rows(ball, 1),
    wishbone_rows(front, 2),
    across(front - rear) @ wishbone_rows(rear, 3),
    unit(rod[1] - rod[0]) @ carrier_rows(rod[1]),
    across(axis) @ carrier_rows(dome),
    carrier_rows(centre)[2],
])
K = np.zeros((size, size))
K[12:, 12:] = K_body
along = axis @ carrier_rows(strut)
K += spring_N_per_m * np.outer(along, along)
rows = G.shape[0]
# Motions that neither stiffness nor joints know (none) would make this singular.
KKT = np.block([[K / 1e6, G.T], [G, np.zeros((rows, rows))]])
turn = np.zeros((3, size))
turn[:, 3:6] = np.eye(3)
lateral, forward = np.array([0, 1000.0, 0]), np.array([1000.0, 0, 0])
loads = {
    "lateral": lateral @ carrier_rows(contact),
    "brake": forward @ carrier_rows(contact),
    "drive": forward @ carrier_rows(centre),
    "aligning": np.array([0, 0, 100.0]) @ turn,
}
for name, load in loads.items():
    u = np.linalg.solve(KKT, np.concatenate([load / 1e6, np.zeros(rows)]))[:size]
    angle, way = np.degrees(turn @ u), 1000 * carrier_rows(centre) @ u
    # Left wheel: toe-in is a turn to the right; the top moves outward (left) by a turn about -x.
    print(f"{name:10s} {-angle[2]:10.6f} {-angle[0]:10.6f} {way[0]:10.6f} {way[1]:10.6f} {angle[1]:10.6f}")
