import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns how many emails the notification step sent for each run, by the `Intent.key` in the run's name. */
export function mailsIn(dataDir: string): Map<string, number> {
  const sent = new Map<string, number>();
  const folder = join(dataDir, 'mail');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.eml'))) {
    const head = readFileSync(join(folder, name), 'utf8').replaceAll(/\r?\n[ \t]+/g, ' ');
    const key = /^Subject: Tell: run (\S+)/m.exec(head)?.[1];
    if (key) sent.set(key, (sent.get(key) ?? 0) + 1);
  }
  return sent;
}

/** Returns how many in-app messages there are about each run. */
export async function messagesOf(url: string, token: string): Promise<Map<string, number>> {
  const messages = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const response: Response = await fetch(
      `${url}/api/notifications?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    for (const { kind, runId } of (await response.json()) as { kind: string; runId: string }[])
      if (kind === 'message') messages.set(runId, (messages.get(runId) ?? 0) + 1);
    cursor = response.headers.get('x-next-cursor');
  } while (cursor);
  return messages;
}
