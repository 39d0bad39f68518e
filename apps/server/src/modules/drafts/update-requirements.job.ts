import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Log } from '../../kernel/log.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { raiseFindingsAlarm, requirementsInEvent } from './draft-findings.ts';
import { listDraftsToUpdate, saveRequirements } from './drafts.sql.ts';
import { storedGroups, storedInEvent } from './group-requirements.ts';
import { draftContext, loadDraft, reviewersOf } from './load-draft.ts';

const payloadOf = z.object({ orgId: z.uuid() });
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 100;

/** Enqueues `updateRequirements` after a change that makes routes apply to more drafts. */
export const enqueueUpdateOfRequirements = (tx: Tx, orgId: string): void =>
  enqueueJobs(tx, [{ task: 'update_requirements', payload: { orgId }, key: `requirements:${orgId}` }]);

/**
 * Adds the groups that the current routes require to the drafts in review, so that the drafts become tasks of these
 * groups. Merges obey the routes immediately, even before this job runs. Each draft is updated in its own transaction,
 * which locks it like any other change.
 */
export async function updateRequirements({ db, log }: Pick<Deps, 'db' | 'log'>, payload: unknown): Promise<void> {
  const { orgId } = payloadOf.parse(payload);
  const tenant = { orgId, userId: null };
  for (let after = FIRST_ID; ;) {
    const page = await db.transaction(tenant, (tx) => tx.many(listDraftsToUpdate, { orgId, after, limit: PAGE }));
    for (const { id, key } of page) {
      try {
        await db.transaction(tenant, (tx) => addRequirements(log, tx, { orgId, key, draftId: id }));
      } catch (error) {
        // The draft was discarded, or its workflow was archived, after the page was read.
        if (!(error instanceof Refused)) throw error;
      }
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function addRequirements(log: Log, tx: Tx, at: { orgId: string; key: string; draftId: string }): Promise<void> {
  const { orgId, key, draftId: id } = at;
  const failures: unknown[] = [];
  const draft = await loadDraft(tx, at, { lock: true, onError: (error) => void failures.push(error) });
  const { row, state } = draft;
  for (const error of failures) raiseFindingsAlarm(log, tx, { orgId, ...row }, error);
  const added = draft.requirements.filter(
    ({ group }) => group !== null && row.requirements.every((stored) => stored.group !== group),
  );
  if (state.state !== 'in_review' || added.length === 0) return;
  const stored = storedGroups(draft.requirements);
  tx.write(saveRequirements, { orgId, id, requirements: JSON.stringify(stored) });
  const asked = new Set(added.flatMap(({ memberIds }) => memberIds));
  appendAudit(tx, [
    {
      actor: SYSTEM_ACTOR,
      action: 'draft.requirements_added',
      subject: { type: 'version', id },
      data: {
        key,
        contentHash: row.content_hash,
        ...requirementsInEvent({ requirements: added }),
        ...storedInEvent(stored),
      },
      context: {
        ...draftContext(draft),
        groups: added.map(({ name }) => name),
        members: reviewersOf(draft).filter((each) => asked.has(each)),
      },
    },
  ]);
}
