import type { Block, Fact } from '../../kernel/pdf.ts';
import { PAGE, TEXT_WIDTH } from './paper.ts';
import { type Element, ROW_HEADER } from './structure.ts';
import { STYLES, baselineOf } from './style.ts';
import type { Writing } from './table.ts';
import type { SetLine } from './typesetter.ts';

export const LABEL_WIDTH = 104;
const NARROW_LABEL = 84;
const GAP = 14;
const BELOW = 3.5;
/**
 * Maximum height, in points, of a value beside another one. A higher value has a row of its own, which can be split
 * between pages.
 */
const HIGHEST = 48;

type SetFact = { label: SetLine | undefined; lines: readonly SetLine[]; height: number };

/** Writes labels with their values, in one or two columns. Screen readers get a table with row headers. */
export async function writeFacts(
  { paper, setter, structure, breathe }: Writing,
  element: Element,
  facts: readonly Fact[],
  columns: 1 | 2,
): Promise<void> {
  const columnWidth = (TEXT_WIDTH - GAP * (columns - 1)) / columns;
  const labelWidth = columns === 1 ? LABEL_WIDTH : NARROW_LABEL;

  const set = async ([label, value]: Fact, width: number): Promise<SetFact> => {
    const blocks = Array.isArray(value) ? (value as readonly Block[]) : [value as Block];
    const lines: SetLine[] = [];
    for (const block of blocks) lines.push(...(await setter.lines(block, width - labelWidth)));
    const [first] = await setter.lines({ text: label, style: 'label' }, labelWidth);
    return { label: first, lines, height: lines.reduce((sum, { style }) => sum + style.leading, 0) };
  };
  /** Draws a fact at the current position. `next` reserves the height of a line and returns the line's position. */
  const draw = ({ label, lines }: SetFact, x: number, width: number, next: (height: number) => number): void => {
    const row = structure.begin('TR', element);
    const header = structure.begin('TH', row, { attributes: ROW_HEADER });
    const value = structure.begin('TD', row);
    for (const [n, line] of lines.entries()) {
      const y = next(line.style.leading);
      // A label shares the baseline of its value.
      const drop = baselineOf(line.style) - baselineOf(STYLES.label);
      if (n === 0 && label) setter.draw(label, x, y + drop, header);
      setter.draw(line, line.startsRight ? x + width - line.width : x + labelWidth, y, value);
    }
    structure.end(header);
    structure.end(value);
    structure.end(row);
  };
  const drawAlone = (fact: SetFact): void => {
    paper.need(16);
    let last = 0;
    draw(fact, PAGE.left, TEXT_WIDTH, (height) => {
      paper.move(last);
      paper.need(height);
      last = height;
      return paper.y;
    });
    paper.move(last + BELOW);
  };
  const drawRow = (row: readonly SetFact[]): void => {
    const height = row.reduce((most, fact) => Math.max(most, fact.height), 0);
    paper.need(height);
    for (const [n, fact] of row.entries()) {
      let y = paper.y;
      draw(fact, PAGE.left + n * (columnWidth + GAP), columnWidth, (leading) => {
        y += leading;
        return y - leading;
      });
    }
    paper.move(height + BELOW);
  };

  let row: SetFact[] = [];
  const finishRow = (): void => {
    if (row.length > 0) drawRow(row);
    row = [];
  };
  for (const fact of facts) {
    await breathe();
    const narrow = columns === 1 ? null : await set(fact, columnWidth);
    if (narrow && narrow.height <= HIGHEST) {
      row.push(narrow);
      if (row.length === columns) finishRow();
      continue;
    }
    finishRow();
    drawAlone(await set(fact, TEXT_WIDTH));
  }
  finishRow();
}
