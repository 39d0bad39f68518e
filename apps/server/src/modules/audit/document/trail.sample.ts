import { createHash } from 'node:crypto';
import { actionOfFact } from '@stet/domain/audit';
import {
  type PersonCommand,
  type RunActor,
  type RunFact,
  type RunState,
  decide,
  slaStateOfRun,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import { linearNext } from '@stet/domain/workflows';
import type { Trail, TrailDecision, TrailEvent, TrailRun } from '../trail.ts';

const START = Date.UTC(2026, 10, 21, 3, 12, 44, 123);
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

export const personNamed = (name: string): RunActor => ({
  id: `id-of-${name}`,
  name,
  email: `${name.toLowerCase().replaceAll(/\P{L}+/gu, '.')}@example.com`,
  kind: 'user',
});

export const manualStep = (id: string, title: string, sla = '1 day'): Step => ({
  id,
  title,
  type: 'manual',
  description: '',
  assignee: 'finance@example.com',
  sla,
  config: {},
  next: [],
});

/** A run with all its events. */
type SampleRun = TrailRun & { events: TrailEvent[] };

type Act = { command: PersonCommand; by: RunActor; afterMs: number };

/** A run in which people took the given actions, with the events that would be in its trail. */
export function sampleRun(input: {
  id: string;
  name: string;
  steps: readonly Step[];
  acts?: readonly Act[];
  starter?: RunActor;
  firstSeq?: number;
  decisions?: TrailDecision[];
  groups?: TrailRun['ofVersion']['groups'];
}): SampleRun {
  const {
    id,
    name,
    acts = [],
    starter = personNamed('Priya Natarajan'),
    firstSeq = 1,
    decisions = [],
    groups = [],
  } = input;
  const steps = linearNext(input.steps);
  const workflow = { steps };
  let at = START;
  let state: RunState | null = null;
  const facts: RunFact[] = [];
  const all: { command: PersonCommand | { type: 'start' }; by: RunActor; afterMs: number }[] = [
    { command: { type: 'start' }, by: starter, afterMs: 0 },
    ...acts,
  ];
  for (const { command, by, afterMs } of all) {
    at += afterMs;
    const decision = decide(workflow, state, command, { at, actor: by });
    if (!decision.ok) throw new Error(`the sample is refused: ${decision.refusal.code}`);
    state = decision.state;
    facts.push(...decision.facts);
  }
  if (!state) throw new Error('the sample has not started');
  return {
    id,
    name,
    description: null,
    workflow_key: 'quarter-close',
    workflow_title: 'Quarter close',
    version: 3,
    version_id: `${id}-version`,
    priority: 'high',
    state,
    ofVersion: {
      content_hash: sha('content'),
      steps,
      contributors: [personNamed('Sam Okafor')],
      losses: [],
      unknowns: [],
      merged_at: new Date(START - 86_400_000),
      merged_by: personNamed('Ines Duarte'),
      groups,
      emergency: null,
      decisions,
    },
    events: facts.map((fact, n): TrailEvent => {
      const { by, ...data } = fact;
      return {
        seq: firstSeq + n,
        at: `${new Date(fact.at + 2).toISOString().slice(0, -1)}417Z`,
        actorId: by.id,
        action: actionOfFact(fact.type),
        hash: sha(`${id} ${n}`),
        record: { actor: by, action: actionOfFact(fact.type), subject: { type: 'run', id }, runId: id, data },
      };
    }),
  };
}

/** A trail as it is read for a document. */
export function sampleTrail(runs: SampleRun[], changes: Partial<Trail> = {}): Trail {
  const readAt = START + 3 * 86_400_000;
  const events = runs.flatMap((run) => run.events);
  return {
    org: { id: '0197a3c1-0000-7000-8000-000000000001', name: 'Northwind Traders' },
    scope: { kind: 'period', from: '2026-11-01T00:00:00Z', to: '2026-11-30T23:59:59.999Z' },
    head: { seq: 4711, hash: sha('head') },
    verification: { verified: { at: '2026-11-21T02:13:00.000Z', size: 120 }, finding: null, sentence: null },
    checkpoint: {
      size: 4712,
      at: START + 3 * 86_400_000 + 40,
      note: `stet/org\n4712\n${sha('root')}\n\n— stet/org ${sha('signature')}\n`,
      key: 'stet/org+01234567+key',
    },
    readAt,
    runName: null,
    exportedBy: { id: 'ines', name: 'Inês Duarte', email: 'ines@example.com' },
    counts: {
      runs: runs.length,
      events: events.length,
      statuses: tally(runs.map(({ state }) => state.status)),
      slas: tally(runs.map(({ state }) => slaStateOfRun(state, readAt))),
      actions: tally(events.map(({ action }) => action)),
    },
    listed: () => runs,
    runs: () => runs,
    ...changes,
  };
}

function tally<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
