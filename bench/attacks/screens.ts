import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, chromium } from '@playwright/test';
import { ELSEWHERE, lineOf, textOf } from './canaries.ts';
import { KEY } from './canary-corners.ts';
import type { CanaryWorld } from './canary-world.ts';
import type { Sightings } from './sightings.ts';

const PROBE = fileURLToPath(new URL('screen-probe.js', import.meta.url));

export type Seen = { screens: number; withCanary: number; findings: string[] };

/** The check moves on to the next screen if this many openings in a row show no new canary. */
const ENOUGH_IN_VAIN = 6;
const SOLO = ['/app/settings/profile', '/app/settings/organization', '/app/settings/members', '/app/workflows'];

const within = (base: string, query: Record<string, string>): string =>
  `${base}?${new URLSearchParams(query).toString()}`;

/** Returns addresses of the app's screens, with ids of existing records, and with canaries in paths and queries. */
function addressesOf(world: CanaryWorld): { signedIn: string[]; signedOut: string[] } {
  const { versionIds, openDraftId, behindDraftId, resolvedDraftId, runIds, inviteToken } = world;
  const [first = '', second = '', third = ''] = versionIds;
  const hit = lineOf('address');
  return {
    signedOut: [
      '/',
      within('/priority-apply', { email: hit }),
      within('/login', { returnTo: `javascript:__hit('returnTo')`, error: hit }),
      '/signup',
      within('/reset-password', { token: hit }),
      `/invite/${inviteToken}`,
      `/invite/${encodeURIComponent(hit)}`,
      `/${encodeURIComponent(hit)}`,
    ],
    signedIn: [
      within('/app/editor', { key: KEY, mode: 'edit' }),
      within('/app/editor', { key: KEY, draftId: openDraftId }),
      within('/app/editor', { key: KEY, draftId: resolvedDraftId }),
      within('/app/editor', { key: 'broken', draftId: world.brokenDraftId }),
      within('/app/editor', { key: 'patched', draftId: world.patchedDraftId }),
      within('/app/editor', { key: 'from-yaml', mode: 'edit' }),
      within('/app/editor', { key: 'from-bpmn', mode: 'edit' }),
      within('/app/editor', { key: 'new', duplicate: KEY }),
      within('/app/editor', { key: hit, template: hit }),
      within('/app/review', { key: KEY, id: openDraftId }),
      within('/app/review', { key: KEY, id: first }),
      within('/app/review', { key: KEY, id: third }),
      within('/app/review', { key: 'broken', id: world.brokenDraftId }),
      within('/app/review', { key: 'patched', id: world.patchedDraftId }),
      within('/app/rebase', { key: KEY, id: behindDraftId }),
      within('/app/compare', { key: KEY, from: '1', to: '2' }),
      within('/app/compare', { key: KEY, from: second, to: openDraftId }),
      '/app/workflows',
      within('/app/workflows', { q: hit }),
      within('/app/workflows', { builder: 'view', key: KEY }),
      within('/app/workflows', { builder: 'edit', key: KEY, draftId: openDraftId }),
      within('/app/workflows', { builder: 'edit', key: 'broken', draftId: world.brokenDraftId }),
      within('/app/workflows', { builder: 'edit', key: 'patched', draftId: world.patchedDraftId }),
      '/app/runs',
      within('/app/runs', { q: hit, workflow: hit }),
      ...runIds.flatMap((id) => [`/app/runs/${id}`, `/app/workflows/run/${KEY}/${id}`]),
      `/app/runs/${encodeURIComponent(hit)}`,
      `/app/workflows/run/${KEY}`,
      '/app/docs',
      within('/app/docs', { q: hit }),
      within('/app/docs', { key: KEY }),
      `/app/docs/${KEY}`,
      within(`/app/docs/${KEY}`, { version: openDraftId }),
      `/app/docs/${KEY}#${encodeURIComponent(hit)}`,
      `/app/docs/${KEY}/settings`,
      '/app/tasks',
      '/app/legacy-workflows',
      '/app/audit',
      within('/app/audit', { q: hit }),
      '/app/integrations',
      within('/app/integrations', { slack: hit }),
      '/app/settings/profile',
      '/app/settings/notifications',
      '/app/settings/organization',
      '/app/settings/members',
      '/app/settings/groups',
      '/app/settings/confirmations',
      '/app/settings/away',
      '/app/settings/tokens',
      '/app/settings/webhooks',
      `/app/${encodeURIComponent(hit)}`,
    ],
  };
}

