import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { manualStep, sampleRun } from './document/trail.sample.ts';
import { readTrail } from './read-trail.ts';

const RUNS = 1230;
const EVENTS = 250;

/** Returns given rows instead of querying the database, and records the number of rows in each result. */
function readerOf(answers: Record<string, (values: Record<string, unknown>) => object[]>) {
  const answered: number[] = [];
  const many = async (s: { name: string }, values: Record<string, unknown>): Promise<object[]> => {
    const rows = answers[s.name]?.(values) ?? [];
    answered.push(rows.length);
    return rows;
  };
  const tx = { many, maybeOne: async (s: { name: string }, values: object) => (await many(s, { ...values }))[0] };
  return { tx: tx as unknown as Tx, answered };
}

const run = sampleRun({ id: 'x', name: 'Run', steps: [manualStep('a', 'A')] });
const runs = Array.from({ length: RUNS }, (_, n) => ({
  ...run,
  id: `run-${n}`,
  name: `Run ${n}`,
  version_id: `version-${Math.floor(n / 7)}`,
  at: String(n).padStart(6, '0'),
}));
const actor = { orgId: randomUUID(), userId: 'u', name: 'U', email: 'u@example.com' } as OrgActor;

test('every run and event is read in order, one page at a time', async () => {
  const { tx, answered } = readerOf({
    find_chain_head: () => [{ org_name: 'N', head_seq: 9, head_hash: 'ab', now: 0 }],
    list_audited_runs: ({ afterAt, limit }) =>
      runs.filter(({ at }) => afterAt === '-infinity' || at > String(afterAt)).slice(0, Number(limit)),
    count_audited_actions: ({ runIds }) => [{ action: 'step.completed', events: EVENTS * (runIds as string[]).length }],
    list_audited_versions: ({ versionIds }) =>
      (versionIds as string[]).map((id) => ({ id, base_steps: null, ...run.ofVersion })),
    list_version_decisions: () => [],
    list_audited_events: ({ afterSeq, limit }) =>
      Array.from({ length: Math.min(Number(limit), EVENTS - Number(afterSeq)) }, (_, n) => ({
        seq: Number(afterSeq) + n + 1,
        payload: null,
      })),
  });
  const trail = await readTrail(tx, actor, { kind: 'period', from: null, to: null });
  expect(trail.counts).toMatchObject({ runs: RUNS, events: RUNS * EVENTS });
  const names: string[] = [];
  for await (const { name, events } of trail.runs()) {
    names.push(name);
    const seqs: number[] = [];
    for await (const { seq } of events) seqs.push(seq);
    expect(seqs).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
  }
  expect(names).toEqual(runs.map(({ name }) => name));
  expect(Math.max(...answered)).toBeLessThanOrEqual(100);
});

test('no further pages are read once the reader has stopped', async () => {
  const { tx, answered } = readerOf({
    find_chain_head: () => [{ org_name: 'N', head_seq: 9, head_hash: 'ab', now: 0 }],
    list_audited_runs: ({ afterAt, limit }) =>
      runs.filter(({ at }) => afterAt === '-infinity' || at > String(afterAt)).slice(0, Number(limit)),
    list_audited_versions: ({ versionIds }) =>
      (versionIds as string[]).map((id) => ({ id, base_steps: null, ...run.ofVersion })),
  });
  const trail = await readTrail(tx, actor, { kind: 'period', from: null, to: null });
  const before = answered.length;
  for await (const { name } of trail.runs()) if (name === 'Run 3') break;
  // A page of runs, and their versions with the decisions.
  expect(answered.slice(before)).toEqual([50, 8, 0]);
});
