import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, type Page, chromium } from '@playwright/test';
import { pngOf } from '../../apps/server/src/testing/pictures.ts';
import { type Call, callerOf } from '../caller.ts';
import { ServerProcess } from '../server-process.ts';
import { CANARY_PATH, type HostileFile, hostileFiles } from './hostile-bytes.ts';
import type { Outcome } from './outcome.ts';
import type { Game } from './plays.ts';

/** The number of files of a full run. */
const COUNT = 500;
/** The number of files that one page embeds, each in every way. */
const BATCH = 25;
/** How much the server's memory may grow, in MB. Decoding one of the bombs would take gigabytes. */
const GROWTH_MB = 200;
/** How much a process for previews may use, in MB. It is killed above 512 MB, which is checked 50 times a second. */
const PREVIEW_MB = 700;

/** Types in which a browser executes no script, and `octet-stream`, which it only downloads. */
const TYPES = /^(?:image\/(?:jpeg|png|gif|webp|heic)|application\/(?:pdf|octet-stream))$/;

type Place = { call: Call; token: string; runId: string; server: ServerProcess };
type Uploaded = HostileFile & { id: string };

/**
 * Uploads hostile files, checks how they are served, and tries to have Chromium execute them. `from` and `sequences`
 * choose a part of the files, because all of them take a long time on a slow machine.
 */
