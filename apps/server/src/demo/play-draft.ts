import { DAY_MS, HOUR_MS } from '@stet/domain/sla';
import type { Database } from '../kernel/database.ts';
import { unlessDone } from './api.ts';
import { dateVersion } from './demo.sql.ts';
import type { DemoWorkflow, DraftScript } from './draft-script.ts';
import type { People } from './people.ts';

/**
 * `today` is in epoch milliseconds. It is the same for every fill of an installation, so that versions get the same
 * dates.
 */
type Stage = { db: Database; people: People; today: number };

/** Plays the script of a draft as the people it names. `name` distinguishes the drafts of a workflow. */
export async function playDraft(
  { db, people, today }: Stage,
  workflow: DemoWorkflow,
  name: string,
  script: DraftScript,
): Promise<void> {
  const { key, metadata } = workflow;
  let draft: { draftId: string; revision: number } | null = null;
  for (const [n, act] of script.acts.entries()) {
    const { call } = people[act.by];
    const once = `demo ${key} ${name} ${n}`;
    if (!draft) {
      if (act.do !== 'save') throw new Error(`${key} ${name} doesn't begin with a save`);
      const body = { metadata, steps: act.steps };
      draft = await call<{ draftId: string; revision: number }>('POST', `/api/workflows/${key}/drafts`, { body, once });
      continue;
    }
    const at = `/api/workflows/${key}/drafts/${draft.draftId}`;
    switch (act.do) {
      case 'save': {
        const { revision } = draft;
        // A save that an earlier fill has already done is refused, because the draft has a later revision.
        await unlessDone(call('PATCH', at, { body: { metadata, steps: act.steps }, revision }));
        draft.revision = revision + 1;
        break;
      }
      case 'comment':
        await call('POST', `${at}/comments`, { body: { body: act.body, stepId: act.stepId }, once });
        break;
      case 'approve':
      case 'request-changes':
        await call('POST', `${at}/${act.do}`, { body: { comment: act.comment }, once });
        break;
      case 'submit':
      case 'merge':
        await call('POST', `${at}/${act.do}`, { once });
        break;
    }
  }
  if (draft && script.mergedDaysAgo !== undefined) {
    await dateBack({ db, people, today }, draft.draftId, script.mergedDaysAgo);
  }
}

/** Makes an earlier version live again. */
export async function playRollback(
  people: People,
  key: string,
  { by, to, reason }: NonNullable<DemoWorkflow['rollback']>,
): Promise<void> {
  await people[by].call('POST', `/api/workflows/${key}/versions/${to}/rollback`, {
    body: { reason },
    once: `demo ${key} rollback`,
  });
}

async function dateBack({ db, people, today }: Stage, id: string, daysAgo: number): Promise<void> {
  const { orgId } = people;
  const mergedAt = new Date(today - daysAgo * DAY_MS);
  const createdAt = new Date(mergedAt.getTime() - 27 * HOUR_MS);
  await db.transaction({ orgId, userId: null }, async (tx) => {
    tx.write(dateVersion, { orgId, id, createdAt, mergedAt });
  });
}
