// node --import tsx bench/web.ts [--only /app/runs,/login] [--quick] [--port 3992]
// Measures every route of the app in Chromium with the demo's data: the bytes of its first load, the time until it is
// usable with a cold and a warm cache at a quarter of the CPU's speed, long tasks and layout shifts. Then it measures
// the main interactions, and the editor and the builder with a thousand steps. Exits with 1 if a limit is exceeded.
// Needs a build (npm run build). Writes its part of docs/performance.md, unless --only or --quick is given.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import { launched, longTasks, windowOf } from './browser.ts';
import { busyWords, quantile } from './figures.ts';
import { type Fetched, type Load, load } from './first-load.ts';
import { addingTimes, draftInBuilder, openBuilder } from './in-builder.ts';
import { interactionTimes } from './in-app.ts';
import { commitTimes, draftInEditor, openEditor } from './in-editor.ts';
import { signedUp } from './prepared-draft.ts';
import { type Table, report } from './report.ts';
import { ServerProcess } from './server-process.ts';
import { OWNER, type Sample, WORKER, routePatterns, samplesIn, signedIn } from './web-routes.ts';

/** Limits for JavaScript in kB of 1000 bytes. */
const BARS = { landing: 100, shell: 190, route: 300 };
/** Milliseconds from an input to the next paint at a quarter of the CPU's speed. */
const MAX_INTERACTION_MS = 100;
const MAX_SHIFT = 0.02;
/** The maximum size of a workflow. The last of these steps are added in the builder. */
const STEPS = 1000;
const ACTS = 40;
const NARROW = { width: 390, height: 844 };

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    port: { type: 'string', default: '3992' },
  },
});
const port = Number(values.port);
const only = (values.only ?? (values.quick ? '/,/login,/app/runs' : undefined))?.split(',');
const missed: string[] = [];

type Measured = { name: string; signedIn: boolean; cold: Load; warm: Load; narrow: Load };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const kB = (bytes: number): string => (bytes / 1000).toFixed(1);
const bytesOf = (files: readonly Fetched[], kind: Fetched['kind']): number =>
  files.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
const untilUsable = ({ files }: Load): Fetched[] => files.filter(({ askedAfterUsable }) => !askedAfterUsable);

/** Returns an address's name in the table, without ids and keys. */
function nameOf(pattern: string, { address }: Sample): string {
  const query = new URLSearchParams(address.split('?')[1]);
  const mode = query.get('builder') ? '?builder' : query.get('mode') ? `?mode=${query.get('mode')}` : '';
  return `\`${pattern}${mode}\``;
}

async function measure(browser: Browser, url: string, pattern: string, sample: Sample): Promise<Measured> {
  const wide = await windowOf(browser, sample.token);
  const cold = await load(wide, url, sample);
  const warm = await load(wide, url, sample);
  await wide.close();
  const phone = await windowOf(browser, sample.token, NARROW);
  const narrow = await load(phone, url, sample);
  await phone.close();
  return { name: nameOf(pattern, sample), signedIn: sample.token !== null, cold, warm, narrow };
}

function rowOf({ name, cold, warm, narrow }: Measured): string[] {
  const early = untilUsable(cold);
  const later = bytesOf(cold.files, 'script') - bytesOf(early, 'script');
  return [
    name,
    kB(bytesOf(early, 'script')),
    later === 0 ? '' : kB(later),
    kB(bytesOf(early, 'stylesheet')),
    ...[cold, warm].map(({ usableMs }) => (usableMs / 1000).toFixed(2)),
    ...[cold, warm].map(({ longTaskMs }) => longTaskMs.toFixed(0)),
    ...[cold, narrow].map(({ shift }) => shift.sum.toFixed(3)),
  ];
}

function judge({ name, cold, warm, narrow }: Measured): void {
  const script = bytesOf(cold.files, 'script');
  const most = name === '`/`' ? BARS.landing : BARS.route;
  if (script > most * 1000) missed.push(`${name} loads ${kB(script)} kB of JavaScript, more than ${most}`);
  for (const [where, { shift }] of Object.entries({ 'at 1440': cold, 'at 1440, warm': warm, 'at 390': narrow }))
    if (shift.sum > MAX_SHIFT)
      missed.push(
        `${name} shifts by ${shift.sum.toFixed(3)} ${where}, more than ${MAX_SHIFT} (${shift.moved.join(', ')})`,
      );
}

/**
 * Returns the bytes of the scripts that at least half of the signed-in routes load, before or after they are usable.
 * This way, a single route that loads less doesn't hide a common script.
 */
function shellBytes(measured: readonly Measured[]): number {
  const brought = measured.filter(({ signedIn }) => signedIn).map(({ cold }) => cold.files);
  const scripts = brought.flat().filter(({ kind }) => kind === 'script');
  const shared = new Map(scripts.map((file) => [file.path, file]));
  for (const path of shared.keys())
    if (brought.filter((files) => files.some((file) => file.path === path)).length * 2 < brought.length)
      shared.delete(path);
  return bytesOf([...shared.values()], 'script');
}

/** Measures the main interactions with the demo's data. */
async function interactions(browser: Browser, url: string): Promise<Table> {
  const { token, call } = await signedIn(url, WORKER);
  const account = { token, post: <T>(path: string, body?: unknown) => call<T>('POST', path, body) };
  const editor = await draftInEditor(url, account, 100);
  const window = await windowOf(browser, token);
  const measured = await interactionTimes(window, {
    tasks: `${url}/app/tasks`,
    runs: `${url}/app/runs`,
    tokens: `${url}/app/settings/tokens`,
    editor,
  });
  await window.close();
  const rows = measured.map(({ name, times }) => {
    const [middle, worst] = [quantile(times, 0.5), Math.max(...times)];
    if (middle > MAX_INTERACTION_MS)
      missed.push(`${name} takes ${middle.toFixed(0)} ms, more than ${MAX_INTERACTION_MS}`);
    return [name, middle.toFixed(0), worst.toFixed(0)];
  });
  return { columns: ['from the input to the next paint', 'p50 ms', 'longest ms'], rows };
}