/** Opens the app's screens in Chromium and watches for effects of a canary. Null if there is no Chromium. */
export async function lookAtScreens(url: string, world: CanaryWorld, sightings: Sightings): Promise<Seen | null> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return null;
  const seen: Seen = { screens: 0, withCanary: 0, findings: [] };
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const visit = (paths: string[], token: string | null): Promise<void> =>
    visitAll(browser, { url, paths, token }, sightings, seen);
  try {
    if (!(await isDetected(browser)))
      seen.findings.push('a planted canary was not detected, so this check does not work');
    const { signedIn, signedOut } = addressesOf(world);
    // A second person, because notifications and tasks are shown to the people whom the first person's work concerns.
    const concerned = signedIn.filter((path) => /tasks|run\/|editor\?key=canary/.test(path));
    const half = signedIn.length / 2;
    await Promise.all([
      visit(signedIn.slice(0, half), world.ownerToken),
      visit(signedIn.slice(half), world.ownerToken),
      visit(signedOut, null)
        .then(() => visit(concerned, world.mateToken))
        .then(() => visit(SOLO, world.soloToken)),
    ]);
  } finally {
    await browser.close();
  }
  return seen;
}

/** Checks that the check itself works: an unescaped canary must run and must be found in the document. */
async function isDetected(browser: Browser): Promise<boolean> {
  const page = await browser.newPage();
  let hits = 0;
  await page.exposeFunction('__hit', () => void (hits += 1));
  await page.addInitScript({ path: PROBE });
  await page.goto('about:blank');
  await page.setContent(`${lineOf('planted')} ${textOf('planted')}`, { waitUntil: 'commit' });
  for (const until = Date.now() + 10_000; hits === 0 && Date.now() < until;) await page.waitForTimeout(50);
  const strangers = await strangersIn(page);
  await page.close();
  return hits > 0 && strangers.length > 0;
}

type Visit = { url: string; paths: readonly string[]; token: string | null };
async function visitAll(
  browser: Browser,
  { url, paths, token }: Visit,
  sightings: Sightings,
  seen: Seen,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (token) await context.addInitScript(`localStorage.setItem('stet_token', ${JSON.stringify(token)})`);
  await context.addInitScript({ path: PROBE });
  const page = await context.newPage();
  let at = '';
  const found = (what: string): void => void seen.findings.push(`${at}: ${what}`);
  await page.exposeFunction('__hit', (field: unknown) => found(`the canary of ${String(field)} ran`));
  page.on('dialog', (dialog) => {
    // An editor asks for confirmation before it is left with unsaved changes.
    if (dialog.type() !== 'beforeunload') found(`a dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.protocol.startsWith('http') && to.origin !== new URL(url).origin) found(`a request to ${to.host}`);
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) found(`against the policy: ${message.text().slice(0, 160)}`);
  });
  page.on('pageerror', (error) => found(`an error: ${error.message.slice(0, 160)}`));
  for (const path of paths) {
    at = path.slice(0, 120);
    seen.screens += 1;
    await page.goto(url + path, { waitUntil: 'load' }).catch((error: Error) => found(error.message.slice(0, 120)));
    if (await shows(page, path, sightings)) seen.withCanary += 1;
    for (const what of await strangersIn(page)) found(what);
  }
  await context.close();
}

/** Returns a name for a screen that doesn't depend on the record it shows. */
const placeOf = (path: string): string => {
  const [address = ''] = path.split(/[?#]/, 1);
  const kind = /[?&](?:builder|mode)=\w+/.exec(path)?.[0].slice(1) ?? '';
  return `screen ${address.replaceAll(/[0-9a-f-]{36}/g, '{id}').replaceAll(/%3D.*/g, '{address}')} ${kind}`.trim();
};

const QUIET_AFTER_MS = 400;
const NEVER_MS = 5000;
/** Returns whether a screen shows a canary, immediately or after something on it is opened. */
async function shows(page: Page, path: string, sightings: Sightings): Promise<boolean> {
  const place = placeOf(path);
  // Evaluates from outside the page, because the page's own policy forbids `eval`.
  const look = async (): Promise<number> => sightings.look(place, await page.evaluate<string>('canaries.texts()'));
  const until = Date.now() + NEVER_MS;
  let [words, since] = [0, Date.now()];
  while (Date.now() < until && (Date.now() - since < QUIET_AFTER_MS || words === 0)) {
    await page.waitForTimeout(100);
    const now = await look();
    if (now !== words || (await page.evaluate<boolean>('canaries.isBusy()'))) [words, since] = [now, Date.now()];
  }
  const address = page.url();
  let inVain = 0;
  while (inVain < ENOUGH_IN_VAIN && page.url() === address && (await page.evaluate<boolean>('canaries.unfold()'))) {
    const before = sightings.size;
    await page.waitForTimeout(50);
    words = Math.max(words, await look());
    inVain = sightings.size > before ? 0 : inVain + 1;
  }
  return words > 0;
}

const strangersIn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`canaries.strangers(${JSON.stringify(ELSEWHERE)})`);
