import { PAGE, type Paper, TEXT_WIDTH } from './paper.ts';
import type { Block, Cell, Column, Table } from '../../kernel/pdf.ts';
import { ARTIFACT, COLUMN_HEADER, type Element, type Structure } from './structure.ts';
import { baselineOf } from './style.ts';
import type { SetLine, Typesetter } from './typesetter.ts';

type Place = { x: number; width: number; align?: 'left' | 'right' };
type SetCell = readonly SetLine[];

const GAP = 9;
const PADDING = 4.5;
const ENOUGH = 80;

/** The tools with which parts of a document are written. */
export type Writing = { paper: Paper; setter: Typesetter; structure: Structure; breathe: () => Promise<void> };

/**
 * A table with hairlines. Each of its pages shows the head. A row of at most half a page moves to the next page if it
 * doesn't fit. A longer row starts on this page unless little space is left, and is split. `element` is the table's
 * element, which the caller ends.
 */
export async function openTable(
  { paper, setter, structure, breathe }: Writing,
  element: Element,
  columns: readonly Column[],
): Promise<Table> {
  const places = placed(columns);
  const head = await setCells(
    setter,
    columns.map(({ head: text }) => ({ text, style: 'label' })),
    places,
  );
  const headHeight = heightOf(head) + PADDING * 1.5;

  const hairline = (ink?: 'lineStrong'): void => {
    structure.use(ARTIFACT);
    paper.hairline(ink);
  };
  /** On later pages, the head is decoration. */
  const drawHead = (owners: readonly Element[] = []): void => {
    if (owners.length === 0) structure.use(ARTIFACT);
    drawCells(head, places, owners);
    paper.move(headHeight);
    hairline('lineStrong');
  };
  const drawCells = (cells: readonly SetCell[], at: readonly Place[], owners: readonly Element[]): void => {
    const baseline = firstBaseline(cells);
    for (const [n, lines] of cells.entries()) {
      const place = at[n];
      if (!place) throw new Error('a row has more cells than the table has columns');
      let y = paper.y + dropOf(lines, baseline);
      for (const line of lines) {
        const startsRight = place.align === 'right' || line.startsRight;
        const x = startsRight ? place.x + place.width - line.width : place.x;
        setter.draw(line, x, y, owners[n]);
        y += line.style.leading;
      }
    }
  };
  /** Draws cells at the current position, across as many pages as they need. */
  const flow = async (cells: readonly SetCell[], at: readonly Place[], owners: readonly Element[]): Promise<void> => {
    let rest = cells;
    while (rest.some((lines) => lines.length > 0)) {
      const room = paper.left - PADDING;
      const baseline = firstBaseline(rest);
      const now = rest.map((lines) => lines.slice(0, fitting(lines, room - dropOf(lines, baseline))));
      if (now.every((lines) => lines.length === 0)) {
        paper.newPage();
        drawHead();
        paper.move(PADDING);
        continue;
      }
      drawCells(now, at, owners);
      paper.move(heightOf(now));
      rest = rest.map((lines, n) => lines.slice(now[n]?.length ?? 0));
      await breathe();
    }
  };
  const inRow = async (role: 'TH' | 'TD', write: (cells: Element[]) => Promise<void> | void): Promise<void> => {
    const row = structure.begin('TR', element);
    const attributes = role === 'TH' ? COLUMN_HEADER : '';
    const cells = columns.map(() => structure.begin(role, row, { attributes }));
    await write(cells);
    for (const cell of cells) structure.end(cell);
    structure.end(row);
  };

  // The head must not be alone at the bottom of a page.
  paper.need(headHeight + 40);
  await inRow('TH', drawHead);
  return {
    row: async (cells, below) => {
      await breathe();
      const set = await setCells(setter, cells, places);
      const wide = [widePlace(places)];
      const under = below ? await setCells(setter, [below], wide) : [];
      const height = heightOf(set) + heightOf(under) + PADDING * 2;
      const isShort = height <= paper.whole / 2;
      if (paper.need(isShort ? height : ENOUGH)) drawHead();
      paper.move(PADDING);
      await inRow('TD', async (owners) => {
        await flow(set, places, owners);
        if (under.length > 0) paper.move(PADDING / 2);
        // A text below the row is tagged as part of the row's last cell.
        await flow(under, wide, owners.slice(-1));
      });
      paper.move(PADDING);
      hairline();
    },
  };
}

function placed(columns: readonly Column[]): Place[] {
  const width = TEXT_WIDTH - GAP * (columns.length - 1);
  const whole = columns.reduce((sum, { share }) => sum + share, 0);
  let x: number = PAGE.left;
  return columns.map(({ share, align = 'left' }) => {
    const place = { x, width: (width * share) / whole, align };
    x += place.width + GAP;
    return place;
  });
}

function widePlace(places: readonly Place[]): Place {
  const x = places[1]?.x ?? PAGE.left;
  return { x, width: PAGE.left + TEXT_WIDTH - x };
}

async function setCells(setter: Typesetter, cells: readonly Cell[], places: readonly Place[]): Promise<SetCell[]> {
  const set: SetCell[] = [];
  for (const [n, cell] of cells.entries()) {
    const blocks = Array.isArray(cell) ? (cell as readonly Block[]) : [cell as Block];
    const lines: SetLine[] = [];
    for (const block of blocks) lines.push(...(await setter.lines(block, places[n]?.width ?? 0)));
    set.push(lines);
  }
  return set;
}

/** The first lines of all cells share the lowest baseline, even if their sizes differ. */
function firstBaseline(cells: readonly SetCell[]): number {
  return cells.reduce((lowest, [first]) => Math.max(lowest, first ? baselineOf(first.style) : 0), 0);
}

const dropOf = ([first]: SetCell, baseline: number): number => (first ? baseline - baselineOf(first.style) : 0);

/** The number of lines that fit into this height. */
function fitting(lines: SetCell, room: number): number {
  let used = 0;
  const over = lines.findIndex(({ style }) => (used += style.leading) > room);
  return over === -1 ? lines.length : over;
}

function heightOf(cells: readonly SetCell[]): number {
  const baseline = firstBaseline(cells);
  return cells.reduce((most, lines) => {
    const height = lines.reduce((sum, { style }) => sum + style.leading, dropOf(lines, baseline));
    return Math.max(most, height);
  }, 0);
}
