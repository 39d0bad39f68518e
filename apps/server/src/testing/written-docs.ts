import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));

/**
 * Holds a part of the page for operators, between its marks, against what the sources say now. With `npm run docs` it is
 * written instead.
 */
export function expectWritten(part: 'configuration' | 'sharding', text: string): void {
  const page = readFileSync(OPERATIONS, 'utf8');
  const [begin, end] = [`<!-- ${part}: npm run docs writes this -->`, `<!-- /${part} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`docs/operations.md has no place for ${part}`);
  const wanted = `\n\n${text}\n\n`;
  if (process.env['WRITE_DOCS'] === 'yes') writeFileSync(OPERATIONS, page.slice(0, from) + wanted + page.slice(to));
  else expect(page.slice(from, to), 'docs/operations.md is out of date: npm run docs').toBe(wanted);
}
