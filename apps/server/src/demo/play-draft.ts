import type { DemoWorkflow, DraftAct, DraftScript } from './draft-script.ts';
import type { People } from './people.ts';
import { draftTimes } from './schedule.ts';
import type { Moment } from './stage.ts';

type Draft = { id: string; revision: number };

/** All moments of a workflow: its drafts, from the oldest version to the open one, its rollback and its archiving. */
export function workflowMoments(people: People, workflow: DemoWorkflow, now: number): Moment[] {
  const { key, versions, openDraft, rollback, archived } = workflow;
  const scripts = [...versions, ...(openDraft ? [openDraft] : [])];
  const moments = scripts.flatMap((script, n) => draftMoments(people, workflow, script, timesOf(key, script, n, now)));
  if (rollback) {
    const { by, to, reason, agoMs } = rollback;
    const path = `/api/workflows/${key}/versions/${to}/rollback`;
    const play = () => people[by].call('POST', path, { body: { reason } });
    moments.push({ at: now - agoMs, by: people[by], play });
  }
  if (archived) {
    const { by, agoMs } = archived;
    const play = () => people[by].call('DELETE', `/api/workflows/${key}`);
    moments.push({ at: now - agoMs, by: people[by], play });
  }
  return moments;
}

/** The times of the acts on the nth draft of a workflow, from 0. */
export const timesOf = (key: string, script: DraftScript, n: number, now: number): number[] =>
  draftTimes(script, `${key} ${n + 1}`, now);

function draftMoments(people: People, workflow: DemoWorkflow, { acts }: DraftScript, times: number[]): Moment[] {
  let draft: Draft | null = null;
  return acts.map((act, n) => ({
    at: times[n] ?? 0,
    by: people[act.by],
    play: async () => {
      draft = await playAct(people, workflow, draft, act);
    },
  }));
}

async function playAct(
  people: People,
  { key, metadata }: DemoWorkflow,
  draft: Draft | null,
  act: DraftAct,
): Promise<Draft> {
  const { call } = people[act.by];
  if (!draft) {
    if (act.do !== 'save') throw new Error(`a draft of ${key} doesn't begin with a save`);
    const body = { metadata, steps: act.steps };
    const created = await call<{ draftId: string; revision: number }>('POST', `/api/workflows/${key}/drafts`, { body });
    return { id: created.draftId, revision: created.revision };
  }
  const { id, revision } = draft;
  const at = `/api/workflows/${key}/drafts/${id}`;
  switch (act.do) {
    case 'save':
      await call('PATCH', at, { body: { metadata, steps: act.steps }, revision });
      return { id, revision: revision + 1 };
    case 'comment':
      await call('POST', `${at}/comments`, { body: { body: act.body, stepId: act.stepId } });
      return draft;
    case 'approve':
    case 'request-changes':
      await call('POST', `${at}/${act.do}`, { body: { comment: act.comment } });
      return draft;
    case 'submit':
      await call('POST', `${at}/submit`, { body: { summary: act.summary } });
      return draft;
    case 'merge':
      await call('POST', `${at}/merge`);
      return draft;
  }
}
