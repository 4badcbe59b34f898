# clients.py - NumPy, SciPy, PyTorch, CuPy and pyFFTW under the shim: results, device, memory
# SPDX-License-Identifier: Apache-2.0
#
# usage: clients.py LIBGPUSHIM [--size N] [--only CLIENT]
# Each client runs without and with the shim (policy always) in a process of its own; one that is
# not installed is reported as missing. Status 0: no result differs, and the shim changed nothing
# that a client owns; 77: no client is installed.
import importlib
import json
import os
import subprocess
import sys
import tempfile

LIMIT_SECONDS = 120 if "CLIENTS_LIMIT" not in os.environ else float(os.environ["CLIENTS_LIMIT"])
MISSING = 77
REPEATS = 10


def operand(size, seed, kind):
    import numpy

    # The same numbers in each process, whatever NumPy's generators are.
    index = numpy.arange(size * size, dtype=numpy.float64).reshape(size, size)
    x = numpy.sin(index * 12.9898 + seed) * 0.5
    if numpy.dtype(kind).kind == "c":
        x = x + 1j * numpy.cos(index * 78.233 + seed) * 0.5
    return x.astype(kind)


def fingerprint(x):
    import numpy

    # An einsum with no optimiser: sums that no BLAS computes.
    x = numpy.asarray(x)
    weights = numpy.sin(numpy.arange(x.size, dtype=numpy.float64) * 0.7).reshape(x.shape)
    wide = x.astype(numpy.complex128)
    total = complex((wide * weights).sum())
    return [total.real, total.imag, float(numpy.sqrt((abs(wide) ** 2).sum()))]


def client_numpy(size):
    import numpy

    prints = {}
    for kind in ("f8", "f4", "c16", "c8"):
        a, b = operand(size, 1, kind), operand(size, 2, kind)
        prints["dot " + kind] = fingerprint(numpy.dot(a, b))
    a = operand(size, 3, "f8")
    prints["a a^T"] = fingerprint(a @ a.T)
    prints["solve"] = fingerprint(numpy.linalg.solve(a + size * numpy.eye(size), a))
    return prints, {}


def client_scipy(size):
    import numpy
    import scipy.fft
    import scipy.linalg

    a, b = operand(size, 1, "f8"), operand(size, 2, "f8")
    prints = {"fftn": fingerprint(scipy.fft.fftn(a)), "rfft2": fingerprint(scipy.fft.rfft2(a))}
    prints["dgemm"] = fingerprint(scipy.linalg.blas.dgemm(1.0, a, b))
    triangle = numpy.tril(a) / size + numpy.eye(size)
    prints["triangle"] = fingerprint(scipy.linalg.solve_triangular(triangle, b, lower=True))
    prints["cholesky"] = fingerprint(scipy.linalg.cholesky(a @ a.T + size * numpy.eye(size)))
    return prints, {}


def client_pyfftw(size):
    import pyfftw

    a = operand(size, 1, "c16")
    return {"fft2": fingerprint(pyfftw.interfaces.numpy_fft.fft2(a))}, {}


def client_torch(size):
    import numpy
    import torch

    if not torch.cuda.is_available():
        raise ImportError("PyTorch sees no GPU")
    a, b = operand(size, 1, "f8"), operand(size, 2, "f8")
    on_device = torch.from_numpy(a).cuda() @ torch.from_numpy(b).cuda()
    torch.cuda.synchronize()
    device, held = torch.cuda.current_device(), torch.cuda.memory_allocated()
    prints, free = {}, []
    for _ in range(REPEATS):
        product = numpy.dot(a, b)
        again = torch.from_numpy(a).cuda() @ torch.from_numpy(b).cuda()
        prints["numpy beside torch"] = fingerprint(product)
        prints["torch beside numpy"] = fingerprint(again.cpu().numpy())
        del again
        free.append(torch.cuda.mem_get_info()[0])
    prints["torch before"] = fingerprint(on_device.cpu().numpy())
    facts = {"device": device == torch.cuda.current_device(),
             "allocated": held == torch.cuda.memory_allocated()}
    # The first calls may take memory that they keep, later calls may not.
    facts["memory handed back"] = free[-1] >= free[2]
    return prints, facts


def client_cupy(size):
    import cupy
    import numpy

    if cupy.cuda.runtime.getDeviceCount() < 1:
        raise ImportError("CuPy sees no GPU")
    a, b = operand(size, 1, "f8"), operand(size, 2, "f8")
    before = cupy.asarray(a) @ cupy.asarray(b)
    device, held = cupy.cuda.runtime.getDevice(), cupy.get_default_memory_pool().used_bytes()
    prints, free = {}, []
    for _ in range(REPEATS):
        prints["numpy beside cupy"] = fingerprint(numpy.dot(a, b))
        prints["cupy beside numpy"] = fingerprint(cupy.asnumpy(cupy.asarray(a) @ cupy.asarray(b)))
        free.append(cupy.cuda.runtime.memGetInfo()[0])
    prints["cupy's fft"] = fingerprint(cupy.asnumpy(cupy.fft.fft2(cupy.asarray(a))))
    prints["cupy before"] = fingerprint(cupy.asnumpy(before))
    facts = {"device": device == cupy.cuda.runtime.getDevice()}
    facts["pool"] = held == cupy.get_default_memory_pool().used_bytes()
    facts["memory handed back"] = free[-1] >= free[2]
    return prints, facts


