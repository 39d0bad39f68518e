import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Columns in order. The cells of a row are written unchanged. */
export type Table = { columns: readonly string[]; rows: readonly (readonly (string | number)[])[] };

/**
 * Prints the results of one measurement, and writes them into a page of `docs/`, between the markers with its name. The
 * rest of the page is written by hand and stays. Throws for a page without these markers. The results of a quick run
 * are only printed, because the page contains only full measurements.
 */
export function report(
  page: 'performance' | 'reliability',
  name: string,
  paragraphs: readonly (string | Table)[],
  extent: 'whole' | 'quick' = 'whole',
): void {
  const text = [...paragraphs.map(markdownOf), `*${circumstances()}*`].join('\n\n');
  console.log(`\n${text}\n`);
  if (extent === 'quick') {
    console.log(`Quick run: docs/${page}.md stays unchanged.`);
    return;
  }
  const file = `${ROOT}docs/${page}.md`;
  const [begin, end] = [`<!-- ${name}: written by its script -->`, `<!-- /${name} -->`];
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/${page}.md has no markers for ${name}: ${begin} … ${end}`);
  writeFileSync(file, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}

/** Returns the machine, versions and commit, which readers need to interpret the figures. */
function circumstances(): string {
  const all = cpus();
  const machine = `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
  return `${machine}; Node ${process.versions.node}; ${commit()}; ${new Date().toISOString().slice(0, 10)}`;
}

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    // The output of the reports doesn't count as a change to the measured code.
    const changed = git('status', '--porcelain', '--', '.', ':!docs/performance.md', ':!docs/reliability.md') !== '';
    return `commit ${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'commit unknown';
  }
}

/** Returns a paragraph or a table as Markdown. */
export function markdownOf(part: string | Table): string {
  if (typeof part === 'string') return part;
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const rule = part.columns.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(part.columns), line(rule), ...part.rows.map(line)].join('\n');
}
