import { createHash } from 'node:crypto';
import type { SavedState } from './saved-state.ts';

export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

type Person = { id: string; email: string; call: Call };
type Answers = NonNullable<SavedState['answers']>;
type Scene = {
  orgId: string;
  /** The last migration, for example `0197_files.sql`. */
  schema: string;
  /** The owner, a reviewer and an editor. */
  people: [Person, Person, Person];
  /** A running run of the workflow `key`. */
  open: { key: string; runId: string };
  publish: (key: string, content: object) => Promise<void>;
};
type SavedRun = {
  steps: {
    id: string;
    state: string;
    output: unknown;
    claimed?: unknown;
    handedOver?: unknown;
    completedBy: unknown;
  }[];
};
type SavedNote = { id: string; text: string; stepId: string | null; files?: unknown };

const KEY = 'supplier-payment';
const PDF = '%PDF-1.7\nAn offer\n%%EOF\n';

/**
 * Uses groups, which migration 0187 added, and later features if the commit has them. Returns the data that the owner
 * then reads, but only fields that an upgrade doesn't change.
 */
export async function useLaterParts({ orgId, schema, people, open, publish }: Scene): Promise<Answers> {
  const has = (migration: string): boolean => schema >= migration;
  const [ada, ben, cara] = people;
  const answers: Answers = [];
  const read = async <T>(path: string, pick: (answer: T) => unknown = (answer) => answer): Promise<void> => {
    answers.push({ path, answer: pick(await ada.call<T>('GET', path)) });
  };
  const attach = async (person: Person, place: { runId: string; stepId?: string }): Promise<string> => {
    const sha256 = createHash('sha256').update(PDF).digest('hex');
    const begun = { name: 'offer.pdf', size: PDF.length, sha256, ...place };
    const { id } = await person.call<{ id: string }>('POST', '/api/files', begun);
    await person.call('POST', `/api/files/${id}/chunks/0`, Buffer.from(PDF));
    await person.call('POST', `/api/files/${id}/complete`);
    answers.push({ path: `/api/files/${id}`, answer: PDF });
    return id;
  };
  const write = async (runId: string, note: object): Promise<void> => {
    await ben.call('POST', `/api/runs/${runId}/notes`, note);
    await read<SavedNote[]>(`/api/runs/${runId}/notes`, (notes) =>
      notes.map(({ id, text, stepId, files }) => ({ id, text, stepId, ...(files !== undefined && { files }) })),
    );
  };

  const members = people.map(({ id }) => id);
  await ada.call('POST', '/api/groups', { name: 'Finance', slug: 'finance', members });
  await read('/api/groups');
  if (has('0188')) await write(open.runId, { text: 'The contract is signed', stepId: 'archive' });
  if (has('0189')) {
    await ada.call('PATCH', `/api/workflows/${open.key}`, { tags: ['procurement'] });
    await read<{ tags: string[] }>(`/api/workflows/${open.key}`, ({ tags }) => ({ tags }));
  }
  if (has('0195')) {
    const steps = [
      {
        id: 'offer',
        title: 'Enter the offer',
        assignee: ada.email,
        config: {
          fields: [
            { id: 'price', label: 'Price', kind: 'number', required: true },
            ...(has('0197') ? [{ id: 'offer', label: 'Offer', kind: 'file', required: true }] : []),
          ],
        },
        next: ['check'],
      },
      {
        id: 'check',
        title: 'Check',
        type: 'approval',
        assignee: 'group:finance',
        config: { separateFrom: true },
        next: ['pay'],
      },
      { id: 'pay', title: 'Pay', assignee: 'group:finance', sla: '1 day', next: [] },
    ];
    const metadata = { title: 'Payments to suppliers' };
    await publish(KEY, { metadata, steps });
    const { id } = await ada.call<{ id: string }>('POST', '/api/runs', { key: KEY, name: 'Initech' });
    const worker = has('0204') ? ben : ada;
    if (has('0204'))
      await ada.call('POST', '/api/delegations', {
        toUserId: ben.id,
        from: new Date().toISOString(),
        until: new Date(Date.now() + 86_400_000).toISOString(),
        kinds: ['tasks'],
        reason: 'On holiday',
      });
    const offer = has('0197') ? { offer: [await attach(worker, { runId: id, stepId: 'offer' })] } : {};
    await worker.call('POST', `/api/runs/${id}/complete`, {
      stepId: 'offer',
      output: { fields: { price: 5, ...offer } },
      ...(worker === ben && { onBehalfOf: ada.id }),
    });
    await cara.call('POST', `/api/runs/${id}/steps/check/approve`, { comments: 'A fair price' });
    if (has('0214')) {
      await cara.call('POST', `/api/runs/${id}/steps/pay/claim`);
      await cara.call('POST', `/api/runs/${id}/steps/pay/hand-over`, { to: ben.email, reason: 'I am away' });
    }
    if (has('0218')) await write(id, { text: 'As agreed', files: [await attach(ben, { runId: id })] });
    await read<SavedRun>(`/api/runs/${id}`, (run) => ({
      steps: run.steps.map((step) => ({
        id: step.id,
        state: step.state,
        output: step.output,
        completedBy: step.completedBy,
        ...(has('0214') && { claimed: step.claimed, handedOver: step.handedOver }),
      })),
    }));
    if (has('0216')) {
      await ada.call('PATCH', `/api/workflows/${KEY}/people`, { owners: [ada.id], reviewers: [ben.id] });
      await read<Record<'owners' | 'reviewers' | 'needsReviewer' | 'pending', unknown>>(
        `/api/workflows/${KEY}/people`,
        ({ owners, reviewers, needsReviewer, pending }) => ({ owners, reviewers, needsReviewer, pending }),
      );
    }
    await ada.call('PATCH', `/api/organizations/${orgId}/routes`, {
      routes: [{ if: 'loss', tag: null, group: 'finance' }],
    });
    await read(`/api/organizations/${orgId}/routes`);
    // A draft that still needs the group's approval.
    const weaker = steps
      .filter((step) => step.id !== 'check')
      .map((step) => ({ ...step, next: step.id === 'offer' ? ['pay'] : [] }));
    const { draftId } = await cara.call<{ draftId: string }>('POST', `/api/workflows/${KEY}/drafts`, {
      metadata,
      steps: weaker,
    });
    await cara.call('POST', `/api/workflows/${KEY}/drafts/${draftId}/submit`);
    await read<{ status: string }>(`/api/workflows/${KEY}/drafts/${draftId}`, ({ status }) => ({ status }));
  }
  return answers;
}