def client_together(size):
    """PyTorch, CuPy, NumPy and SciPy take turns in one process; each has results of its own."""
    prints, facts = {}, {}
    for name, run in (("torch", client_torch), ("cupy", client_cupy), ("numpy", client_numpy),
                      ("scipy", client_scipy), ("torch again", client_torch)):
        own_prints, own_facts = run(size)
        prints.update({name + ": " + key: value for key, value in own_prints.items()})
        facts.update({name + ": " + key: value for key, value in own_facts.items()})
    return prints, facts


CLIENTS = {
    "numpy": (client_numpy, ["numpy"]),
    "scipy": (client_scipy, ["numpy", "scipy"]),
    "pyfftw": (client_pyfftw, ["numpy", "pyfftw"]),
    "torch": (client_torch, ["numpy", "torch"]),
    "cupy": (client_cupy, ["numpy", "cupy"]),
    "together": (client_together, ["numpy", "scipy", "torch", "cupy"]),
}


def serve(name, size):
    """The child: runs one client, and prints its answer as a line of JSON after its own output."""
    run, modules = CLIENTS[name]
    try:
        versions = [getattr(importlib.import_module(module), "__version__", "?")
                    for module in modules]
        prints, facts = run(size)
    except ImportError as error:
        print("\n" + json.dumps({"missing": str(error)}))
        return 0
    print("\n" + json.dumps({"version": versions[-1], "prints": prints, "facts": facts}))
    return 0


def ask(name, size, environment):
    """Runs a client; its answer, or {"failed": why}."""
    command = [sys.executable, os.path.abspath(__file__), "--client", name, "--size", str(size)]
    try:
        child = subprocess.run(command, env=environment, capture_output=True, text=True,
                               timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": "no end in %g s" % LIMIT_SECONDS}
    lines = [line for line in child.stdout.splitlines() if line.startswith("{")]
    if child.returncode != 0 or not lines:
        last = (child.stderr.splitlines() or [""])[-1]
        return {"failed": "status %d: %s" % (child.returncode, last)}
    return json.loads(lines[-1])


def count_targets(log):
    """How many calls of the log the GPU and the CPU computed."""
    counts = {"gpu": 0, "cpu": 0}
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            for line in file:
                for target in counts:
                    counts[target] += '"target":"%s"' % target in line
    return counts


def differ(one, other, single):
    """Whether two fingerprints differ by more than rounding."""
    tolerance = (1e-4 if single else 1e-9) * max(one[2], 1e-300)
    return not all(abs(x - y) <= tolerance for x, y in zip(one, other))


def compare(name, size, library, folder):
    """Runs a client both ways and prints a line. None: it is missing; else whether it is fine."""
    log = os.path.join(folder, name + ".log")
    # The loader cuts the variable at blanks and colons, which the folder's path has not.
    link = os.path.join(folder, "libgpushim.so")
    if not os.path.lexists(link):
        os.symlink(library, link)
    preload = dict(os.environ, LD_PRELOAD=link, EPOCHLY_GPU_POLICY="always",
                   EPOCHLY_GPU_WARMUP="wait", EPOCHLY_GPU_LOG=log)
    direct = ask(name, size, dict(os.environ))
    if "missing" in direct:
        print("%-7s MISSING: %s" % (name, direct["missing"]))
        return None
    if "failed" in direct:
        print("%-7s MISSING: fails without the shim too: %s" % (name, direct["failed"]))
        return None
    under = ask(name, size, preload)
    trouble = [under.get("failed") or under.get("missing")] if "prints" not in under else []
    for label, one in direct["prints"].items() if not trouble else []:
        if differ(one, under["prints"][label], "f4" in label or "c8" in label):
            trouble.append("WRONG %s: %s, not %s" % (label, under["prints"][label], one))
    trouble += ["changed: " + fact for fact, holds in under.get("facts", {}).items() if not holds]
    counts = count_targets(log)
    if not trouble and counts["gpu"] + counts["cpu"] == 0 and name not in ("scipy", "pyfftw"):
        trouble.append("the shim saw no call")
    print("%-7s %-10s %2d results alike, %d facts, %d calls on the GPU, %d logged on the CPU%s"
          % (name, direct["version"], len(direct["prints"]) if not trouble else 0,
             len(direct["facts"]), counts["gpu"], counts["cpu"],
             "".join("; " + str(sentence) for sentence in trouble)))
    return not trouble


def main(arguments):
    size, names = 2000, list(CLIENTS)
    if "--size" in arguments:
        place = arguments.index("--size")
        size = int(arguments[place + 1])
        del arguments[place:place + 2]
    if "--only" in arguments:
        place = arguments.index("--only")
        names = [name for name in arguments[place + 1:place + 2] if name in CLIENTS]
        del arguments[place:place + 2]
    if len(arguments) == 2 and arguments[0] == "--client":
        return serve(arguments[1], size)
    if len(arguments) != 1 or not names:
        print("usage: clients.py LIBGPUSHIM [--size N] [--only CLIENT]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        fine = [compare(name, size, os.path.abspath(arguments[0]), folder) for name in names]
    if all(client is None for client in fine):
        print("clients: skipped, none of %s is installed" % ", ".join(names))
        return MISSING
    return 1 if False in fine else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
