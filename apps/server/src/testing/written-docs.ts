import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));

/**
 * Compares a marked part of the operations page with the sources. When `npm run docs` runs, writes the part instead.
 */
export function expectWritten(part: 'configuration' | 'sharding' | 'lives', text: string): void {
  const page = readFileSync(OPERATIONS, 'utf8');
  const [begin, end] = [`<!-- ${part}: npm run docs writes this -->`, `<!-- /${part} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`docs/operations.md has no markers for ${part}`);
  const wanted = `\n\n${text}\n\n`;
  if (process.env['WRITE_DOCS'] === 'yes') writeFileSync(OPERATIONS, page.slice(0, from) + wanted + page.slice(to));
  else expect(page.slice(from, to), 'docs/operations.md is out of date: run npm run docs').toBe(wanted);
}
