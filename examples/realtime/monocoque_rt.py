"""The other side of `monocoque rt`: values in and out by name, over UDP or shared memory. Standard library only.

    link = UdpLink(Layout("layout.json"), 5005)          # monocoque rt ... --udp 5005 --layout layout.json
    link = SharedLink(Layout("layout.json"), "car")      # monocoque rt ... --shm car --layout layout.json
    link.send(steer=0.001, throttle=120)                 # inputs not named keep their last value
    seen = link.receive(timeout_s=1)                     # {"t": 0.25, "flags": 0, "speed/x": 14.9, ...} or None

docs/realtime.md has the bytes.
"""

import json
import mmap
import os
import socket
import struct
import time
import zlib

INPUTS, OUTPUTS = 1, 2
TIMED_OUT, LAST = 1, 2


class Layout:
    """Names and order, as `monocoque rt --layout FILE` writes them; waits until the file is there."""

    def __init__(self, path, patience_s=60):
        end = time.monotonic() + patience_s
        while True:
            try:
                with open(path, encoding="utf-8") as file:
                    data = json.load(file)
                break
            except (OSError, ValueError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.id = data["layout"]
        self.step_s = data["step_s"]
        self.inputs = [i["name"] for i in data["inputs"]]
        self.initial = [i["initial"] for i in data["inputs"]]
        self.outputs = [o["name"] for o in data["outputs"]]
        self.shared = data["shared_memory"]


class Link:
    def __init__(self, layout):
        self.layout = layout
        self.values = list(layout.initial)
        self.index = {name: i for i, name in enumerate(layout.inputs)}

    def send(self, **inputs):
        for name, value in inputs.items():
            self.values[self.index[name]] = float(value)
        self._send()

    def _named(self, t, flags, values):
        return {"t": t, "flags": flags, **dict(zip(self.layout.outputs, values))}


class UdpLink(Link):
    HEADER = struct.Struct("<4sHHQdIII")  # then the checksum, then the values

    def __init__(self, layout, port, address="127.0.0.1"):
        super().__init__(layout)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((address, port))
        self.sequence = 0

    def _send(self):
        head = self.HEADER.pack(b"MCRT", 1, INPUTS, self.sequence, 0.0, self.layout.id, len(self.values), 0)
        body = struct.pack(f"<{len(self.values)}d", *self.values)
        self.sequence += 1
        try:
            self.socket.send(head + struct.pack("<I", zlib.crc32(body, zlib.crc32(head))) + body)
        except ConnectionRefusedError:
            pass  # nobody listens yet, or not any more

    def receive(self, timeout_s):
        """The newest outputs; waits for some."""
        newest = None
        self.socket.settimeout(timeout_s)
        while True:
            try:
                packet = self.socket.recv(65536)
            except (BlockingIOError, TimeoutError, ConnectionRefusedError):
                return newest
            newest = self._decode(packet) or newest
            self.socket.settimeout(0)

    def _decode(self, packet):
        if len(packet) < 40:
            return None
        magic, version, kind, _, t, layout, count, flags = self.HEADER.unpack_from(packet)
        (checksum,) = struct.unpack_from("<I", packet, 36)
        if (magic, version, kind, layout, len(packet)) != (b"MCRT", 1, OUTPUTS, self.layout.id, 40 + 8 * count):
            return None
        if checksum != zlib.crc32(packet[40:], zlib.crc32(packet[:36])):
            return None
        return self._named(t, flags, struct.unpack_from(f"<{count}d", packet, 40))


class SharedLink(Link):
    def __init__(self, layout, name, patience_s=60):
        super().__init__(layout)
        end = time.monotonic() + patience_s
        while not os.path.exists("/dev/shm/" + name):
            if time.monotonic() > end:
                raise FileNotFoundError(name)
            time.sleep(0.05)
        with open("/dev/shm/" + name, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), layout.shared["bytes"])
        # Words of eight bytes: each is stored at once.
        self.words = memoryview(self.map).cast("Q")
        self.numbers = memoryview(self.map).cast("d")
        magic, version, layout_id = struct.unpack_from("<8sII", self.map)
        if (magic, version, layout_id) != (b"MCSHARED", 1, layout.id):
            raise ValueError(f"/dev/shm/{name} is not of this layout")
        self.inputs, self.outputs = layout.shared["inputs_at"] // 8, layout.shared["outputs_at"] // 8
        self.last = 0

    def _send(self):
        guard = self.words[self.inputs] // 2 * 2  # a controller before this one may have died half-way
        self.words[self.inputs] = guard + 1
        self.words[self.inputs + 1] += 1
        for i, value in enumerate(self.values):
            self.numbers[self.inputs + 4 + i] = value
        self.words[self.inputs] = guard + 2

    def receive(self, timeout_s):
        """The newest outputs; waits until they are new."""
        end = time.monotonic() + timeout_s
        while True:
            guard = self.words[self.outputs]
            if guard % 2 == 0 and guard != self.last:
                t, flags = self.numbers[self.outputs + 2], self.words[self.outputs + 3]
                first = self.outputs + 4
                values = self.numbers[first:first + len(self.layout.outputs)].tolist()
                if self.words[self.outputs] == guard:
                    self.last = guard
                    return self._named(t, flags, values)
            elif time.monotonic() > end or self.words[7] == 2:  # 2: the run has ended
                return None
            else:
                time.sleep(0.0002)