export async function attackFiles(
  port: number,
  { seed, from, sequences: length }: Pick<Game, 'seed' | 'from' | 'sequences'>,
): Promise<Outcome[]> {
  const files = hostileFiles(COUNT, seed).slice(from, from + length);
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const server = new ServerProcess(port, dataDir);
  try {
    await server.start();
    const place = await placeFor(server);
    const before = residentMegabytes(server);
    const { uploaded, findings } = await upload(place, files);
    const previews = await previewed(place, uploaded);
    findings.push(...(await served(place, uploaded)));
    const grown = Math.max(0, residentMegabytes(server) - before);
    if (grown > GROWTH_MB) findings.push(`the server's memory grew by ${grown.toFixed(0)} MB`);
    if (server.hasEnded) findings.push('the server ended');
    const browser = await opened(place, uploaded);
    const part = files.length < COUNT ? `${from} to ${from + files.length - 1} of ${COUNT}` : String(COUNT);
    const tried = `${part} files (SVG, HTML, PDF with scripts, polyglots, bombs, names with paths, control and right-to-left characters), seed ${seed}`;
    return [
      {
        attack: 'Hostile files: uploaded and served',
        tried,
        result: `stored as bytes, ${uploaded.length} served as attachments without sniffing, with a sandbox; the server’s memory grew by ${grown.toFixed(0)} MB`,
        findings,
      },
      {
        attack: 'Hostile files: previews',
        tried: `${previews.images} of them look like PNG or JPEG and were decoded`,
        result: `${previews.made} previews, all JPEG; a process for previews used at most ${previews.peak.toFixed(0)} MB`,
        findings: previews.findings,
      },
      {
        attack: 'Hostile files: opened in Chromium',
        tried: `${uploaded.length} files, each opened and embedded as a frame, picture, object, script, module and style sheet`,
        ...browser,
      },
    ];
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function placeFor(server: ServerProcess): Promise<Place> {
  const account = { email: 'files@example.com', name: 'Files', password: 'a long enough one' };
  const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', account);
  const call = callerOf(server.url, token);
  const drafts = '/api/workflows/files/drafts';
  const fields = [{ id: 'offer', label: 'Offer', kind: 'file', required: true }];
  const { draftId } = await call<{ draftId: string }>('POST', drafts, {
    metadata: { title: 'Files' },
    steps: [{ id: 'offer', title: 'Offer', type: 'manual', assignee: 'owner', config: { fields }, next: [] }],
  });
  await call('POST', `${drafts}/${draftId}/approve`);
  await call('POST', `${drafts}/${draftId}/merge`);
  const { id: runId } = await call<{ id: string }>('POST', '/api/runs', { key: 'files', name: 'Files' });
  return { call, token, runId, server };
}

async function upload(
  { call, token, runId, server }: Place,
  files: readonly HostileFile[],
): Promise<{ uploaded: Uploaded[]; findings: string[] }> {
  const uploaded: Uploaded[] = [];
  const findings: string[] = [];
  for (const file of files) {
    const { name, bytes } = file;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const about = { name, size: bytes.length, sha256, runId, stepId: 'offer' };
    try {
      const { id, chunkSize } = await call<{ id: string; chunkSize: number }>('POST', '/api/files', about);
      for (let n = 0; n * chunkSize < bytes.length; n += 1) {
        const response = await fetch(`${server.url}/api/files/${id}/chunks/${n}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
          body: bytes.subarray(n * chunkSize, (n + 1) * chunkSize),
        });
        if (!response.ok) throw new Error(`chunk ${n}: ${response.status}`);
      }
      const stored = await call<{ name: string; mediaType: string }>('POST', `/api/files/${id}/complete`);
      if (/[/\\\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/u.test(stored.name) || stored.name === '')
        findings.push(`${file.kind}: the stored name is ${JSON.stringify(stored.name)}`);
      uploaded.push({ ...file, id });
    } catch (error) {
      findings.push(`${file.kind} named ${JSON.stringify(name)} was not stored: ${String(error)}`);
    }
  }
  return { uploaded, findings };
}

/**
 * Waits until the server has tried to decode every image, and checks the previews. An organization's jobs are executed
 * in order, so a harmless image at the end is decoded last.
 */
async function previewed(place: Place, files: readonly Uploaded[]) {
  const findings: string[] = [];
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, ...previewProcesses(place.server))), 50);
  try {
    const harmless = pngOf(50, 50, () => [0, 200, 0, 255]);
    const { uploaded } = await upload(place, [{ kind: 'harmless', name: 'last.png', bytes: harmless }]);
    const last = uploaded[0]?.id ?? '';
    const patience = performance.now() + 1_200_000;
    while ((await previewOf(place, last)).status === 204 && performance.now() < patience) await sleep(500);
    if ((await previewOf(place, last)).status !== 200) findings.push('a harmless image has no preview');
    let made = 0;
    for (const { id, kind } of files) {
      const response = await previewOf(place, id);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status === 204) continue;
      made += 1;
      const isSafe =
        response.headers.get('content-type') === 'image/jpeg' &&
        response.headers.get('x-content-type-options') === 'nosniff' &&
        bytes.toString('hex', 0, 2) === 'ffd8' &&
        !bytes.includes('script');
      if (!isSafe) findings.push(`${kind}: its preview has status ${response.status} and isn't a JPEG`);
    }
    if (made === 0) findings.push('no hostile file has a preview, so the decoders were not reached');
    if (peak > PREVIEW_MB) findings.push(`a process for previews used ${peak.toFixed(0)} MB`);
    if (previewProcesses(place.server).length > 0) findings.push('a process for previews is still running');
    return {
      findings,
      made,
      peak,
      images: files.filter(({ bytes }) => /^(?:89504e470d0a1a0a|ffd8ff)/.test(bytes.toString('hex', 0, 8))).length,
    };
  } finally {
    clearInterval(timer);
  }
}

const previewOf = ({ server, token }: Place, id: string): Promise<Response> =>
  fetch(`${server.url}/api/files/${id}/preview`, { headers: { authorization: `Bearer ${token}` } });

/** The highest resident memory so far of each process for previews that is running, in MB. */
function previewProcesses({ pid }: ServerProcess): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const isChild = status.includes(`\nPPid:\t${pid}\n`);
      if (!isChild || !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('preview-process')) return [];
      return [Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024];
    } catch {
      return [];
    }
  });
}

