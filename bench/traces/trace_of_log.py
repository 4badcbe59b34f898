# trace_of_log.py - turns a log of the shim (log_level call) into a trace with runs and loops
# SPDX-License-Identifier: Apache-2.0
#
# usage: trace_of_log.py LOG "KEY VALUE"... > TRACE
# Each further argument is a line of the head. Calls with a size of 0 compute nothing: they are left
# out.
import json
import sys
from datetime import datetime

TINY_FLOPS = 1e5
PERIOD_MOST = 64
ELEMENT_BYTES = {"s": 4, "d": 8, "c": 8, "z": 16}
FAMILIES = ("gemm3m", "gemmt", "gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm",
            "trsm")


def blas_key(record, routine):
    """The log has no flags: the bytes tell the side of a square operand; transpositions are N."""
    family, sizes = routine[1:], record["sizes"]
    m, n, k = sizes.get("m", sizes.get("n")), sizes["n"], sizes.get("k")
    if family in ("symm", "hemm", "trmm", "trsm"):
        others = 2 if family in ("symm", "hemm") else 1
        left = record["bytes"] == ELEMENT_BYTES[routine[0]] * (m * m + others * m * n)
        k = m if left else n
        flags = ("L" if left else "R") + ("" if others == 2 else "N")
    else:
        flags = "NN" if family in ("gemm", "gemm3m", "gemmt") else "N"
    return routine, flags, (m, n, k), 1


def fft_key(record, routine):
    sizes = record["sizes"]
    lengths = tuple(sizes["n%d" % i] for i in range(len(sizes) - 1))
    points = sizes["howmany"]
    for n in lengths:
        points *= n
    whole = points * (8 if routine.startswith("fftwf") else 16)
    if routine.endswith("c2c"):
        in_place = record["bytes"] == whole
    else:
        halved = whole // lengths[-1] * (lengths[-1] // 2 + 1)
        in_place = record["bytes"] <= halved
    return routine, "I" if in_place else "O", lengths, sizes["howmany"]


def read_calls(path):
    """(key, flops, begin in ns, elapsed in ns) of each call, in order."""
    calls, seen = [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            routine = record.get("routine", "")
            if "sizes" not in record or 0 in record["sizes"].values():
                continue
            at = datetime.fromisoformat(record["time"].rstrip("Z"))
            name = (routine, str(record["sizes"]), record["bytes"])
            if name not in seen:
                if routine[1:] in FAMILIES:
                    seen[name] = blas_key(record, routine)
                elif routine.startswith("fftw") and routine[-3:] in ("c2c", "r2c", "c2r"):
                    seen[name] = fft_key(record, routine)
                else:
                    seen[name] = None
            if seen[name] is not None:
                seconds = at.hour * 3600 + at.minute * 60 + at.second
                begin = seconds * 10**9 + at.microsecond * 1000
                calls.append((seen[name], record["flops"], begin, max(record["elapsed_ns"], 0)))
    return calls


def row_of(calls, begin, end, gap):
    """One row for calls of one routine: their common sizes, or the mean of tiny ones."""
    keys = {calls[i][0] for i in range(begin, end)}
    key = calls[begin][0]
    if len(keys) > 1:
        rows = [calls[i][0] for i in range(begin, end)]
        sizes = tuple(max(1, round(sum(r[2][j] for r in rows) / len(rows)))
                      for j in range(len(key[2])))
        key = (key[0], key[1], sizes, key[3])
    return [key, end - begin, gap]


def rows_of(calls):
    """Runs. Tiny calls of one routine that follow each other are one run, whatever their sizes."""
    rows, begin, last, gap = [], 0, None, 0
    for i, call in enumerate(calls):
        pause = 0 if last is None else max(0, call[2] - last)
        last = call[2] + call[3]
        before = calls[begin]
        form = (call[0][0], call[0][1], len(call[0][2]), call[0][3])
        same = call[0] == before[0]
        tiny = max(call[1], before[1]) < TINY_FLOPS and form == (
            before[0][0], before[0][1], len(before[0][2]), before[0][3])
        if i > begin and not same and not tiny:
            rows.append(row_of(calls, begin, i, gap // (i - begin)))
            begin, gap = i, 0
        gap += pause
    if calls:
        rows.append(row_of(calls, begin, len(calls), gap // (len(calls) - begin)))
    return rows


def count_repeats(names, at, period):
    times = 1
    while names[at + times * period : at + (times + 1) * period] == names[at : at + period]:
        times += 1
    return times


def find_loop(names, at):
    """(period, times) of the loop at this row that saves most rows."""
    best, saved = (1, 1), 0
    for period in range(1, min(PERIOD_MOST, len(names) - at) + 1):
        times = count_repeats(names, at, period)
        if (times - 1) * period - 2 > saved:
            best, saved = (period, times), (times - 1) * period - 2
    return best


def word_of(key, count, gap):
    routine, flags, sizes, howmany = key
    text = "x".join(str(n) for n in sizes)
    if routine.startswith("fftw"):
        text += "*%d" % howmany
    return "%s %s %s %d %d" % (routine, flags, text, count, gap)


def lines_of(rows):
    names = [(row[0], row[1]) for row in rows]
    at = 0
    while at < len(rows):
        period, times = find_loop(names, at)
        if times > 1:
            yield "loop %d" % times
        for i in range(period):
            gap = sum(rows[at + i + j * period][2] for j in range(times)) // times
            yield word_of(rows[at + i][0], rows[at + i][1], gap)
        if times > 1:
            yield "end"
        at += period * times


def main():
    calls = read_calls(sys.argv[1])
    print("trace 1")
    for line in sys.argv[2:]:
        print(line)
    print("recorded_ns %d" % sum(call[3] for call in calls))
    print("calls %d" % len(calls))
    for line in lines_of(rows_of(calls)):
        print(line)
    print("done")


main()
