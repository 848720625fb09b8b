#!/usr/bin/python3
"""Copies a run with the surface of its first flexible part made finer: refine.py RUN.h5 OUT.h5 TRIANGLES

Edges are cut in the middle, the longest first; shapes and stresses there are the mean of both ends, so the picture is
the same, only heavier. For measuring how fast the viewer is with large meshes.
"""
import shutil
import sys

import h5py
import numpy as np


def cut_longest(points, triangles, values, budget):
    """One pass: cuts edges that share no triangle, longest first, at most until `budget` triangles are there."""
    sides = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    owner = np.repeat(np.arange(len(triangles)), 3)
    edges, inverse = np.unique(sides, axis=0, return_inverse=True)
    inverse = inverse.ravel()
    of_edge = [[] for _ in edges]
    for side, edge in enumerate(inverse):
        of_edge[edge].append(owner[side])
    length = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    busy = np.zeros(len(triangles), bool)
    old, new, chosen, count = set(), [], [], len(triangles)
    for edge in np.argsort(-length):
        if count >= budget:
            break
        if any(busy[t] for t in of_edge[edge]):
            continue
        a, b = edges[edge]
        middle = len(points) + len(chosen)
        chosen.append(edge)
        for t in of_edge[edge]:
            busy[t] = True
            old.add(t)
            corners = triangles[t]
            new.append([middle if c == a else c for c in corners])
            new.append([middle if c == b else c for c in corners])
            count += 1
    keep = np.array([t for t in range(len(triangles)) if t not in old], int)
    ends = edges[chosen]
    mean = lambda v: np.concatenate([v, 0.5 * (v[ends[:, 0]] + v[ends[:, 1]])])
    return mean(points), np.concatenate([triangles[keep], np.array(new, triangles.dtype)]), [mean(v) for v in values]


def main():
    source, target, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    shutil.copyfile(source, target)
    with h5py.File(target, "r+") as run:
        name = next(k for k in sorted(run["assets"]) if "modes" in run[f"assets/{k}"])
        asset = run[f"assets/{name}"]
        points, triangles = asset["points"][:], asset["triangles"][:]
        extra = [k for k in ("modes", "stress") if k in asset]
        values = [asset[k][:] for k in extra]
        while len(triangles) < wanted:
            points, triangles, values = cut_longest(points, triangles, values, wanted)
        for key, data in zip(["points", "triangles", *extra], [points, triangles, *values]):
            del asset[key]
            asset[key] = data
        print(f"{target}: {len(points)} points, {len(triangles)} triangles")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
