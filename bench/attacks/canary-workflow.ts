import type { Call } from '../caller.ts';
import { CANARY, canaryAnd } from './canary-caller.ts';
import { KEY, MATE, OWNER } from './canary-corners.ts';

/** Returns steps that can be published and run. They contain `turn`, so that each version has different steps. */
const stepsOf = (turn: string): object[] => [
  {
    id: 'form',
    title: CANARY,
    description: canaryAnd(`\n\n${turn}`),
    assignee: MATE,
    sla: '1h',
    config: {
      assignedRole: 'editor',
      fields: [
        { id: 'choice', label: CANARY, kind: 'choice', options: [CANARY, 'other'] },
        { id: 'more', label: 'More', kind: 'text' },
      ],
    },
  },
  { id: 'plain', title: canaryAnd(turn), description: CANARY, assignee: CANARY },
  { id: 'vote', title: CANARY, type: 'approval', assignee: OWNER },
  {
    id: 'tell',
    title: CANARY,
    type: 'notification',
    config: {
      recipients: [MATE],
      template: canaryAnd(' {{run.name}} {{step.title}} {{output.plain}}'),
      channels: ['email', 'slack', 'in-app'],
    },
  },
];

/** Steps that a draft may contain, but that can't go live. */
export const BROKEN_STEPS: readonly object[] = [
  { id: CANARY, title: CANARY, description: CANARY, assignee: CANARY, sla: CANARY },
  {
    id: 'form',
    title: 'Form',
    config: {
      assignedRole: CANARY,
      fields: [
        { id: 'one', label: CANARY, kind: 'choice', options: [CANARY], help: CANARY },
        { id: 'two', label: 'Two', kind: 'number', unit: CANARY },
      ],
    },
  },
  { id: 'vote', title: 'Vote', type: 'approval', config: { assignedRole: CANARY, onReject: CANARY } },
  { id: 'script', title: 'Script', type: 'automated', config: { script: CANARY } },
  {
    id: 'rule',
    title: 'Rule',
    type: 'condition',
    config: { condition: CANARY, trueNext: CANARY, falseNext: CANARY },
  },
  {
    id: 'tell',
    title: 'Tell',
    type: 'notification',
    config: { recipients: [CANARY], template: CANARY, channels: ['email'] },
  },
];

export async function draftWith(owner: Call, key: string, turn: string, text: unknown = CANARY): Promise<string> {
  const body =
    text === CANARY
      ? { metadata: { title: canaryAnd(` ${turn}`), description: CANARY }, steps: stepsOf(turn) }
      : { metadata: { title: String(text) }, steps: [{ id: 'one', title: String(text) }] };
  return (await owner<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, body)).draftId;
}

export async function published(owner: Call, mate: Call, turn: string): Promise<string> {
  const id = await draftWith(owner, KEY, turn);
  const path = `/api/workflows/${KEY}/drafts/${id}`;
  await owner('POST', `${path}/submit`, { summary: CANARY });
  await mate('POST', `${path}/approve`, { comment: CANARY });
  await mate('POST', `${path}/merge`);
  return id;
}

/** Starts a run and brings it to this end. Returns its id. */
export async function runOf(
  owner: Call,
  mate: Call,
  end: 'done' | 'waiting' | 'cancelled' | 'rejected',
): Promise<string> {
  const { id } = await owner<{ id: string }>('POST', '/api/runs', { key: KEY, name: CANARY, description: CANARY });
  if (end === 'waiting') return id;
  if (end === 'cancelled') {
    await owner('POST', `/api/runs/${id}/cancel`, { reason: CANARY });
    return id;
  }
  const output = { text: CANARY, fields: { choice: await optionOf(owner), more: CANARY } };
  const step = `/api/runs/${id}/steps`;
  if (end === 'done') {
    await mate('POST', `${step}/form/complete`, { output, notes: CANARY });
    await owner('POST', `${step}/plain/skip`, { reason: CANARY });
    await owner('POST', `${step}/vote/approve`, { comments: CANARY });
  } else {
    await mate('POST', `/api/runs/${id}/complete`, { stepId: 'form', output, notes: CANARY });
    await owner('POST', `${step}/plain/skip`, { reason: CANARY });
    await owner('POST', `${step}/vote/reject`, { comments: CANARY });
  }
  return id;
}

/** Returns a valid option for the choice in the live version's form. */
async function optionOf(owner: Call): Promise<string> {
  const versions = await owner<{ id: string; status: string }[]>('GET', `/api/workflows/${KEY}/versions`);
  const live = versions.find(({ status }) => status === 'live');
  const { steps } = await owner<{ steps: { config: { fields?: { options?: string[] }[] } }[] }>(
    'GET',
    `/api/workflows/${KEY}/versions/${live?.id}`,
  );
  return steps[0]?.config.fields?.[0]?.options?.[0] ?? '';
}
