import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditStatus } from '@stet/contract';
import { sealTrail } from '../modules/audit/seal-trail.ts';
import { eventually } from './mailbox.ts';
import { publish, stepsNamed } from './organization.ts';
import { type Person, startTestServer } from './server.ts';

export type ProofScene = Awaited<ReturnType<typeof startProofScene>>;

export const orgOf = (person: Person): string => person.user.currentOrgId ?? '';

export const statusOf = (person: Person, query = ''): Promise<AuditStatus> =>
  person.get<AuditStatus>(`/api/audit/status${query}`);

/** Lets the server verify the trail of a person's organization, and waits for the result. */
export async function verified(person: Person): Promise<AuditStatus['verification']> {
  await person.post('/api/audit/verify');
  return eventually(async () => {
    const { verification } = await statusOf(person);
    return verification?.state === 'running' ? undefined : verification;
  });
}

/** A server whose trails the tests seal and tamper with, and a directory for exports. */
export async function startProofScene() {
  // Otherwise the server would seal each governance event within a second, before a test can tamper with it.
  const server = await startTestServer({}, { sealEveryMs: 3_600_000 });
  const folder = mkdtempSync(join(tmpdir(), 'stet-audit-'));

  /** Signs up a person with a live workflow in their own organization. */
  async function aPerson(): Promise<Person> {
    const person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First', 'Second'));
    return person;
  }
  /** Changes stored data, bypassing permissions and the triggers of the audit tables. */
  async function tamper(change: string, orgId: string): Promise<void> {
    for (const table of ['audit_events', 'audit_checkpoints'])
      await server.sql(`alter table ${table} disable trigger user`);
    await server.sql(change.replaceAll('$org', `'${orgId}'`));
    for (const table of ['audit_events', 'audit_checkpoints'])
      await server.sql(`alter table ${table} enable trigger user`);
  }

  return {
    server,
    folder,
    aPerson,
    tamper,
    seal: (person: Person): Promise<number> => sealTrail(server.server.deps, orgOf(person)),
    checkpointFile: (person: Person): string => join(server.dataDir, 'checkpoints', `${orgOf(person)}.txt`),
    stop: async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
