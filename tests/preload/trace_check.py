# trace_check.py - checks that a trace is valid for viewers and consistent with the log
# SPDX-License-Identifier: Apache-2.0
# usage: trace_check.py whole|cut TRACE [LOG]
# cut: the process was killed, so that only complete lines are checked
import collections
import json
import math
import sys

SLACK_US = 0.001  # times have three decimals


def load(how, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("[\n"), "an array begins"
    if how == "cut":
        text = text[: text.rindex("\n")].rstrip(",") + "]"
    events = json.loads(text)
    assert len({event["pid"] for event in events}) == 1, "one process"
    return events


def check_names(events):
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    used = {event["tid"] for event in events if event["ph"] == "X"}
    assert used <= named, f"timelines without a name: {used - named}"
    names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
    assert len(names) == 1 and names[0], "the process has a name"


def check_nesting(boxes):
    timelines = collections.defaultdict(list)
    for box in boxes:
        timelines[box["tid"]].append((box["ts"], -box["dur"], box["name"]))
    for timeline in timelines.values():
        ends = []
        for begin, minus, name in sorted(timeline):
            end = begin - minus
            while ends and ends[-1] <= begin + SLACK_US:
                ends.pop()
            assert not ends or end <= ends[-1] + SLACK_US, f"{name} at {begin} does not nest"
            ends.append(end)


# Boxes of one stream, or of the commits of one lane, must not overlap.
def check_tracks(boxes):
    ends = {}
    for box in sorted((box for box in boxes if box["cat"] == "gpu"), key=lambda box: box["ts"]):
        assert box["args"]["queued"] <= box["ts"] + SLACK_US, f"{box['name']} at {box['ts']} begins before it is queued"
        assert ends.get(box["tid"], 0) <= box["ts"] + SLACK_US, f"{box['name']} at {box['ts']} overlaps"
        ends[box["tid"]] = box["ts"] + box["dur"]


# A call's boxes are on its own thread. Pieces of its copies are exempt: any thread may do them.
def check_threads(calls, boxes):
    for box in boxes:
        if box["cat"] == "host" and box["args"].get("call") in calls and "bytes" not in box["args"]:
            assert box["tid"] == calls[box["args"]["call"]]["tid"], f"{box['name']} is on another thread than its call"


# The CPU's run in verify mode is not part of the elapsed time that the log has for the call.
def check_verified(calls, boxes):
    spent = collections.defaultdict(collections.Counter)
    for box in boxes:
        if box["name"].startswith("verify: "):
            spent[box["args"]["call"]][box["name"]] += box["dur"]
    for number, call in calls.items():
        names = sorted(spent[number])
        assert names in ([], ["verify: CPU", "verify: compare", "verify: keep"]), f"call {number} has {names}"
        if names:
            rest = call["dur"] - spent[number]["verify: keep"] - spent[number]["verify: compare"]
            assert spent[number]["verify: CPU"] <= spent[number]["verify: compare"], f"the CPU's turn in call {number}"
            assert call["args"]["elapsed_ns"] <= rest * 1000 + 1, f"the time of call {number}"
    return sum(len(names) > 0 for names in spent.values())


def check_members(calls, boxes, how):
    for box in boxes:
        number = box["args"].get("call")
        if number is None or box["cat"] == "call" or (how == "cut" and number not in calls):
            continue
        call = calls[number]
        begins, ends = call["ts"] - SLACK_US, call["ts"] + call["dur"] + SLACK_US
        assert begins <= box["ts"] and box["ts"] + box["dur"] <= ends, f"{box['name']} is outside of call {number}"


def sum_bytes(boxes):
    total = collections.Counter()
    for box in boxes:
        if box["cat"] == "gpu":
            total[box["args"]["call"], box["name"]] += box["args"].get("bytes", 1)
    return total


# Bytes moved by a plan with a single block; a plan of several blocks would move operands again.
def check_bytes(calls, total):
    for number, call in calls.items():
        args = call["args"]
        gpu = args["target"] == "gpu"
        assert (total[number, "kernels"] > 0) == gpu, f"kernels of call {number}"
        assert total[number, "store"] == total[number, "commit"], f"what call {number} commits"
        if gpu and args["routine"] == "dgemm":
            m, n, k = (args["sizes"][key] for key in "mnk")
            assert total[number, "load"] == 8 * (m * k + k * n), f"what call {number} loads"
            assert total[number, "store"] == 8 * m * n, f"what call {number} stores"
        if gpu and args["routine"] == "fftw_c2c":
            points = math.prod(args["sizes"].values())
            assert total[number, "load"] == total[number, "store"] == 16 * points, f"what call {number} moves"


# The first line of a log also says who writes it: shim/record/head.def.
def parse_record(line):
    launch = ("rank", "size", "local_rank", "launcher", "job", "step")
    head = ("program", "host", "machine", "measured", *launch)
    return {key: value for key, value in json.loads(line).items() if key not in head}


def check_log(calls, path):
    with open(path, encoding="utf-8") as file:
        lines = [list(parse_record(line).items()) for line in file]
    mine = [
        [(key, value) for key, value in call["args"].items() if key != "call"]
        for call in calls.values()
    ]
    assert sorted(map(str, mine)) == sorted(map(str, lines)), "the calls are those of the log"


def main():
    how, path = sys.argv[1:3]
    events = load(how, path)
    boxes = [event for event in events if event["ph"] == "X"]
    calls = {box["args"]["call"]: box for box in boxes if box["cat"] == "call"}
    check_names(events)
    check_nesting(boxes)
    check_tracks(boxes)
    check_threads(calls, boxes)
    check_members(calls, boxes, how)
    check_bytes(calls, sum_bytes(boxes))
    if how == "whole":
        assert events[-1]["args"]["lost_events"] == 0, "nothing is lost"
    if len(sys.argv) > 3:
        check_log(calls, sys.argv[3])
    verified = check_verified(calls, boxes)
    gpu = sum(call["args"]["target"] == "gpu" for call in calls.values())
    stages = " ".join(sorted({box["name"] for box in boxes}))
    print(f"calls {len(calls)} gpu {gpu} verified {verified} pid {events[0]['pid']} "
          f"stages {stages}")


main()
