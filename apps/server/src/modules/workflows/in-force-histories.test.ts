import type { VersionInForce, WorkflowDocument } from '@stet/contract';
import { momentText, readBundleLine } from '@stet/domain/audit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chance, chanceOf } from '../../testing/governance/random.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

/**
 * To play more histories or repeat a run: `STET_HISTORIES=1000 STET_SEED=1 npx vitest run --project integration <this
 * file>`.
 */
const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);
const histories = Number(process.env['STET_HISTORIES'] ?? 3);

type Line = { at: bigint; action: string; data: Record<string, unknown> };

let server: TestServer;
let owner: Person;
let reviewer: Person;
beforeAll(async () => {
  server = await startTestServer();
  ({ owner, reviewer } = await teamOf(server, ['admin', 'reviewer']));
});
afterAll(() => server.stop());

/**
 * Plays merges, rollbacks and emergencies of one workflow, and sometimes archives it. Some of these calls are refused.
 */
async function play(key: string, chance: Chance): Promise<void> {
  const acts = 1 + chance.below(6);
  let versions = 0;
  for (let n = 0; n < acts; n++) {
    const dice = chance.below(100);
    if (versions > 0 && dice < 40) {
      const to = 1 + chance.below(versions);
      const body = chance.in100(50) ? { reason: 'Earlier was better' } : { reason: 'It burns', emergency: true };
      await owner.call('POST', `/api/workflows/${key}/versions/${to}/rollback`, body);
    } else if (dice < 70) {
      await publish(owner, reviewer, key, stepsNamed(`Step ${n}`));
      versions++;
    } else {
      const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
        metadata: { title: key },
        steps: stepsNamed(`Emergency ${n}`),
      });
      await owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`, { emergency: { reason: 'It burns' } });
      versions++;
    }
  }
  if (chance.in100(20)) await owner.call('DELETE', `/api/workflows/${key}`);
}

/**
 * The version that was live after each event of the exported trail. Uses only the exported file, and none of the
 * product's code that computes periods.
 */
function oracleOf(lines: readonly Line[]): { from: bigint; version: number | null; isEmergency: boolean }[] {
  return lines.flatMap<{ from: bigint; version: number | null; isEmergency: boolean }>(({ at, action, data }) => {
    const isEmergency = data['emergency'] === true;
    if (action === 'draft.merged') return [{ from: at, version: Number(data['version']), isEmergency }];
    if (action === 'version.rolled_back') return [{ from: at, version: Number(data['to']), isEmergency }];
    return action === 'workflow.archived' ? [{ from: at, version: null, isEmergency }] : [];
  });
}

it(`the periods in force and asOf equal the exported trail in ${histories} random histories with seed ${seed}`, async () => {
  const chance = chanceOf(seed);
  const keys = Array.from({ length: histories }, (_, n) => `history-${n}`);
  for (const key of keys) await play(key, chance);

  const byKey = new Map<unknown, Line[]>();
  const { body } = await owner.call<string>('GET', '/api/audit/export.ndjson');
  for (const text of body.split('\n')) {
    const line = text === '' ? null : readBundleLine(text);
    if (line === null || !('event' in line) || line.event.payload === null) continue;
    const { data = {} } = JSON.parse(line.event.payload) as { data?: Record<string, unknown> };
    const event = { at: line.event.at, action: line.event.action, data };
    byKey.set(data['key'], [...(byKey.get(data['key']) ?? []), event]);
  }

  let periods = 0;
  for (const key of keys) {
    const oracle = oracleOf(byKey.get(key) ?? []);
    const expected = oracle.flatMap(({ from, version, isEmergency }, n) => {
      const next = oracle[n + 1];
      const until = next === undefined ? null : momentText(next.from);
      return version === null ? [] : [{ version, from: momentText(from), until, isEmergency }];
    });
    const listed = (await owner.get<VersionInForce[]>(`/api/workflows/${key}/versions`))
      .flatMap(({ version, inForce }) =>
        inForce.map(({ from, until, isEmergency }) => ({ version, from, until, isEmergency })),
      )
      .toSorted((one, other) => one.from.localeCompare(other.from));
    expect(listed, `${key}, seed ${seed}`).toEqual(expected);
    periods += expected.length;

    const instants = oracle.flatMap(({ from }) => [from - 1n, from, from + BigInt(chance.below(50_000))]);
    for (const instant of instants) {
      const { status, body: document } = await owner.call<WorkflowDocument>(
        'GET',
        `/api/workflows/${key}/document?asOf=${momentText(instant)}`,
      );
      const was = oracle.findLast(({ from }) => from <= instant)?.version ?? null;
      expect(status === 200 ? document.version : status, `${key} at ${momentText(instant)}, seed ${seed}`).toBe(
        was ?? 404,
      );
    }
  }
  expect(periods).toBeGreaterThanOrEqual(histories);
}, 3_600_000);
