import { randomUUID } from 'node:crypto';
import type { Person, TestServer } from './server.ts';

/** Notifies a person in their selected organization. Returns the id. */
export async function notify({ sql }: TestServer, { user }: Person, title = 'Something happened'): Promise<string> {
  const id = randomUUID();
  await sql(
    `insert into notifications (org_id, user_id, id, source, kind, title, body) values ($1, $2, $3, $4, 'message', $5, 'Read it')`,
    [user.currentOrgId, user.id, id, `test:${id}`, title],
  );
  return id;
}
