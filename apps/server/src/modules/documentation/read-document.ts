import type { WorkflowDocument } from '@stet/contract';
import { momentText, readMoment } from '@stet/domain/audit';
import { asOfInstant, inForceAt } from '@stet/domain/drafts';
import { dayIn } from '@stet/domain/sla';
import type { Handler } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Database } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findWorkflow, listLiveChanges, readPeriods } from '../workflows/index.ts';
import { presentDocument } from './document.presenter.ts';
import { findDocument, findOrganizationClock } from './documentation.sql.ts';

/** The requested version, or the one that readers see by default. Refuses with `not_found` if there is none. */
export async function documentOf(
  db: Database,
  actor: OrgActor,
  { key, version }: { key: string; version: string | number | undefined },
): Promise<WorkflowDocument> {
  const at = { orgId: actor.orgId, key };
  const [row, changes] = await db.transaction(actor, (tx) =>
    Promise.all([
      tx.maybeOne(findDocument, {
        ...at,
        number: typeof version === 'number' ? version : null,
        id: typeof version === 'string' ? version : null,
      }),
      tx.many(listLiveChanges, at),
    ]),
  );
  if (!row) throw new Refused({ code: 'not_found', what: version === undefined ? 'workflow' : 'version' });
  return presentDocument(row, readPeriods(changes), null);
}

/**
 * The version in force at the end of a day in the organization's time zone, or at an instant. Refuses with
 * `not_in_force` if there was none.
 */
function documentAsOf(
  db: Database,
  actor: OrgActor,
  { key, asOf }: { key: string; asOf: string },
): Promise<WorkflowDocument> {
  const { orgId } = actor;
  return db.transaction(actor, async (tx) => {
    const [workflow, clock, changes] = await Promise.all([
      tx.maybeOne(findWorkflow, { orgId, key }),
      tx.maybeOne(findOrganizationClock, { orgId }),
      tx.many(listLiveChanges, { orgId, key }),
    ]);
    if (!workflow || !clock) throw new Refused({ code: 'not_found', what: 'workflow' });
    const instant = pastInstant(asOf, { now: readMoment(clock.now) ?? 0n, timeZone: clock.time_zone });
    const periods = readPeriods(changes);
    const period = inForceAt(periods, instant);
    if (!period) {
      const [first] = periods;
      const last = periods.findLast(({ until }) => until !== null && until <= instant);
      throw new Refused({
        code: 'not_in_force',
        firstLiveAt: first ? momentText(first.from) : null,
        archivedAt: last?.until ? momentText(last.until) : null,
      });
    }
    const row = await tx.maybeOne(findDocument, { orgId, key, number: period.version, id: null });
    if (!row) throw new Refused({ code: 'not_found', what: 'version' });
    return presentDocument(row, periods, { at: momentText(instant), timeZone: clock.time_zone });
  });
}

/** Returns the instant of `asOf`. For the current day, this is now. Refuses a future day or instant. */
function pastInstant(asOf: string, { now, timeZone }: { now: bigint; timeZone: string }): bigint {
  const instant = asOfInstant(asOf, timeZone);
  if (instant <= now) return instant;
  if (asOf === dayIn(timeZone, Number(now / 1000n))) return now;
  throw new Refused({ code: 'invalid', problems: [{ field: 'asOf', problem: 'is in the future' }] });
}

export const readDocument: Handler<'GET /api/workflows/{key}/document'> = async ({ db }, { actor, params, query }) => {
  const { key } = params;
  const { version, asOf } = query;
  return answer(
    asOf === undefined ? await documentOf(db, actor, { key, version }) : await documentAsOf(db, actor, { key, asOf }),
  );
};
