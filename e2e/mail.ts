import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** A mail's text as people read it: its soft line breaks and `=3D`s undone. */
function textOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
}

/** Waits for the mail to this address that has such a link, and answers where the link leads. */
export async function linkInMailTo(address: string, path: RegExp): Promise<string> {
  const folder = join(process.env['E2E_DATA_DIR'] ?? '', 'mail');
  const find = (): string | undefined => {
    // Not there before the first mail.
    const files = (() => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    })();
    const texts = files.filter((name) => name.endsWith('.eml')).map((name) => textOf(join(folder, name)));
    const mail = texts.find((text) => new RegExp(`^To:.*${address}`, 'im').test(text) && path.test(text));
    return mail && path.exec(mail)?.[0];
  };
  await expect.poll(find, { message: `a mail to ${address}`, timeout: 30_000 }).toBeTruthy();
  return find() ?? '';
}
