import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync } from 'node:fs';
const PORT = 3877, url = `http://127.0.0.1:${PORT}`;
const dir = mkdtempSync('/tmp/ed21-data-');
const child = spawn('node', ['apps/server/dist/main.js'], { env: { ...process.env, PORT: String(PORT), DATA_DIR: dir, LOG_LEVEL: 'error', RATE_LIMITS: 'off' }, stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((ok) => child.stdout.on('data', (d) => String(d).includes('Stet is ready') && ok()));
mkdirSync('/tmp/ed21-pics', { recursive: true });
const post = (token) => async (path, body = {}, method = 'POST') => {
  const r = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }, ...(method !== 'GET' && { body: JSON.stringify(body) }) });
  const j = await r.json(); if (!r.ok) throw new Error(path + ' ' + JSON.stringify(j)); return j; };
const { token } = await post('')('/api/auth/signup', { email: 'priya@pics.example', name: 'Priya Nair', password: 'a good secret' });
const call = post(token);
const step = (id, type, title, more = {}) => ({ id, type, title, description: `Do ${title}.`, assignee: 'editor', sla: '4h', ...more });
const metadata = { title: 'Credit notes', description: 'How a claim becomes a credit note.' };
const steps = [
  step('a', 'manual', 'Collect the claim', { next: ['b'], config: { fields: [{ id: 'reason', label: 'Reason', kind: 'text', required: true }] } }),
  step('b', 'automated', 'Score the claim', { next: ['c'], config: { script: 'return { score: 71 };' } }),
  step('c', 'condition', 'Large?', { next: ['d', 'e'], config: { condition: 'run.priority = "high"', trueNext: 'd', falseNext: 'e' } }),
  step('d', 'approval', 'Sign', { next: ['e'], assignee: 'reviewer' }),
  step('e', 'notification', 'Tell finance', { next: [], assignee: 'auto', config: { recipients: ['owner'], channels: ['email'], template: 'A credit note is due.' } }),
];
const base = '/api/workflows/credit-notes/drafts';
const one = await call(base, { metadata, steps });
await call(`${base}/${one.draftId}/publish`).catch(async () => { await call(`${base}/${one.draftId}/submit`); await call(`${base}/${one.draftId}/merge`); });
const two = await call(base, { metadata, steps: steps.map((s) => s.id === 'a' ? { ...s, sla: '2d' } : s) });
const three = await call(base, { metadata, steps: steps.map((s) => s.id === 'a' ? { ...s, sla: '1d', title: 'Collect it' } : s) });
await call(`${base}/${three.draftId}/submit`); await call(`${base}/${three.draftId}/merge`);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [width, height] of [[1440, 900], [390, 844]]) for (const scheme of ['light', 'dark']) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  await context.addInitScript(`localStorage.setItem('stet_token', ${JSON.stringify(token)})`);
  const page = await context.newPage();
  let shown = page; const shot = async (name) => { await shown.waitForTimeout(700); await shown.screenshot({ path: `/tmp/ed21-pics/${name}-${width}-${scheme}.png` }); };
  const at = async (name, f) => { try { await f(); await shot(name); } catch (e) { console.log(name, width, scheme, String(e).split('\n')[0]); await shot(name + '-failed'); } };
  await at('table', async () => { await page.goto(`${url}/app/editor?key=credit-notes&mode=edit&draftId=${two.draftId}`); await page.getByRole('grid').waitFor(); });
  await at('table-edited', async () => { await page.locator('[data-step="b"] [aria-colindex="6"]').click(); await page.keyboard.type('Weigh it.'); await page.keyboard.press('Enter'); });
  await at('pane', async () => { await page.getByRole('button', { name: 'Actions for step 3' }).click(); await page.getByRole('menuitem').first().click(); await page.getByRole('complementary').waitFor(); });
  const page2 = await context.newPage(); shown = page2;
  await at('builder', async () => { await page2.goto(`${url}/app/workflows?builder=edit&key=credit-notes&draftId=${two.draftId}`); await page2.getByRole('grid').waitFor(); });
  await at('dialog', async () => { await page2.getByRole('button', { name: 'Edit step 2', exact: true }).click(); await page2.getByRole('dialog').getByRole('textbox', { name: 'Script', exact: true }).waitFor(); });
  await at('dialog-tried', async () => { await page2.getByRole('button', { name: 'Try it' }).click(); await page2.getByText('Returned', { exact: true }).waitFor(); await page2.getByText('Returned', { exact: true }).scrollIntoViewIfNeeded(); });
  await at('dialog-next', async () => { await page2.getByRole('button', { name: 'Save and next' }).click(); await page2.getByLabel('If true, go to').waitFor(); });
  await at('dialog-last', async () => { await page2.getByRole('button', { name: 'Save and next' }).click(); await page2.waitForTimeout(400); await page2.getByRole('button', { name: 'Save and next' }).click(); await page2.getByLabel('Recipients, one per line').waitFor(); });
  await at('rebase', async () => { await page2.goto(`${url}/app/rebase?key=credit-notes&id=${two.draftId}`); await page2.getByRole('heading', { level: 1 }).waitFor(); });
  await context.close();
}
await browser.close(); child.kill('SIGTERM'); console.log('done');
