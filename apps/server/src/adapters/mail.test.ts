import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog } from '../kernel/log.ts';
import { type Letter, nameInMail } from '../kernel/mail.ts';
import { invitationLetter } from '../modules/invitations/invitation.mail.ts';
import {
  type ReceivedMail,
  type SmtpServer,
  eventually,
  linkIn,
  mailsIn,
  startSmtpServer,
} from '../testing/mailbox.ts';
import { startTestServer } from '../testing/server.ts';
import { MAIL_LIFE_MS, deleteOldMail, mailFolder, openMailer } from './mail.ts';

const LINK = `https://stet.example/invite/${'x'.repeat(43)}?with=a&query=1`;
const letter = (changes: Partial<Letter> = {}): Letter => ({
  ...invitationLetter({
    email: 'guest@example.com',
    role: 'reviewer',
    organization: 'Halden & Søn <Test>',
    inviter: { name: 'Mara "M" Halden', email: 'mara@example.com' },
    expiresAt: new Date('2030-01-02T03:04:05Z'),
    link: LINK,
  }),
  ...changes,
});

/** Expects the organization, the expiry and the link of `letter()`, and no other links, images or scripts. */
function expectWhole(mail: ReceivedMail): void {
  expect(mail.headers.get('content-type')).toMatch(/^multipart\/alternative/);
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(linkIn(mail, '/invite/')).toBe(LINK);
  expect(mail.text).toContain('Halden & Søn <Test>');
  expect(mail.text).toContain('2 Jan 2030, 03:04 UTC');
  for (const line of mail.text.split(/\r?\n/)) expect(line.startsWith('http') || line.length <= 90, line).toBe(true);
  expect(mail.html).toContain('Halden &amp; Søn &lt;Test&gt;');
  expect(mail.html).toContain(`href="${LINK.replaceAll('&', '&amp;')}"`);
  expect(mail.html).not.toMatch(/<img|<script|<link|url\(|@import|<form/i);
  const addresses = [...mail.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set([LINK.replaceAll('&', '&amp;')]));
}

/** Names that try to inject headers, recipients or markup. */
const HOSTILE = [
  'A\r\nBcc: all@example.com',
  'A\nSubject: other',
  'A\r\n\r\n<h1>body</h1>',
  'a@example.com, b@example.com',
  '"<evil@example.com>',
  'A\u2028B: c',
  '<script>alert(1)</script>',
];

describe('mail over SMTP', () => {
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await startSmtpServer();
  });
  afterAll(() => smtp.stop());

  const openTransport = (url = smtp.url) =>
    openMailer({ smtpUrl: url, mailFrom: 'Stet <stet@example.com>', dataDir: '/nowhere' }, openLog('silent'));
  const next = async (send: () => Promise<void>): Promise<ReceivedMail> => {
    const before = smtp.received.length;
    await send();
    return eventually(() => smtp.received[before]);
  };

  it('arrives complete, as plain text and as HTML', async () => {
    const mailer = openTransport();
    const mail = await next(() => mailer.send(letter()));
    mailer.close();
    expect(mail.to).toEqual(['guest@example.com']);
    expect(mail.headers.get('from')).toBe('Stet <stet@example.com>');
    expect(mail.headers.get('subject')).toContain('Mara "M" Halden invites you to');
    expectWhole(mail);
  });

  it.each(HOSTILE)('adds no header, recipient or markup if a name is %j', async (name) => {
    const mailer = openTransport();
    const harmless = await next(() =>
      mailer.send(letter({ to: { name: 'A', address: 'guest@example.com' }, subject: 'A' })),
    );
    const mail = await next(() =>
      mailer.send(
        letter({
          to: { name, address: 'guest@example.com' },
          subject: name,
          greeting: `Hello ${name},`,
          facts: [['Organization', name]],
        }),
      ),
    );
    mailer.close();
    expect(mail.to).toEqual(['guest@example.com']);
    expect([...mail.headers.keys()].toSorted()).toEqual([...harmless.headers.keys()].toSorted());
    expect(mail.headers.get('subject')).not.toBe('other');
    expect(mail.html).not.toMatch(/<h1|<script/i);
  });

  it('causes an error if the SMTP server refuses it or can’t be reached', async () => {
    const refusing = await startSmtpServer({ refusals: 1 });
    const mailer = openTransport(refusing.url);
    await expect(mailer.send(letter())).rejects.toThrow('451');
    await mailer.send(letter());
    expect(await eventually(() => refusing.received[0])).toMatchObject({ to: ['guest@example.com'] });
    mailer.close();
    await refusing.stop();
    const late = openTransport(refusing.url);
    await expect(late.send(letter())).rejects.toThrow('ECONNREFUSED');
    late.close();
  });

  it('is sent by the server’s job queue, and retried after a failed attempt', async () => {
    const refusing = await startSmtpServer({ refusals: 1 });
    const server = await startTestServer({ SMTP_URL: refusing.url });
    const { user } = await server.signUp({ name: 'Zoë 李' });
    await server.anyone.post('/api/auth/reset-request', { email: user.email });
    await eventually(async () => {
      // The second attempt would start in a few seconds. This makes it start now.
      await server.sql(
        `update graphile_worker._private_jobs set run_at = now() where attempts > 0 and locked_at is null`,
      );
      return refusing.received[0];
    });
    const mail = refusing.received[0];
    expect(mail?.to).toEqual([user.email]);
    expect(mail?.text).toContain('Hello Zoë 李,');
    expect(await mailsIn(server.dataDir)).toEqual([]);
    await server.stop();
    await refusing.stop();
  }, 30_000);
});

