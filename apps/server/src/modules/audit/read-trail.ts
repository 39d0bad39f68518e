import { EMPTY_CONTENT } from '@stet/domain/workflows';
import type { AuditRecord } from '@stet/domain/audit';
import { type FindingEffect, findingsOf, printedFindingSentence } from '@stet/domain/drafts';
import { type RunStatus, slaStateOfRun } from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import type { SlaState } from '@stet/domain/sla';
import type { Tx } from '../../kernel/database.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  type AuditedEventRow,
  type AuditedRunRow,
  countAuditedActions,
  findChainHead,
  listAuditedEvents,
  listAuditedRuns,
  listAuditedVersions,
  listVersionDecisions,
} from './audit.sql.ts';
import type { Scope, Trail, TrailCounts, TrailEvent, TrailRun, TrailVersion } from './trail.ts';

/** Page sizes, which limit memory use. They are small, because a run or an event can be large. */
const PAGE = { runs: 50, events: 100 } as const;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Reads = Pick<Tx, 'many' | 'maybeOne'>;
type Reading = { tx: Reads; orgId: string; scope: Scope; headSeq: number };

/**
 * Reads the data of a document. The counts are read immediately; the runs and their events are read while the document
 * is written. The snapshot `tx` must last until the document has been written. Refuses with `not_found` if the
 * organization doesn't have the run.
 */
export async function readTrail(
  tx: Reads,
  actor: OrgActor,
  scope: Scope,
): Promise<Omit<Trail, 'checkpoint' | 'verification'>> {
  const { orgId } = actor;
  const start = await tx.maybeOne(findChainHead, { orgId });
  if (!start) throw new Refused({ code: 'not_found', what: 'organization' });
  const reading: Reading = { tx, orgId, scope, headSeq: start.head_seq };
  const { counts, firstName } = await counted(reading, start.now);
  if (scope.kind === 'run' && counts.runs === 0) throw new Refused({ code: 'not_found', what: 'run' });
  return {
    org: { id: orgId, name: start.org_name },
    scope,
    runName: scope.kind === 'run' ? firstName : null,
    head: { seq: start.head_seq, hash: start.head_hash },
    readAt: start.now,
    exportedBy: { id: actor.userId, name: actor.name, email: actor.email },
    counts,
    listed: () => listed(reading),
    runs: () => runsOf(reading),
  };
}

async function counted(reading: Reading, now: number): Promise<{ counts: TrailCounts; firstName: string | null }> {
  const { tx, orgId, headSeq } = reading;
  const statuses = new Map<RunStatus, number>();
  const slas = new Map<SlaState | null, number>();
  const actions = new Map<string, number>();
  const add = <K>(tally: Map<K, number>, key: K, n = 1): unknown => tally.set(key, (tally.get(key) ?? 0) + n);
  let runs = 0;
  let events = 0;
  let firstName: string | null = null;
  for await (const page of pagesOf(reading)) {
    runs += page.length;
    firstName ??= page[0]?.name ?? null;
    for (const { state } of page) {
      add(statuses, state.status);
      add(slas, slaStateOfRun(state, now));
    }
    const found = await tx.many(countAuditedActions, { orgId, runIds: page.map(({ id }) => id), headSeq });
    for (const { action, events: n } of found) {
      events += n;
      add(actions, action, n);
    }
  }
  return { counts: { runs, events, statuses, slas, actions }, firstName };
}

async function* pagesOf({ tx, orgId, scope }: Reading): AsyncGenerator<AuditedRunRow[]> {
  const isRun = scope.kind === 'run';
  const to = (isRun ? null : scope.to) ?? 'infinity';
  let after = { afterAt: (isRun ? null : scope.from) ?? '-infinity', afterId: FIRST_ID };
  for (;;) {
    const page = await tx.many(listAuditedRuns, {
      orgId,
      runId: isRun ? scope.runId : null,
      ...after,
      to,
      limit: PAGE.runs,
    });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < PAGE.runs) return;
    after = { afterAt: last.at, afterId: last.id };
  }
}

async function* listed(reading: Reading): AsyncGenerator<AuditedRunRow> {
  for await (const page of pagesOf(reading)) yield* page;
}

async function* runsOf(reading: Reading): AsyncGenerator<TrailRun> {
  let known: ReadonlyMap<string, TrailVersion> = new Map();
  for await (const page of pagesOf(reading)) {
    known = await versionsOf(reading, page, known);
    for (const run of page) {
      const ofVersion = known.get(run.version_id);
      if (!ofVersion) throw new Error(`run ${run.id} has no version`);
      yield { ...run, ofVersion, events: eventsOf(reading, run.id) };
    }
  }
}

/** The versions of a page of runs. Versions of the previous page aren't read again. */
async function versionsOf(
  { tx, orgId }: Reading,
  page: readonly AuditedRunRow[],
  known: ReadonlyMap<string, TrailVersion>,
): Promise<ReadonlyMap<string, TrailVersion>> {
  const wanted = [...new Set(page.map(({ version_id }) => version_id))];
  const versionIds = wanted.filter((id) => !known.has(id));
  const versionsById = new Map([...known].filter(([id]) => wanted.includes(id)));
  if (versionIds.length === 0) return versionsById;
  const [versions, decisions] = await Promise.all([
    tx.many(listAuditedVersions, { orgId, versionIds }),
    tx.many(listVersionDecisions, { orgId, versionIds }),
  ]);
  for (const { id, base_steps, ...version } of versions) {
    versionsById.set(id, {
      ...version,
      decisions: decisions.filter(({ version_id }) => version_id === id),
      ...alarmsOf(base_steps, version.steps),
    });
  }
  return versionsById;
}

async function* eventsOf({ tx, orgId, headSeq }: Reading, runId: string): AsyncGenerator<TrailEvent> {
  for (let afterSeq = 0; ;) {
    const page = await tx.many(listAuditedEvents, { orgId, runId, afterSeq, headSeq, limit: PAGE.events });
    for (const row of page) yield eventOf(row);
    const last = page.at(-1);
    if (!last || page.length < PAGE.events) return;
    afterSeq = last.seq;
  }
}

function eventOf({ seq, at, actor, action, hash, payload }: AuditedEventRow): TrailEvent {
  const record = payload === null ? null : (JSON.parse(payload) as AuditRecord);
  return { seq, at, actorId: actor, action, hash, record };
}

/** Returns the controls that a version removed, and the changes that only people can judge. */
function alarmsOf(before: Step[] | null, after: Step[]): Pick<TrailVersion, 'losses' | 'unknowns'> {
  const { metadata } = EMPTY_CONTENT;
  const live = before && { metadata, steps: before };
  // If the comparison fails, the document mentions it.
  const findings = findingsOf(() => {}, [], live, { metadata, steps: after }, { restoredVersion: null });
  const sentences = (effect: FindingEffect): string[] =>
    findings.filter((finding) => finding.effect === effect).map(printedFindingSentence);
  return { losses: sentences('loss'), unknowns: sentences('unknown') };
}
