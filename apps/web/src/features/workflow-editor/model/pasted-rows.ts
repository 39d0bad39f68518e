import type { Step } from '@stet/domain/steps';
import { EDITOR_FIELDS, insertSteps, LIMITS, type EditorField, type WorkflowContent } from '@stet/domain/workflows';
import { editCell, withSteps } from './document.ts';

/** A row of pasted cells. Columns that weren't pasted are absent. */
export type PastedRow = Partial<Record<EditorField, string>>;

/**
 * Parses the clipboard format of spreadsheets. Cells are separated by tabs and rows by line breaks. A cell that
 * contains either is in quotes, and quotes inside it are doubled. A trailing line break doesn't start another row.
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? '';
    const quoted = char === '"' && cell === '' ? closedQuote(text, at) : null;
    if (quoted) {
      cell = quoted.content;
      at = quoted.end;
    } else if (char === '\t') {
      row.push(cell);
      cell = '';
      at += 1;
    } else if (char === '\n' || char === '\r') {
      endRow();
      at += char === '\r' && text[at + 1] === '\n' ? 2 : 1;
    } else {
      // Skip to the next delimiter, because collecting a long cell character by character would be slow.
      const end = nextMark(text, at + 1);
      cell += text.slice(at, end);
      at = end;
    }
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** Finds the end of a quoted cell. Returns null if the quote is part of the text instead. */
function closedQuote(text: string, start: number): { content: string; end: number } | null {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] === '"') continue;
    const isEnd = at + 1 === text.length || /[\t\r\n]/.test(text[at + 1] ?? '');
    return isEnd
      ? {
          content: text
            .slice(start + 1, at)
            .replaceAll('""', '"')
            .replaceAll(/\r\n?/g, '\n'),
          end: at + 1,
        }
      : null;
  }
  return null;
}

function nextMark(text: string, from: number): number {
  const mark = /[\t\r\n]/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

/**
 * The rows to paste at a cell in the column `start`. If the first row contains at least two of the table's headings, it
 * determines the columns. Otherwise they begin at `start`, and cells beyond the last column are ignored.
 */
export function pastedRows(cells: readonly (readonly string[])[], start: EditorField): PastedRow[] {
  const heads = cells[0]?.map((head) => head.trim().toLowerCase()) ?? [];
  const named = heads.map((head) => EDITOR_FIELDS.find((field) => field === head) ?? null);
  const hasHeads = named.filter((field) => field !== null).length > 1;
  const columns = hasHeads ? named : EDITOR_FIELDS.slice(EDITOR_FIELDS.indexOf(start));
  return cells.slice(hasHeads ? 1 : 0).map((row) => {
    const read: PastedRow = {};
    columns.forEach((field, index) => {
      const value = row[index];
      if (field !== null && value !== undefined) read[field] = cellText(field, value);
    });
    return read;
  });
}

const cellText = (field: EditorField, value: string): string =>
  field === 'task' ? value : value.replaceAll(/\s*\n\s*/g, ' ').trim();

/** The numbers of rows that change existing steps, become new steps, or exceed the limit if pasted at a row. */
export function roomFor(rows: number, at: number, steps: number): { changed: number; added: number; leftOut: number } {
  const changed = Math.min(rows, steps - at);
  const added = Math.min(rows - changed, LIMITS.steps - steps);
  return { changed, added, leftOut: rows - changed - added };
}

/**
 * Pastes rows into the document, starting at row `at` (counted from 0). Rows beyond the last step become new steps from
 * `fresh`; their empty cells don't change the new step's values.
 */
export function pasteRows(
  content: WorkflowContent,
  at: number,
  rows: readonly PastedRow[],
  fresh: readonly Step[],
): WorkflowContent {
  const { changed } = roomFor(rows.length, at, content.steps.length);
  let pasted = content;
  rows.slice(0, changed).forEach((row, index) => {
    const step = content.steps[at + index];
    if (step) pasted = withCells(pasted, step.id, row);
  });
  const added = fresh.flatMap((step, index) => {
    const row = rows[changed + index];
    if (!row) return [];
    const filledCells = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
    return withCells({ ...content, steps: [step] }, step.id, filledCells).steps;
  });
  return withSteps(pasted, insertSteps(pasted.steps, added, pasted.steps.length));
}

function withCells(content: WorkflowContent, stepId: string, row: PastedRow): WorkflowContent {
  return EDITOR_FIELDS.reduce((now, field) => {
    const value = row[field];
    return value === undefined ? now : editCell(now, stepId, field, value);
  }, content);
}

/** The message after a paste. It is shown and announced. */
export function pastedSentence({ changed, added, leftOut }: ReturnType<typeof roomFor>): string {
  const parts = [
    changed > 0 && `${changed} ${changed === 1 ? 'row' : 'rows'} filled`,
    added > 0 && `${added} ${added === 1 ? 'step' : 'steps'} added`,
    leftOut > 0 && `${leftOut} left out, because a workflow has at most ${LIMITS.steps} steps`,
  ].filter((part) => part !== false);
  return `Pasted: ${parts.join(', ')}. You can undo it.`;
}
