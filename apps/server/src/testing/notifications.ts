import { randomUUID } from 'node:crypto';
import type { Person, TestServer } from './server.ts';

/** Something that a person was told in the organization they have selected; answers its id. */
export async function tell({ sql }: TestServer, { user }: Person, title = 'Something happened'): Promise<string> {
  const id = randomUUID();
  await sql(
    `insert into notifications (org_id, user_id, id, source, kind, title, body) values ($1, $2, $3, $4, 'message', $5, 'Read it')`,
    [user.currentOrgId, user.id, id, `test:${id}`, title],
  );
  return id;
}
