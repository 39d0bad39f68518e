import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it.each([
    [['plain', 'a b'], 'plain,a b\r\n'],
    [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+49', '-2', '@sum', '\tx', '\rx'], `'=1+1,'+49,'-2,'@sum,'\tx,"'\rx"\r\n`],
    [['＝1+1', '＋49', '－2', '＠sum', '1＋1'], `'＝1+1,'＋49,'－2,'＠sum,1＋1\r\n`],
    [['=HYPERLINK("http://a","b")'], `"'=HYPERLINK(""http://a"",""b"")"\r\n`],
    [['', 'a=b', '李 +1'], ',a=b,李 +1\r\n'],
  ])('of %j is %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  it('reads back as it was written, an apostrophe before a formula aside, and no cell begins one', () => {
    const cell = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@＝＋－＠\t\r"',\n][ab",\r\n]*$/));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const read = readLine(csvLine(cells));
        expect(read.map((text, n) => (text === `'${cells[n]}` ? cells[n] : text))).toEqual(cells);
        for (const text of read) expect(text).not.toMatch(/^[=+\-@＝＋－＠\t\r]/);
      }),
    );
  });
});

/** What any reader of RFC 4180 makes of one line. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') break;
  }
  return cells;
}
