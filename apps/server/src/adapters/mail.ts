import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Config } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';

export type Mail = { to: string; subject: string; text: string; html: string };
export type Mailer = {
  /** Rejects where the mail was not taken; the job that sends it is then tried again. */
  send: (mail: Mail) => Promise<void>;
  close: () => void;
};

/** Sends by SMTP; without `SMTP_URL` each mail is a file under `<DATA_DIR>/mail/` and its first link is logged (rulings, section 2). */
export function openMailer({ smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, log: Log): Mailer {
  if (smtpUrl) {
    const transport = nodemailer.createTransport(smtpUrl, { from: mailFrom });
    return {
      send: async (mail) => {
        await transport.sendMail(mail);
      },
      close: () => transport.close(),
    };
  }
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true }, { from: mailFrom });
  const folder = join(dataDir, 'mail');
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail(mail);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info({ file, link: /https?:\/\/\S+/.exec(mail.text)?.[0] }, 'mail written to a file: no SMTP_URL is set');
    },
    close: () => composer.close(),
  };
}
