import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailsIn } from '../../apps/server/src/testing/mailbox.ts';
import { type FakeSlack, startFakeSlack } from '../../apps/server/src/testing/slack.ts';
import { ServerProcess } from '../server-process.ts';
import { judgeFields } from './canary-verdict.ts';
import { inMail, inSlack } from './canaries-found.ts';
import { lookAtFiles } from './canary-files.ts';
import { canaryWorld } from './canary-world.ts';
import type { Outcome } from './outcome.ts';
import { lookAtScreens } from './screens.ts';
import { Sightings } from './sightings.ts';

/**
 * Puts scripts, links and formulas into the text fields that a person can fill in, then checks the screens, files,
 * emails and Slack messages that contain them.
 */
export async function attackWithCanaries(port: number): Promise<Outcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const slack = await startFakeSlack();
  const server = new ServerProcess(port, dataDir, { ...slack.environment, WEBHOOK_ALLOW: '127.0.0.1' });
  try {
    await server.start();
    const world = await canaryWorld(server, dataDir, slack);
    const sightings = new Sightings();
    const screens = await lookAtScreens(server.url, world, sightings);
    const files = await lookAtFiles(server, world, sightings);
    const delivered = await deliveredCanaries(dataDir, slack, sightings);
    return [
      {
        attack: 'Script canaries on every screen',
        tried: screens
          ? `${screens.screens} screens in Chromium, ${screens.withCanary} of them showing canaries`
          : 'no Chromium is installed',
        result: screens
          ? 'shown as text: no script ran, no request left the site, no violation of the content security policy'
          : '–',
        findings: screens?.findings ?? [],
        ...(!screens && { notProven: 'no Chromium is installed (CHROMIUM_PATH)' }),
      },
      files,
      delivered,
      judgeFields(world, sightings),
    ];
  } finally {
    await server.stop();
    await slack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function deliveredCanaries(dataDir: string, slack: FakeSlack, sightings: Sightings): Promise<Outcome> {
  // Jobs send the emails, so this waits until no more arrive.
  let [mails, before] = [await mailsIn(dataDir), -1];
  for (let tries = 0; tries < 60 && (mails.length !== before || slack.posted.length === 0); tries += 1) {
    before = mails.length;
    await sleep(1500);
    mails = await mailsIn(dataDir);
  }
  const findings = [...mails.flatMap(inMail), ...inSlack(slack)];
  for (const { headers, text, html } of mails) {
    const shown = sightings.look('mail', `${headers.get('subject')} ${text}`);
    // If the text of an email contains a canary, its HTML must contain one too.
    if (sightings.look('mail', html) === 0 && shown > 0)
      findings.push(`email “${headers.get('subject')}”: no canary in HTML`);
  }
  const { posted, updated, ephemeral } = slack;
  sightings.look('Slack', JSON.stringify([posted, updated, ephemeral]));
  if (mails.length < 4) findings.push(`only ${mails.length} emails arrived`);
  if (slack.posted.length < 2) findings.push(`only ${slack.posted.length} Slack messages arrived`);
  return {
    attack: 'Canaries in mails and Slack messages',
    tried: `${mails.length} mails, ${slack.posted.length} Slack messages`,
    result: 'escaped: no tags, no injected links, no mentions',
    findings,
  };
}
