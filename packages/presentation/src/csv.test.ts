import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it.each([
    [['plain', 'a b'], '"plain","a b"\r\n'],
    [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+49', '-2', '@sum', '\tx', '\rx'], `"'=1+1","'+49","'-2","'@sum","'\tx","'\rx"\r\n`],
    [['＝1+1', '＋49', '－2', '＠sum', '1＋1'], `"'＝1+1","'＋49","'－2","'＠sum","1＋1"\r\n`],
    [['=HYPERLINK("http://a","b")'], `"'=HYPERLINK(""http://a"",""b"")"\r\n`],
    [['', 'a=b', '李 +1', 'a - b'], '"","a=b","李 +1","a - b"\r\n'],
    [
      ['a;=1', 'a";=1', 'a;"=1', 'a|\t＝1', 'a\r\n@x', ' =1'],
      `"a;'=1","a"";'=1","a;""'=1","a|\t'＝1","a\r\n'@x"," '=1"\r\n`,
    ],
  ])('for the cells %j is %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  const cell = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@＝＋－＠\t\r"',;\n|][ab",;|\r\n\t=＝]*$/));
  const line = fc.array(cell, { minLength: 1, maxLength: 6 });

  it('reads back as written except for the added apostrophes', () => {
    fc.assert(
      fc.property(line, (cells) => {
        const plain = (text: string): string => text.replaceAll("'", '');
        expect(readLine(csvLine(cells)).map(plain)).toEqual(cells.map(plain));
      }),
    );
  });

  it.each([',', ';', '\t', '|', ':', '\n', '\r'])(
    'has no cell that starts a formula if it is split at %j',
    (separator) => {
      fc.assert(
        fc.property(line, (cells) => {
          // The line must be safe for programs that respect quotes and for those that split at each separator.
          for (const text of readLine(csvLine(cells))) expect(text).not.toMatch(/^[=+\-@＝＋－＠\t\r]/);
          for (const text of readLine(csvLine(cells)).flatMap((read) => read.split(separator)))
            expect(text).not.toMatch(/^["' ]*(?<!')[=+\-@＝＋－＠]/);
        }),
      );
    },
  );
});

/** Reads one line as RFC 4180 defines it. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  const pattern = /"((?:[^"]|"")*)"(,|\r\n$)/gy;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? '');
    if (match[2] !== ',') break;
  }
  return cells;
}
