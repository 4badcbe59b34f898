#!/usr/bin/env python3
# circles.py - no circle of files by their includes; name.c, name.h and name.def count as one file
# SPDX-License-Identifier: Apache-2.0
"""Prints each group of files of which every one includes every other one, directly or over others,
with the includes inside the group: one of them has to go."""
import os
import sys

from source_tree import SOURCES, Tree, arguments, report

ENDINGS = ('.c', '.h', '.def', '.in')


def node_of(path):
    """A file with its folder, without its ending."""
    folder, name = os.path.split(path)
    return folder + '/' + name.split('.')[0]


def graph_of(tree):
    """Which includes lead from a node to another: {node: {node: [text]}}."""
    graph = {}
    for path in tree.sources(SOURCES, ENDINGS):
        edges = graph.setdefault(node_of(path), {})
        for line, target in tree.includes(path):
            if node_of(target) != node_of(path):
                edges.setdefault(node_of(target), []).append(f'{path}:{line} includes {target}')
    return graph


def components(graph):
    """Strongly connected components of more than one node: Tarjan's algorithm, not recursive."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def enter(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        return node, iter(graph.get(node, ()))

    def leave(node):
        if low[node] != index[node]:
            return
        members = []
        while not members or members[-1] != node:
            members.append(stack.pop())
            on_stack.discard(members[-1])
        if len(members) > 1:
            found.append(sorted(members))

    for root in graph:
        path = [enter(root)] if root not in index else []
        while path:
            node, targets = path[-1]
            target = next((name for name in targets
                           if name not in index or name in on_stack), None)
            if target is None:
                path.pop()
                leave(node)
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
            elif target not in index:
                path.append(enter(target))
            else:
                low[node] = min(low[node], index[target])
    return sorted(found)


def describe(graph, members):
    """A circle as text: its members, and the includes between them."""
    lines = [f'{members[0]} is in a circle of {len(members)} files: {" ".join(members)}']
    for node in members:
        for target in members:
            lines += ['    ' + text for text in graph[node].get(target, ())]
    return '\n'.join(lines)


def main():
    """Returns the exit status."""
    words = arguments(__doc__)
    graph = graph_of(Tree(words.source))
    circles = components(graph)
    return report('circles', [describe(graph, members) for members in circles],
                  f'{len(graph)} files, and none includes itself over others', words.counts)


if __name__ == '__main__':
    sys.exit(main())