async function routes(browser: Browser): Promise<{ table: Table; shell: number; inputs: Table | null }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-web-'));
  const server = new ServerProcess(port, dataDir, { STET_ADMINS: OWNER }, [], 'demo');
  const measured: Measured[] = [];
  let inputs: Table | null = null;
  try {
    const [patterns] = await Promise.all([routePatterns(), server.start()]);
    const samples = await samplesIn(server.url);
    const forgotten = patterns.filter((pattern) => samples[pattern] === undefined);
    if (forgotten.length > 0) throw new Error(`bench/web-routes.ts has no address for ${forgotten.join(', ')}`);
    for (const pattern of patterns.filter((each) => only?.includes(each) ?? true)) {
      for (const sample of samples[pattern] ?? []) {
        const one = await measure(browser, server.url, pattern, sample).catch((error: unknown) => String(error));
        if (typeof one === 'string') {
          missed.push(one);
          continue;
        }
        measured.push(one);
        judge(one);
        say(
          rowOf(one)
            .map((cell, at) => (at === 0 ? cell.padEnd(42) : cell.padStart(8)))
            .join(''),
        );
      }
    }
    if (only === undefined) inputs = await interactions(browser, server.url);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const columns = ['route', 'JS kB', 'later', 'CSS kB', 'usable, cold s', 'warm s', 'long tasks, cold ms', 'warm ms'];
  const table = { columns: [...columns, 'shift at 1440', 'at 390'], rows: measured.map(rowOf) };
  return { table, shell: shellBytes(measured), inputs };
}

/** Measures editor and builder with a thousand steps, at full CPU speed. */
async function thousands(browser: Browser): Promise<Table> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-web-'));
  const server = new ServerProcess(port, dataDir);
  try {
    await server.start();
    const account = await signedUp(server.url);
    const editor = await draftInEditor(server.url, account, STEPS);
    const builder = await draftInBuilder(server.url, account, STEPS - ACTS);
    const window = await windowOf(browser, account.token);
    const rows: string[][] = [];
    for (const [name, heading, address, open, act] of [
      ['editor: an edit of a cell, committed', 'A long workflow', editor, openEditor, commitTimes],
      ['builder: a step added at the end', 'Steps of all types', builder, openBuilder, addingTimes],
    ] as const) {
      const opened = await load(window, '', { address, heading, token: account.token });
      const page = await window.newPage();
      await open(page, address);
      await longTasks(page);
      const paints = await act(page, ACTS);
      const long = await longTasks(page);
      await page.close();
      const paint = [0.5, 0.95].map((share) => quantile(paints, share).toFixed(0));
      const longest = long.length === 0 ? '' : Math.max(...long).toFixed(0);
      rows.push([
        name,
        (opened.usableMs / 1000).toFixed(2),
        opened.longTaskMs.toFixed(0),
        ...paint,
        String(long.length),
        longest,
      ]);
    }
    const columns = [
      '',
      'usable after opening s',
      'long tasks while opening ms',
      'to paint p50 ms',
      'p95 ms',
      `long tasks in ${ACTS} actions`,
      'longest ms',
    ];
    return { columns, rows };
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const browser = await launched();
try {
  const busy = busyWords();
  const large = only === undefined ? await thousands(browser) : null;
  const { table, shell, inputs } = await routes(browser);
  say(`signed-in shell: ${kB(shell)} kB of JavaScript`);
  if (large && inputs) {
    if (shell > BARS.shell * 1000) missed.push(`the signed-in shell loads ${kB(shell)} kB, more than ${BARS.shell}`);
    const bars = `Limits: ${BARS.landing} kB of JavaScript on the landing page, ${BARS.shell} kB in the signed-in shell (the files that at least half of the signed-in routes load, now or later: **${kB(shell)} kB**), ${BARS.route} kB on any route, including files loaded later; a layout shift of ${MAX_SHIFT} at widths of 1440 and 390 pixels.`;
    report('performance', 'web', [
      `Each route is loaded with the demo’s data in Chromium at a quarter of the CPU’s speed, with server and browser on one machine and no network latency. Sizes are those of the compressed files of a first load (each file adds about 0.7 kB of headers); *later* means requested after the page was usable. A page is *usable* when its heading is shown, no loading indicator is left, and the last long task is over. ${busy}`,
      `${bars} ${missed.length === 0 ? 'All are met.' : `**Exceeded: ${missed.join('; ')}.**`}`,
      table,
      `The main interactions at a quarter of the CPU’s speed, five times each after a first one: the time from the input to the next paint, as the browser measures it (Event Timing, in steps of 8 ms, at least 16). Limit: ${MAX_INTERACTION_MS} ms at the median.`,
      inputs,
      `A workflow with ${STEPS} steps in the editor, and one that grows from ${STEPS - ACTS} to ${STEPS} steps in the builder: opened at a quarter of the CPU’s speed; the time from a key press or click to the paint is measured at full speed.`,
      large,
    ]);
  } else say('Only some of the routes: docs/performance.md is not changed.');
  say(missed.length === 0 ? 'passed' : `✗ ${missed.join('\n✗ ')}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}
