import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailsIn } from '../../apps/server/src/testing/mailbox.ts';
import { startFakeSlack } from '../../apps/server/src/testing/slack.ts';
import { ServerProcess } from '../server-process.ts';
import { lineOf, textOf } from './canaries.ts';
import { inCsv, inMail, inMarkdown, inPdf, inSlack, inXml } from './canaries-told.ts';
import { type CanaryWorld, KEY, canaryWorld } from './canary-world.ts';
import type { Outcome } from './outcome.ts';
import { lookAtScreens } from './screens.ts';

/** Scripts, links and formulas in every text that a person can write, then everything that shows or sends such a text. */
export async function attackWithCanaries(port: number): Promise<Outcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const slack = await startFakeSlack();
  const server = new ServerProcess(port, dataDir, { ...slack.environment, WEBHOOK_ALLOW: '127.0.0.1' });
  try {
    await server.start();
    const world = await canaryWorld(server, dataDir, slack);
    const screens = await lookAtScreens(server.url, world);
    const files = await lookAtFiles(server, world);
    const told = await whatWasTold(dataDir, slack);
    return [
      {
        attack: 'Script canaries on every screen',
        tried: screens
          ? `${screens.screens} screens in Chromium, ${screens.withCanary} of them showing canaries`
          : 'no Chromium is installed here',
        met: screens
          ? 'text: nothing ran, nothing was asked of elsewhere, nothing against the content security policy'
          : '–',
        findings: screens?.findings ?? [],
      },
      files,
      told,
    ];
  } finally {
    await server.stop();
    await slack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Each judge is shown what it has to find: one that finds nothing then proves nothing. */
function blindJudges(): string[] {
  const [line, text] = [lineOf('planted'), textOf('planted')];
  const mail = { to: [], headers: new Map<string, string>(), text, html: text, raw: '' };
  const judged = {
    mail: inMail(mail),
    Slack: inSlack({ posted: [{ text: line }], updated: [], whispered: [] }),
    PDF: inPdf(Buffer.from('<< /S /JavaScript /JS (x) >> << /S /URI /URI (javascript:x) >>')),
    CSV: inCsv(`a,b\n${line}`),
    Markdown: inMarkdown(text),
    BPMN: inXml(text),
  };
  return Object.entries(judged)
    .filter(([, found]) => found.length === 0)
    .map(([what]) => `the judge of ${what} did not find what was planted`);
}

async function lookAtFiles(
  { url }: ServerProcess,
  { ownerToken, runIds, versionIds, openDraftId }: CanaryWorld,
): Promise<Outcome> {
  const findings = blindJudges();
  let files = 0;
  const look = async (path: string, judge: (bytes: Buffer) => string[]): Promise<void> => {
    files += 1;
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${ownerToken}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) findings.push(`${path}: ${response.status} ${bytes.toString().slice(0, 100)}`);
    if (response.headers.get('x-content-type-options') !== 'nosniff') findings.push(`${path}: may be sniffed`);
    if (/html|svg/.test(response.headers.get('content-type') ?? ''))
      findings.push(`${path}: ${response.headers.get('content-type')}`);
    findings.push(...judge(bytes).map((what) => `${path}: ${what}`));
  };
  await look('/api/audit/export.pdf', inPdf);
  await look(`/api/audit/export.pdf?runId=${runIds[0]}`, inPdf);
  await look('/api/runs/export.csv', (bytes) => inCsv(bytes.toString()));
  for (const version of [...versionIds, openDraftId]) {
    await look(`/api/workflows/${KEY}/versions/${version}/document?format=pdf`, inPdf);
    await look(`/api/workflows/${KEY}/versions/${version}/document?format=md`, (bytes) => inMarkdown(bytes.toString()));
  }
  await look(`/api/workflows/${KEY}/export-bpmn`, (bytes) => inXml(bytes.toString()));
  await look(`/api/workflows/${KEY}/export-yaml`, () => []);
  return {
    attack: 'Canaries in PDF, CSV, Markdown and BPMN',
    tried: `${files} files`,
    met: 'text: no action, no script, no formula, no HTML, links to http(s) and mail alone',
    findings,
  };
}

async function whatWasTold(dataDir: string, slack: Awaited<ReturnType<typeof startFakeSlack>>): Promise<Outcome> {
  // Jobs send these; they are there when nothing more comes.
  let [mails, before] = [await mailsIn(dataDir), -1];
  for (let tries = 0; tries < 60 && (mails.length !== before || slack.posted.length === 0); tries += 1) {
    before = mails.length;
    await sleep(1500);
    mails = await mailsIn(dataDir);
  }
  const findings = [...mails.flatMap(inMail), ...inSlack(slack)];
  if (mails.length < 4) findings.push(`only ${mails.length} mails came`);
  if (slack.posted.length < 2) findings.push(`only ${slack.posted.length} Slack messages came`);
  return {
    attack: 'Canaries in mails and Slack messages',
    tried: `${mails.length} mails, ${slack.posted.length} Slack messages`,
    met: 'escaped: no tag, no link of theirs, nobody mentioned',
    findings,
  };
}
