import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer/index.js';
import type { Config } from '../kernel/config.ts';
import { makeDataFolder } from '../kernel/data-folder.ts';
import type { Log } from '../kernel/log.ts';
import type { Letter, Mailer } from '../kernel/mail.ts';
import { headerText, htmlOf, textOf } from './mail-layout.ts';

const PATIENCE_MS = 20_000;
const MAIL = 'mail';
/** How long mail files are stored. Invitations and other links that give access expire sooner. */
export const MAIL_LIFE_MS = 30 * 86_400_000;

/**
 * Sends mail over SMTP. Without `SMTP_URL`, it writes each email to a file in `<DATA_DIR>/mail/`, so that people who
 * try Stet can use every feature that sends mail. The log contains only the file's name, because a link in the mail may
 * give access to an account.
 */
export function openMailer(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  log: Log,
): Mailer {
  const defaults = { from: mailFrom, disableFileAccess: true, disableUrlAccess: true };
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true }, defaults);
  const rehearse = async (letter: Letter): Promise<void> => {
    await composer.sendMail(messageOf(letter));
  };
  if (smtpUrl) {
    const patience = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS };
    const transport = nodemailer.createTransport({ url: smtpUrl, ...patience }, defaults);
    return {
      send: async (letter) => {
        await transport.sendMail(messageOf(letter));
      },
      rehearse,
      close: () => transport.close(),
    };
  }
  return {
    send: async (letter) => {
      const { message } = await composer.sendMail(messageOf(letter));
      const folder = await makeDataFolder(dataDir, MAIL);
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info({ file }, 'no SMTP_URL is set; mail written to a file');
    },
    rehearse,
    close: () => composer.close(),
  };
}

/** Directory of the mail files; used only without an SMTP server. */
export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, MAIL);

/** Deletes mail files that are older than `MAIL_LIFE_MS`. */
export async function deleteOldMail(config: Pick<Config, 'dataDir'>, now = Date.now()): Promise<void> {
  const folder = mailFolder(config);
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    // Another process may have deleted the file.
    const written = await stat(file).catch(() => null);
    if (written && now - written.mtimeMs > MAIL_LIFE_MS) await rm(file, { force: true });
  }
}

/** Passes the name and the address as separate fields. In a single string, a comma in a name would add a recipient. */
const messageOf = (letter: Letter): Mail.Options => ({
  to: { name: headerText(letter.to.name), address: letter.to.address },
  subject: headerText(letter.subject),
  ...(letter.id !== undefined && { messageId: `<${letter.id}@stet>` }),
  text: textOf(letter),
  html: htmlOf(letter),
  // This header prevents automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
});
