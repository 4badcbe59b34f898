#!/usr/bin/env python3
# page_check.py - a page is well formed, has no script, and names nothing outside itself
# SPDX-License-Identifier: Apache-2.0
"""usage: page_check.py PAGE..."""
import html.parser
import re
import sys

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
# In SVG, elements may close themselves.
LOADS = {"script", "iframe", "object", "embed", "base", "form", "video", "audio", "source", "image",
         "use", "img"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.seen = [], [], {}

    def fault(self, what):
        self.faults.append(f"line {self.getpos()[0]}: {what}")

    def handle_startendtag(self, tag, attributes):
        self.examine(tag, attributes)
        if tag not in VOID and "svg" not in self.open:
            self.fault(f"<{tag}/> closes itself outside a picture")

    def handle_starttag(self, tag, attributes):
        self.examine(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.fault(f"</{tag}> where {self.open[-1:] or 'nothing'} is open")
        else:
            self.open.pop()

    def examine(self, tag, attributes):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.fault(f"<{tag}> has an attribute twice")
        if tag in LOADS:
            self.fault(f"<{tag}> loads or runs something")
        for name, value in attributes:
            if name.startswith("on"):
                self.fault(f"<{tag} {name}> is a script")
            if name in ("href", "src", "srcset", "action", "xlink:href") and value != "data:,":
                self.fault(f"<{tag} {name}={value!r}> points elsewhere")
            if value is None or re.search(r"\bnan\b|\binf\b", value, re.I) and tag != "meta":
                self.fault(f"<{tag} {name}={value!r}> is no value")


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    checker = Checker()
    checker.feed(text)
    checker.close()
    if checker.open:
        checker.faults.append(f"never closed: {checker.open}")
    if not text.startswith("<!DOCTYPE html>") or checker.seen.get("title", 0) < 1:
        checker.faults.append("it has no head")
    if "default-src 'none'" not in text:
        checker.faults.append("it lets a browser load things")
    if re.search(r"url\(|@import|https?://", text):
        checker.faults.append("it names an address")
    for fault in checker.faults:
        print(f"{path}: {fault}")
    print(f"{path}: {sum(checker.seen.values())} elements, {checker.seen.get('svg', 0)} pictures")
    return not checker.faults


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(0 if all([check(path) for path in sys.argv[1:]]) else 1)
