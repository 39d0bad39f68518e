import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** An email's text, with soft line breaks removed and `=3D` decoded. */
function textOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
}

/** Waits for an email to this address with a link that matches `path`, and returns the link. */
export async function linkInMailTo(address: string, path: RegExp): Promise<string> {
  const folder = join(process.env['E2E_DATA_DIR'] ?? '', 'mail');
  const find = (): string | undefined => {
    // The directory doesn't exist before the first email is sent.
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
  await expect.poll(find, { message: `an email to ${address}`, timeout: 30_000 }).toBeTruthy();
  return find() ?? '';
}
