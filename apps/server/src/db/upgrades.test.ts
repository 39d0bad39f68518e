import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AuditStatus, Run, VersionRecord, WholeDraft, WorkflowInsights } from '@stet/contract';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { Finding } from '../cli/installation/finding.ts';
import { stet } from '../cli/stet.fixture.ts';
import { createEmptyDatabase } from '../testing/database.ts';
import { followTrails } from '../modules/insights/follow-trail.ts';
import { eventually } from '../testing/mailbox.ts';
import { type Client, type TestServer, startTestServerOn } from '../testing/server.ts';
import { PASSWORD, type SavedState, readState, stateFiles } from '../testing/upgrades/saved-state.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './migration-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'stet-upgrades-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts today's server on a database and a data directory as an earlier commit left them. */
async function upgrade({ commit, files, sql }: SavedState): Promise<{ server: TestServer; dataDir: string }> {
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(sql);
  await client.end();
  const dataDir = join(folder, commit);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, path), Buffer.from(content, 'base64'), { mode: path.endsWith('.pub') ? 0o644 : 0o600 });
  }
  return { server: await startTestServerOn(database, { DATA_DIR: dataDir }, { hasRealPasswords: true }), dataDir };
}

async function verify(person: Client): Promise<AuditStatus['verification']> {
  await person.post('/api/audit/verify');
  return eventually(async () => {
    const { verification } = await person.get<AuditStatus>('/api/audit/status');
    return verification?.state === 'running' ? undefined : verification;
  });
}

/** The parts of a run that an upgrade must not change. */
const essence = ({ id, name, status, steps }: SavedState['runs'][number]): SavedState['runs'][number] => ({
  id,
  name,
  status,
  steps: steps.map((step) => ({ id: step.id, state: step.state, output: step.output, completedAt: step.completedAt })),
});

describe('an upgrade', () => {
  it.each(stateFiles())(
    'from %s preserves versions and runs, and has an intact trail and working sign-ins',
    async (file) => {
      const state = readState(file);
      const { server, dataDir } = await upgrade(state);
      const applied = await server.sql<{ name: string }>('select name from stet_migrations order by number');
      expect(applied.map(({ name }) => name)).toEqual(readMigrations(MIGRATIONS_DIRECTORY).map(({ name }) => name));

      const people = [];
      for (const { email } of state.people)
        people.push(
          server.as(
            (await server.anyone.post<{ token: string }>('/api/auth/login', { email, password: PASSWORD })).token,
          ),
        );
      const [owner, reviewer] = people;
      if (!owner || !reviewer) throw new Error('a state has two people');

      const versions = await reviewer.get<VersionRecord[]>('/api/workflows/vendor-onboarding/versions');
      expect(versions.map(({ version, status, contentHash }) => ({ version, status, contentHash }))).toEqual(
        state.versions.map(({ version, status, contentHash }) => ({ version, status, contentHash })),
      );
      for (const run of state.runs) expect(essence(await owner.get<Run>(`/api/runs/${run.id}`))).toEqual(essence(run));
      for (const { path, answer } of state.answers ?? [])
        expect({ path, answer: await owner.get(path) }).toMatchObject({ path, answer });
      expect(await verify(owner)).toMatchObject({ state: 'ok', problem: null });
      // Drafts in review need the approval of their groups, even if the old code didn't store these groups as
      // requirements. The server then stores them.
      for (const { path } of (state.answers ?? []).filter((each) => each.path.includes('/drafts/'))) {
        const { requirements } = await owner.get<WholeDraft>(path);
        expect({ path, groups: requirements.flatMap(({ group }) => group ?? []) }).toEqual({
          path,
          groups: ['finance'],
        });
        const stored = async () =>
          (
            await server.sql<{ requirements: { group: string }[] }>(
              'select requirements from workflow_versions where id = $1',
              [path.split('/').at(-1)],
            )
          ).flatMap((row) => row.requirements.map(({ group }) => group));
        await expect.poll(stored, { timeout: 20_000 }).toEqual(['finance']);
      }
      // Insights also count the events that the old code recorded.
      const day = state.runs[0]?.steps[0]?.completedAt?.slice(0, 10);
      const insights = `/api/workflows/vendor-onboarding/insights?from=${day}&to=${day}`;
      await followTrails(server.server.deps);
      expect((await owner.get<WorkflowInsights>(insights)).runs).toMatchObject({ started: 2, completed: 1 });

      const open = state.runs.find(({ status }) => status === 'running');
      expect(
        await owner.post<Run>(`/api/runs/${open?.id}/complete`, { stepId: 'archive', output: { text: 'Archived' } }),
      ).toMatchObject({ status: 'completed' });
      const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/vendor-onboarding/drafts', {
        metadata: { title: 'After the upgrade' },
        steps: [{ id: 'register', title: 'Register the vendor', sla: '1 day' }],
      });
      await owner.post(`/api/workflows/vendor-onboarding/drafts/${draftId}/submit`);
      expect(await verify(owner)).toMatchObject({ state: 'ok', problem: null });

      const trail = join(folder, `${state.commit}.ndjson`);
      writeFileSync(trail, await owner.get<string>('/api/audit/export.ndjson'));
      expect(await stet(['audit', 'verify', trail, '--mac-key', join(dataDir, 'keys', 'audit-mac.key')])).toMatchObject(
        {
          code: 0,
        },
      );
      const doctor = await stet(['doctor', '--json'], { DATABASE_URL: server.database.url, DATA_DIR: dataDir });
      expect((JSON.parse(doctor.out) as Finding[]).filter((finding) => finding.state === 'failure')).toEqual([]);
      await server.stop();
    },
  );
});
