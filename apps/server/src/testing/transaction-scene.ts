import { z } from 'zod';
import { statement } from '../db/statement.ts';
import { openCountingProxy } from './counting-proxy.ts';
import { createTestDatabase } from './database.ts';
import { asAdministrator } from './global-setup.ts';
import { publish, stepsNamed } from './organization.ts';
import { startTestServerOn } from './server.ts';

export const renameUser = statement({
  name: 'test_rename_user',
  params: ['id', 'name'],
  text: 'update users set name = $2 where id = $1',
});
export const nameOf = statement({
  name: 'test_name_of',
  params: ['id'],
  row: z.object({ name: z.string() }),
  text: 'select name from users where id = $1',
});

/** A server with counted round trips to PostgreSQL, and a person who starts runs there. */
export async function startTransactionScene() {
  const database = await createTestDatabase();
  // Some tests of this scene check how statements are planned, so its database uses PostgreSQL's default.
  const { connection } = database;
  await asAdministrator(connection, `alter database ${connection.database} set plan_cache_mode = auto`);
  const proxy = await openCountingProxy(database);
  const server = await startTestServerOn(database, { DATABASE_URL: proxy.url, DATABASE_POOL: '8' });
  const person = await server.signUp({ name: 'Before' });
  await publish(person, person, 'two-steps', stepsNamed('First', 'Second'));

  return {
    proxy,
    server,
    person,
    tenant: (): { orgId: string; userId: string; asks: 'session' } => ({
      orgId: person.user.currentOrgId ?? '',
      userId: person.user.id,
      asks: 'session',
    }),
    startRun: (): Promise<{ id: string }> => person.post('/api/runs', { key: 'two-steps', name: 'A run' }),
    complete: (runId: string, headers?: Record<string, string>, text = 'Done') =>
      person.call('POST', `/api/runs/${runId}/complete`, { stepId: 'step-1', output: { text } }, headers),
    stop: async (): Promise<void> => {
      await server.stop();
      await proxy.close();
    },
  };
}
