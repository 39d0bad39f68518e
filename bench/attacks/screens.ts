import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, chromium } from '@playwright/test';
import { ELSEWHERE, lineOf, textOf } from './canaries.ts';
import { type CanaryWorld, KEY } from './canary-world.ts';

const PROBE = fileURLToPath(new URL('screen-probe.js', import.meta.url));

export type Seen = { screens: number; withCanary: number; findings: string[] };

const within = (base: string, query: Record<string, string>): string =>
  `${base}?${new URLSearchParams(query).toString()}`;

/** Every address of the app, with what there is, and with canaries in the address itself. */
function addressesOf({ versionIds, openDraftId, behindDraftId, runIds, inviteToken }: CanaryWorld): {
  signedIn: string[];
  signedOut: string[];
} {
  const [first = '', second = ''] = versionIds;
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
      within('/app/editor', { key: 'new', duplicate: KEY }),
      within('/app/editor', { key: hit, template: hit }),
      within('/app/review', { key: KEY, id: openDraftId }),
      within('/app/review', { key: KEY, id: first }),
      within('/app/rebase', { key: KEY, id: behindDraftId }),
      within('/app/compare', { key: KEY, from: '1', to: '2' }),
      within('/app/compare', { key: KEY, from: second, to: openDraftId }),
      '/app/workflows',
      within('/app/workflows', { q: hit }),
      within('/app/workflows', { builder: 'view', key: KEY }),
      within('/app/workflows', { builder: 'edit', key: KEY, draftId: openDraftId }),
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
      `/app/workflows/${KEY}/escalation`,
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
      '/app/settings/tokens',
      '/app/settings/webhooks',
      `/app/${encodeURIComponent(hit)}`,
    ],
  };
}

/** Opens every screen in Chromium and watches for anything that a canary did. Null where there is no Chromium. */
export async function lookAtScreens(url: string, world: CanaryWorld): Promise<Seen | null> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return null;
  const seen: Seen = { screens: 0, withCanary: 0, findings: [] };
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    if (!(await isNoticed(browser))) seen.findings.push('a planted canary went unnoticed: this look proves nothing');
    const { signedIn, signedOut } = addressesOf(world);
    await visitAll(browser, url, signedOut, null, seen);
    await Promise.all(
      [world.ownerToken, world.mateToken].map((token, n) =>
        // The second sees what the first was told: notifications, tasks.
        visitAll(
          browser,
          url,
          n === 0 ? signedIn : signedIn.filter((path) => /tasks|run\/|editor\?key=canary/.test(path)),
          token,
          seen,
        ),
      ),
    );
  } finally {
    await browser.close();
  }
  if (seen.withCanary < seen.screens / 2)
    seen.findings.push(`only ${seen.withCanary} of ${seen.screens} screens showed a canary at all`);
  return seen;
}

/** Whether a canary that nobody made harmless is noticed: it runs, and stands in the document. */
async function isNoticed(browser: Browser): Promise<boolean> {
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

async function visitAll(
  browser: Browser,
  url: string,
  paths: string[],
  token: string | null,
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
    // An editor asks before what was not saved is left.
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
    if (await settled(page)) seen.withCanary += 1;
    for (const what of await strangersIn(page)) found(what);
  }
  await context.close();
}

/** Waits until the screen shows a canary, or for a while; some show none. */
async function settled(page: Page): Promise<boolean> {
  // Asked from outside: the page itself evaluates no text, by its policy.
  for (const until = Date.now() + 4000; Date.now() < until; await page.waitForTimeout(100)) {
    if (!(await page.evaluate<boolean>('canaries.areShown()'))) continue;
    await page.waitForTimeout(300);
    return true;
  }
  return false;
}

const strangersIn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`canaries.strangers(${JSON.stringify(ELSEWHERE)})`);
