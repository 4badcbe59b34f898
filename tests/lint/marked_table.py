# marked_table.py - a table in a page that a check makes and compares
# SPDX-License-Identifier: Apache-2.0
"""A table of Markdown between two lines of a page. Imported by the checks, run by nobody."""
import os


class MarkedTable:
    """The place of a table: the lines `<!-- NAME: begin, written by SCRIPT --update -->` and
    `<!-- NAME: end -->` of a page, once each."""

    def __init__(self, page, name, script):
        self.page, self.name, self.script = page, name, script
        self.begin = f'<!-- {name}: begin, written by {script} --update -->\n'
        self.end = f'<!-- {name}: end -->\n'

    def renewed(self, text, table):
        """The page with this table; None if the markers are not there once each."""
        begin, end = self.begin, self.end
        if text.count(begin) != 1 or text.count(end) != 1 or text.index(end) < text.index(begin):
            return None
        return text[:text.index(begin) + len(begin)] + table + text[text.index(end):]

    def check(self, tree, table, source, update):
        """Returns the text of the page, and what is wrong with its table, which is made from the
        file `source`; writes the table if it is to be updated."""
        text = tree.read(self.page)
        fresh = self.renewed(text, table)
        if fresh is None:
            return text, [f'{self.page}: the markers are missing: '
                          f'{self.begin.strip()} and {self.end.strip()}']
        if fresh == text:
            return text, []
        if not update:
            return text, [f'{self.page}: the table of {self.name} is not that of {source}; '
                          f'{self.script} --update SOURCE writes it']
        with open(os.path.join(tree.root, self.page), 'w', encoding='utf-8') as file:
            file.write(fresh)
        print(f'{self.page} is rewritten')
        return fresh, []
