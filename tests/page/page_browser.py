#!/usr/bin/env python3
# page_browser.py - opens pages in Chromium and measures what is drawn, requested and reported
# SPDX-License-Identifier: Apache-2.0
"""usage: page_browser.py BROWSER FOLDER [PICTURES]

The pages are FOLDER/*.html, and all that the browser writes stays in FOLDER. With PICTURES, the start of their names,
nothing is judged: pictures of FOLDER/report.html are made, as those in docs/."""
import glob
import html
import json
import os
import re
import struct
import subprocess
import sys
import zlib

LIGHT, DARK = (0xF9, 0xF9, 0xF7), (0x0D, 0x0D, 0x0D)
PHONE, SCREEN, SPARE = 375, 1060, 120
WIDTHS = (400, 800, 1600)
DARKLY = "--blink-settings=preferredColorScheme=0"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--virtual-time-budget=3000"]

# A page has no script. The measuring script is added to a copy of the page, which is shown in a
# frame of the screen's width.
MEASURE = """<script>addEventListener("load", function () {
  var plots = [], outside = [], broken = [], crowded = 0;
  document.querySelectorAll("svg").forEach(function (svg) {
    var box = svg.getBoundingClientRect(), drawn = 0, empty = 0, small = 99;
    if (getComputedStyle(svg).display === "none") return;
    var card = svg.closest("figure").getBoundingClientRect();
    svg.querySelectorAll("path,rect,circle,line").forEach(function (mark) {
      var at = mark.getBoundingClientRect();
      if (at.width > 0 || at.height > 0) drawn++; else empty++;
    });
    svg.querySelectorAll("text").forEach(function (text) {
      var at = text.getBoundingClientRect();
      small = Math.min(small, at.height);
      if (at.left < card.left - 1 || at.right > card.right + 1 || at.top < card.top - 1 || at.bottom > card.bottom + 1)
        outside.push(text.textContent);
    });
    var ticks = [].slice.call(svg.querySelectorAll("text.tick")).map(function (text) {
      return text.getBoundingClientRect();
    });
    ticks.forEach(function (one, i) {
      ticks.slice(0, i).forEach(function (other) {
        if (one.left < other.right && other.left < one.right && one.top + 2 < other.bottom && other.top + 2 < one.bottom)
          crowded++;
      });
    });
    plots.push([box.width, box.height, drawn, empty, small]);
  });
  // Words, and names of code, which may hold blanks: each on one line, and none cut off by its box.
  var lines = function (node, from, to) {
    var range = document.createRange(), tops = [];
    range.setStart(node, from);
    range.setEnd(node, to);
    [].forEach.call(range.getClientRects(), function (at) {
      if (at.width > 0 && !tops.some(function (top) { return Math.abs(top - at.top) < 3; })) tops.push(at.top);
    });
    return tops.length;
  };
  var walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), node, word;
  while ((node = walk.nextNode())) {
    if (node.parentElement.closest("svg,script")) continue;
    var words = node.parentElement.closest("code,bdi,th") ? /[^]+/g : /[^\s\-\/\u2013]+/g;
    while ((word = words.exec(node.data)))
      if (lines(node, word.index, word.index + word[0].length) > 1) broken.push(word[0]);
  }
  document.querySelectorAll("main *").forEach(function (element) {
    var style = getComputedStyle(element);
    if (style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
      broken.push("cut: " + element.textContent);
    if (element.closest("svg,.table,dd,.tile") || style.display === "none") return;
    if (element.getBoundingClientRect().right > innerWidth + 1)
      outside.push(element.tagName + " beyond the screen");
  });
  parent.postMessage(JSON.stringify({page: location.pathname, plots: plots, outside: outside, width: innerWidth,
    broken: broken, crowded: crowded, wide: document.scrollingElement.scrollWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches,
    ground: getComputedStyle(document.body).backgroundColor}), "*");
});</script>"""
HEAD = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><style>body{margin:0}iframe{border:0}</style>
<script>var all = []; addEventListener("message", function (event) {
  all.push(JSON.parse(event.data)); document.body.dataset.measured = JSON.stringify(all);
});</script><body>"""
FRAME = '<iframe src="%s" width="%d" height="%d"></iframe>'

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAIL", what)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_head(page):
    """A page whose browser may load and run things."""
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", read(page))


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, path, *flags):
        """What the browser printed, its complaints about the page, and what the page asked for."""
        log = os.path.join(self.folder, "net.json")
        command = [self.program, *FLAGS, f"--user-data-dir={self.folder}/profile", f"--log-net-log={log}", *flags,
                   f"file://{path}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            sys.exit(f"{self.program} ended with status {done.returncode}: {done.stderr[-2000:]}")
        complaints = re.findall(r":CONSOLE[^\]]*\] (.*)", done.stderr)
        return done.stdout, complaints, requests(log)

    def run_frames(self, frames, *flags):
        """Opens pages beside each other; frames are (file, width, height)."""
        path = os.path.join(self.folder, "frames.htm")
        write(path, HEAD + "".join(FRAME % frame for frame in frames))
        return self.run(path, *flags)

    def measure(self, pages, widths, *flags):
        """What is seen of each page on each width."""
        frames = []
        for page in pages:
            copy = os.path.basename(page) + ".copy.htm"
            write(os.path.join(self.folder, copy), without_head(page).replace("</body>", MEASURE + "</body>"))
            frames += [(copy, width, 900) for width in widths]
        printed, complaints, _ = self.run_frames(frames, "--dump-dom", *flags)
        found = re.search(r'data-measured="([^"]*)"', printed)
        seen = json.loads(html.unescape(found.group(1))) if found else []
        expect(len(seen) == len(frames), f"{len(seen)} of {len(frames)} pages measured: {complaints}")
        return seen

    def picture(self, page, width, height, path, *flags):
        self.run_frames([(os.path.basename(page), width, height)], f"--screenshot={path}",
                        f"--window-size={width},{height}", *flags)


def requests(log):
    """What pages asked the network for; requests of the browser's own come from no origin."""
    text = read(log).rstrip()
    if not text.endswith("}"):
        text = text.rstrip(",") + "]}"
    events = json.loads(text)
    kind = {number: name for name, number in events["constants"]["logEventTypes"].items()}
    asked = []
    for event in events["events"]:
        parameters = event.get("params", {})
        begins = kind[event["type"]] == "URL_REQUEST_START_JOB" and "url" in parameters
        if begins and parameters.get("initiator") != "not an origin":
            asked.append(parameters["url"])
    return [url for url in asked if not url.startswith(("file:", "data:"))]