describe('mail without SMTP', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-mail-test-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('is saved as one file per letter, and the log names the files but contains none of their links', async () => {
    const lines: object[] = [];
    const log = openLog('silent');
    log.info = (line: object) => void lines.push(line);
    const mailer = openMailer({ smtpUrl: undefined, mailFrom: 'Stet <stet@localhost>', dataDir }, log);
    await Promise.all([mailer.send(letter()), mailer.send(letter({ to: { name: '', address: 'other@example.com' } }))]);
    mailer.close();
    const mails = await mailsIn(dataDir);
    expect(new Set(mails.map(({ to }) => to[0]))).toEqual(new Set(['guest@example.com', 'other@example.com']));
    for (const mail of mails) expectWhole(mail);
    const files = readdirSync(join(dataDir, 'mail')).map((name) => join(dataDir, 'mail', name));
    expect(lines.map((line) => (line as { file: string }).file).toSorted()).toEqual(files.toSorted());
    expect(JSON.stringify(lines)).not.toContain('/invite/');
    expect(readdirSync(join(dataDir, 'mail')).filter((name) => !name.endsWith('.eml'))).toEqual([]);
  });
});

describe('the name of an inviter or organization in an email', () => {
  it.each([
    ['evil.example', 'evil[.]example'],
    ['Log in at https://evil.example/login', 'Log in at https[:]//evil[.]example/login'],
    ['www.evil.co.uk', 'www[.]evil[.]co[.]uk'],
    ['evil。example', 'evil[.]example'],
    ['mail me@evil.example', 'mail me@evil[.]example'],
    ['Dr. Ada Løvlund, e.g. 3.5 t', 'Dr. Ada Løvlund, e.g. 3.5 t'],
    ['Invoice 22.11.2026', 'Invoice 22.11.2026'],
  ])('%j is shown as %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  it('adds no links to the letter', async () => {
    const {
      subject,
      paragraphs,
      facts = [],
    } = invitationLetter({
      email: 'guest@example.com',
      role: 'viewer',
      organization: 'Prize! https://evil.example/win',
      inviter: { name: 'evil.example', email: 'mara@example.com' },
      expiresAt: new Date('2030-01-02T03:04:05Z'),
      link: LINK,
    });
    for (const text of [subject, ...paragraphs, ...facts.flat()]) expect(text).not.toMatch(/evil\.example|https:/);
  });
});

describe('old mail files', () => {
  it('are deleted after 30 days', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stet-mail-test-'));
    await deleteOldMail({ dataDir });
    const folder = mailFolder({ dataDir });
    mkdirSync(folder);
    const now = Date.now();
    for (const [name, age] of [
      ['old.eml', MAIL_LIFE_MS + 60_000],
      ['young.eml', MAIL_LIFE_MS - 60_000],
    ] as const) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), (now - age) / 1000, (now - age) / 1000);
    }
    await deleteOldMail({ dataDir }, now);
    expect(readdirSync(folder)).toEqual(['young.eml']);
    rmSync(dataDir, { recursive: true });
  });
});