async function served({ token, server }: Place, files: readonly Uploaded[]): Promise<string[]> {
  const findings: string[] = [];
  for (const { id, kind, bytes } of files) {
    const response = await fetch(`${server.url}/api/files/${id}`, { headers: { authorization: `Bearer ${token}` } });
    const received = Buffer.from(await response.arrayBuffer());
    const header = (name: string): string => response.headers.get(name) ?? '';
    const isSafe =
      response.status === 200 &&
      received.equals(bytes) &&
      TYPES.test(header('content-type')) &&
      header('content-disposition').startsWith('attachment; ') &&
      header('x-content-type-options') === 'nosniff' &&
      header('content-security-policy').includes('sandbox') &&
      !response.headers.has('set-cookie');
    if (!isSafe) findings.push(`${kind}: ${response.status} ${JSON.stringify(Object.fromEntries(response.headers))}`);
  }
  return findings;
}

async function opened(
  { token, server }: Place,
  files: readonly Uploaded[],
): Promise<Pick<Outcome, 'result' | 'findings' | 'notProven'>> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return { result: '', findings: [], notProven: 'there is no Chromium' };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ acceptDownloads: true });
    const executed: string[] = [];
    let now = 'the control';
    await watch(context, () => executed.push(now));
    // A browser sends no Authorization header when it follows a link, so the header is added here, which makes the
    // attack easier.
    await context.route(`${server.url}/api/files/**`, (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
    );
    const page = await context.newPage();
    const findings: string[] = [];
    if (!(await isDetected(page, server.url, executed)))
      findings.push('an executed file was not detected, so this check does not work');
    executed.length = 0;
    for (let at = 0; at < files.length; at += BATCH) {
      const batch = files.slice(at, at + BATCH);
      now = `files ${at} to ${at + batch.length - 1}, embedded`;
      await embed(
        page,
        server.url,
        batch.map(({ id }) => `/api/files/${id}`),
      );
      for (const { id, kind } of batch) {
        now = `${kind}, opened`;
        const address = `${server.url}/api/files/${id}`;
        // An attachment is downloaded instead of shown, so the navigation is aborted.
        const outcome = await page.goto(address).then(
          () => 'shown',
          (error: Error) => error.message,
        );
        if (!/Download is starting|ERR_ABORTED/.test(outcome)) findings.push(`${kind} was opened: ${outcome}`);
      }
      if (!browser.isConnected()) return { result: '', findings: ['Chromium crashed'] };
    }
    findings.push(...new Set(executed.map((file) => `executed: ${file}`)));
    return { result: 'downloaded; no script ran, no dialog, no request to another address', findings };
  } finally {
    await browser.close();
  }
}

async function watch(context: BrowserContext, onExecuted: () => void): Promise<void> {
  context.on('request', (request) => {
    if (request.url().includes(CANARY_PATH)) onExecuted();
  });
  context.on('dialog', (dialog) => {
    onExecuted();
    void dialog.dismiss();
  });
}

/** Embeds files in a page of the server's own origin that has no content security policy. */
async function embed(page: Page, url: string, paths: readonly string[]): Promise<void> {
  const html = paths
    .map(
      (path) =>
        `<iframe src="${path}"></iframe><img src="${path}"><object data="${path}"></object><embed src="${path}"><script src="${path}"></script><script type="module" src="${path}"></script><link rel="stylesheet" href="${path}">`,
    )
    .join('');
  await page.route(`${url}/embedding`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${url}/embedding`, { waitUntil: 'load' }).catch(() => undefined);
  await page.waitForTimeout(300);
  await page.unroute(`${url}/embedding`);
}

/**
 * Checks that an executed file is noticed: serves such files like a careless server, as the type in their name and
 * without protection.
 */
async function isDetected(page: Page, url: string, executed: readonly string[]): Promise<boolean> {
  const careless = { svg: 'image/svg+xml', html: 'text/html', javascript: 'text/javascript' } as const;
  for (const [kind, contentType] of Object.entries(careless)) {
    const before = executed.length;
    const file = hostileFiles(100, 1).find((each) => each.kind === kind);
    await page.route(`${url}/careless`, (route) => route.fulfill({ contentType, body: file?.bytes ?? '' }));
    await embed(page, url, ['/careless']);
    await page.unroute(`${url}/careless`);
    if (executed.length === before) return false;
  }
  return true;
}

const residentMegabytes = ({ pid }: ServerProcess): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