def size_of(path):
    with open(path, "rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


def corner(path):
    """The colour of a picture's first pixel: with nothing to its left or above it, each of PNG's filters leaves it as it is."""
    with open(path, "rb") as file:
        data = file.read()
    depth, kind = data[24], data[25]
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    if depth != 8 or kind not in (2, 6):
        sys.exit(f"{path} is a picture of another kind: depth {depth}, colours {kind}")
    return tuple(zlib.decompress(packed)[1:4])


def judge_plots(seen):
    name, width = os.path.basename(seen["page"]).replace(".copy.htm", ""), seen["width"]
    expect(seen["wide"] <= width, f"{name}: {seen['wide']} wide on {width}")
    expect(not seen["outside"], f"{name}: on {width} these stand outside their figure: {seen['outside'][:5]}")
    expect(not seen["broken"], f"{name}: on {width} a line ends inside of {seen['broken'][:5]}")
    expect(seen["crowded"] == 0, f"{name}: on {width} {seen['crowded']} pairs of labels overlap")
    expect(seen["plots"], f"{name}: no plots on {width}")
    for box in seen["plots"]:
        expect(box[0] > 200 and box[1] > 100,
               f"{name}: a picture of {box[0]} x {box[1]} on {width}")
        expect(box[2] >= 5, f"{name}: {box[2]} marks drawn on {width}")
        expect(box[4] >= 9, f"{name}: letters {box[4]} high on {width}")
    print(f"{name} on {width}: {len(seen['plots'])} plots, {sum(box[2] for box in seen['plots'])} marks")


def judge_pages(browser, pages):
    """As they are, then measured."""
    _, complaints, asked = browser.run_frames(
        [(os.path.basename(page), SCREEN, 900) for page in pages], "--dump-dom")
    expect(not complaints, f"the browser complains: {complaints}")
    expect(not asked, f"pages ask for {asked}")
    for flags in ([], [DARKLY]):
        for seen in browser.measure(pages, (PHONE,) + WIDTHS, *flags):
            expect(seen["dark"] == bool(flags), f"{seen['page']}: the browser prefers dark: {seen['dark']}")
            judge_plots(seen)


def judge_colours(browser, page, folder):
    for name, flags, ground in (("light", [], LIGHT), ("dark", [DARKLY], DARK)):
        for seen in browser.measure([page], (SCREEN,), *flags):
            expect(seen["dark"] == (name == "dark"), f"{name}: the browser prefers dark: {seen['dark']}")
            expect(seen["ground"] == "rgb(%d, %d, %d)" % ground, f"{name}: ground {seen['ground']}")
        path = os.path.join(folder, name + ".png")
        browser.picture(page, SCREEN, 1200, path, *flags)
        expect(size_of(path) == (SCREEN, 1200) and corner(path) == ground, f"{name}: picture begins with {corner(path)}")


def judge_judge(browser, page, folder):
    """A page with a script that complains, and one that asks for a picture: both must be noticed; with the page's head
    that forbids it nothing is asked for."""
    image = '<img src="http://example.invalid/x.png">'
    write(os.path.join(folder, "fault.htm"),
          without_head(page).replace("</body>", image + '<script>console.error("fault")</script></body>'))
    _, complaints, asked = browser.run_frames([("fault.htm", SCREEN, 900)], "--dump-dom")
    expect(complaints and asked == ["http://example.invalid/x.png"], f"the fault is not noticed: {complaints} {asked}")
    write(os.path.join(folder, "fault.htm"), read(page).replace("</body>", image + "</body>"))
    _, complaints, asked = browser.run_frames([("fault.htm", SCREEN, 900)], "--dump-dom")
    expect(complaints and not asked, f"the head does not forbid: {complaints} {asked}")
    fault = os.path.join(folder, "fault.htm")
    for style, what in (("td code{white-space:normal!important;overflow-wrap:anywhere}", "broken"),
                        ("p{width:500px}", "outside"), (".tick{font-size:40px}", "crowded"),
                        (".table{overflow:visible}", "wide")):
        write(fault, read(page).replace("</style>", style + "</style>"))
        seen = browser.measure([fault], (WIDTHS[0],))[0]
        noticed = seen["wide"] > seen["width"] if what == "wide" else seen[what]
        expect(noticed, f"on a page with {style} nothing is {what}")


def cut(path, height):
    """Keeps the upper rows of a picture: a filter of PNG looks at rows above only."""
    with open(path, "rb") as file:
        data = file.read()
    width, _ = size_of(path)
    stride = 1 + width * {2: 3, 6: 4}[data[25]]
    packed, at = b"", 33
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    rows = zlib.compress(zlib.decompress(packed)[:stride * height], 9)
    head = data[16:20] + struct.pack(">I", height) + data[24:29]
    with open(path, "wb") as file:
        file.write(data[:8])
        for name, body in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b"")):
            check = struct.pack(">I", zlib.crc32(name + body))
            file.write(struct.pack(">I", len(body)) + name + body + check)


def draw_one(browser, page, size, path, *flags):
    """The browser's window is higher than what it shows of a page."""
    browser.picture(page, size[0], size[1] + SPARE, path, *flags)
    cut(path, size[1] * size_of(path)[0] // size[0])


def draw(browser, page, pictures):
    draw_one(browser, page, (SCREEN, 1500), pictures + "-light.png")
    draw_one(browser, page, (SCREEN, 1500), pictures + "-dark.png", DARKLY)
    draw_one(browser, page, (PHONE, 1300), pictures + "-phone.png", "--force-device-scale-factor=1.5")


def main():
    browser, folder = Browser(sys.argv[1], sys.argv[2]), sys.argv[2]
    if len(sys.argv) == 4:
        return draw(browser, os.path.join(folder, "report.html"), sys.argv[3])
    pages = sorted(glob.glob(os.path.join(folder, "*.html")))
    real = os.path.join(folder, "real.html")
    judge_pages(browser, pages)
    judge_colours(browser, real, folder)
    judge_judge(browser, real, folder)
    print(f"browser: {len(pages)} pages, {len(failures)} failures")
    return 1 if failures or real not in pages else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main())
