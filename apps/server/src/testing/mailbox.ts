import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A received email: its recipients, its unfolded headers, and its two decoded bodies. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string; html: string; raw: string };

/** Parses a multipart email. Throws unless it has a text part and an HTML part. */
export function readMail(raw: string, recipients?: string[]): ReceivedMail {
  const { headers, body } = splitHead(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  if (!boundary) throw new Error(`not a multipart email: ${raw.slice(0, 500)}`);
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitHead(part.replace(/^\r?\n/, '')));
  const partOf = (type: string): string => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
    if (!part) throw new Error(`the email has no ${type}`);
    return decoded(part.body, part.headers.get('content-transfer-encoding') ?? '7bit');
  };
  const to = recipients ?? [/<?([^<>\s]+@[^<>\s]+?)>?$/.exec(headers.get('to') ?? '')?.[1] ?? ''];
  return { to, headers, text: partOf('text/plain'), html: partOf('text/html'), raw };
}

function splitHead(text: string): { headers: Map<string, string>; body: string } {
  const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(text) ?? [];
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return {
    headers: new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        inWords(line.slice(line.indexOf(':') + 1).trim()),
      ]),
    ),
    body,
  };
}

/** Decodes the encoded words (RFC 2047) of a header. White space between two of them is dropped. */
const inWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decoded(text.replaceAll('_', ' '), 'quoted-printable'),
    );

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const joined = body.replaceAll(/=\r?\n/g, '');
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Long, because the machine may be busy with other tests. */
const PATIENCE_MS = 20_000;

/** Waits until `found` returns a value. Throws after `PATIENCE_MS`. */
export async function eventually<T>(found: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(20)) {
    const result = await found();
    if (result !== undefined) return result;
    if (Date.now() > until) throw new Error('timed out while waiting');
  }
}

/** Parsed emails by file. They are cached, because tests read a mailbox repeatedly while they wait. */
const known = new Map<string, ReceivedMail>();

/** Emails that a server without SMTP_URL wrote to its data directory, oldest first. */
export async function mailsIn(dataDir: string): Promise<ReceivedMail[]> {
  const folder = join(dataDir, 'mail');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, name);
      const mail = known.get(file) ?? readMail(await readFile(file, 'utf8'));
      known.set(file, mail);
      return mail;
    }),
  );
}

/** Waits for an email to this address for which `fits` returns true. Returns the newest one. */
export const mailTo = (
  dataDir: string,
  address: string,
  fits: (mail: ReceivedMail) => boolean = () => true,
): Promise<ReceivedMail> =>
  eventually(async () => (await mailsIn(dataDir)).findLast((mail) => mail.to.includes(address) && fits(mail)));

/** Returns the first link in an email whose path begins with `path`. Throws if there is none. */
export function linkIn(mail: ReceivedMail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname.startsWith(path));
  if (!link) throw new Error(`no link to ${path} in: ${mail.text}`);
  return link;
}

/** Returns the code in an email that proves an address. Undefined if the email has none. */
export const addressCodeIn = ({ text }: ReceivedMail): string | undefined =>
  /\bCode:?\s+([A-Z0-9]{8})\b/.exec(text)?.[1];

/** Waits for an email with the code that proves an address. Returns the newest code. */
export async function addressCodeTo(dataDir: string, address: string): Promise<string> {
  const mail = await mailTo(dataDir, address, (each) => addressCodeIn(each) !== undefined);
  return addressCodeIn(mail) ?? '';
}

export type SmtpServer = {
  url: string;
  /** Each email, with its arrival time as a value of `performance.now()`. */
  received: (ReceivedMail & { at: number })[];
  /** Accepts the delayed emails and all later ones. */
  release: () => void;
  stop: () => Promise<void>;
};

/**
 * Starts an SMTP server in a separate process, on a free port. It refuses the first `refusals` emails temporarily, and
 * needs `takesMs` for each email. With `holds`, it accepts emails only after `release` is called.
 */
export async function startSmtpServer({ refusals = 0, takesMs = 0, holds = false } = {}): Promise<SmtpServer> {
  const file = fileURLToPath(new URL('smtp-server-process.fixture.ts', import.meta.url));
  const child: ChildProcess = fork(file, [String(refusals), String(takesMs), holds ? 'holds' : ''], {
    execArgv: ['--import', 'tsx'],
  });
  const received: SmtpServer['received'] = [];
  child.on('message', (message: { port?: number; raw?: string; to?: string[] }) => {
    if (message.raw !== undefined) received.push({ ...readMail(message.raw, message.to), at: performance.now() });
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url: `smtp://127.0.0.1:${port}`, received, release: () => child.send('release'), stop };
}
