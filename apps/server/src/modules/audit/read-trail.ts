import type { AuditRecord } from '@stet/domain/audit';
import type { Tx } from '../../kernel/database.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  type AuditedEventRow,
  findChainHead,
  listAuditedEvents,
  listAuditedRuns,
  listAuditedVersions,
  listVersionDecisions,
  measureAuditedEvents,
} from './audit.sql.ts';
import { fitting } from './fitting.ts';
import { EXPORT_LIMITS, type Scope, type Trail, type TrailEvent, type TrailVersion } from './trail.ts';

/**
 * Reads what a document says (rulings, section 8). The runs and the chain's head are of one moment; events past that head
 * don't count, merged versions and their reviews don't change, so all of it is of that moment.
 * Refused: `not_found` for a run that the organization doesn't have.
 */
export async function readTrail(tx: Tx, actor: OrgActor, scope: Scope): Promise<Omit<Trail, 'checkpoint'>> {
  const { orgId } = actor;
  const [start, rows] = await Promise.all([
    tx.maybeOne(findChainHead, { orgId }),
    tx.many(listAuditedRuns, {
      orgId,
      runId: scope.kind === 'run' ? scope.runId : null,
      from: scope.kind === 'period' ? scope.from : null,
      to: scope.kind === 'period' ? scope.to : null,
      limit: EXPORT_LIMITS.runs,
    }),
  ]);
  if (!start) throw new Refused({ code: 'not_found', what: 'organization' });
  if (scope.kind === 'run' && rows.length === 0) throw new Refused({ code: 'not_found', what: 'run' });
  const head = rows[0] ?? start;
  const headSeq = head.head_seq;

  const sizes = await tx.many(measureAuditedEvents, { orgId, runIds: rows.map(({ id }) => id), headSeq });
  const counts = new Map(sizes.map(({ run_id, ...size }) => [run_id, size]));
  const taken = fitting(rows, counts);
  const versionIds = [...new Set(taken.map(({ version_id }) => version_id))];
  const [events, versions, decisions] = await Promise.all([
    tx.many(listAuditedEvents, { orgId, runIds: taken.map(({ id }) => id), headSeq, limit: EXPORT_LIMITS.events }),
    tx.many(listAuditedVersions, { orgId, versionIds }),
    tx.many(listVersionDecisions, { orgId, versionIds }),
  ]);
  const eventsByRun = grouped(events, ({ run_id }) => run_id);
  const decisionsByVersion = grouped(decisions, ({ version_id }) => version_id);
  const versionsById = new Map(
    versions.map(({ id, ...version }): [string, TrailVersion] => [
      id,
      { ...version, decisions: decisionsByVersion.get(id) ?? [] },
    ]),
  );

  return {
    org: { id: orgId, name: start.org_name },
    scope,
    head: { seq: headSeq, hash: head.head_hash },
    readAt: start.now,
    exportedBy: { id: actor.userId, name: actor.name, email: actor.email },
    runs: taken.map(({ total: _total, head_seq: _seq, head_hash: _hash, ...run }) => {
      const ofVersion = versionsById.get(run.version_id);
      if (!ofVersion) throw new Error(`run ${run.id} has no version`);
      const shown = (eventsByRun.get(run.id) ?? []).map(eventOf);
      return { ...run, ofVersion, events: shown, eventsLeftOut: (counts.get(run.id)?.events ?? 0) - shown.length };
    }),
    runsLeftOut: (rows[0]?.total ?? 0) - taken.length,
  };
}

function eventOf({ seq, at, actor, action, hash, payload }: AuditedEventRow): TrailEvent {
  const record = payload === null ? null : (JSON.parse(payload) as AuditRecord);
  return { seq, at, actorId: actor, action, hash, record };
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
