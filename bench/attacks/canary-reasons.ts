import { TAG_LIMITS } from '@stet/domain/workflows';
import { createHash } from 'node:crypto';
import { type Call, callerOf } from '../caller.ts';
import type { ServerProcess } from '../server-process.ts';
import { CANARY, canaryUpTo } from './canary-caller.ts';
import { KEY } from './canary-corners.ts';
import { draftWith } from './canary-workflow.ts';

type Acting = {
  server: ServerProcess;
  ownerToken: string;
  owner: Call;
  mate: Call;
  leaver: Call;
  orgId: string;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Uses the text fields that the other workflows and runs leave empty: names of groups, tags, notes with files, and the
 * reasons of rare actions. Returns the ids of the runs.
 */
export async function giveReasons(acting: Acting): Promise<string[]> {
  const { server, ownerToken, owner, mate, leaver, orgId } = acting;
  const plain = callerOf(server.url, ownerToken);
  const people = await owner<{ id: string; email: string }[]>('GET', `/api/organizations/${orgId}/users`);
  const idOf = (name: string): string => people.find(({ email }) => email.startsWith(`${name}@`))?.id ?? '';

  await owner('POST', '/api/groups', { name: CANARY, slug: 'finance', members: [idOf('mate')] });
  const { id: groupId } = await plain<{ id: string }>('POST', '/api/groups', { name: 'To rename', slug: 'legal' });
  await owner('PATCH', `/api/groups/${groupId}`, { name: CANARY });
  await owner('PATCH', `/api/workflows/${KEY}`, { tags: [canaryUpTo(TAG_LIMITS.length)] });

  const objectedId = await draftWith(plain, 'objected', 'plain', 'plain');
  const objected = `/api/workflows/objected/drafts/${objectedId}`;
  await plain('POST', `${objected}/submit`);
  await leaver('POST', `${objected}/request-changes`, { comment: 'No' });

  const runs = await Promise.all(
    ['one', 'two', 'three'].map(
      async (name) => (await plain<{ id: string }>('POST', '/api/runs', { key: KEY, name: `Run ${name}` })).id,
    ),
  );
  const [one = '', two = '', three = ''] = runs;
  const handOver = { to: idOf('leaver'), reason: CANARY };
  await mate('POST', `/api/runs/${one}/steps/form/hand-over`, handOver);
  await owner('DELETE', `/api/organizations/${orgId}/users/${idOf('leaver')}`, {
    handOver: { to: idOf('mate'), reason: CANARY },
  });
  await mate('POST', `${objected}/objections/${idOf('leaver')}/set-aside`, { reason: CANARY });
  await owner('POST', `/api/runs/${one}/pause`, { reason: CANARY });
  await owner('POST', '/api/runs/bulk', { ids: [two], action: 'pause', reason: CANARY });
  await owner('POST', `/api/runs/${three}/notes`, { text: CANARY, files: [await uploaded(acting, three)] });

  const discardedId = await draftWith(plain, KEY, 'discarded', 'plain');
  await owner('DELETE', `/api/workflows/${KEY}/drafts/${discardedId}`, { reason: CANARY });
  await draftWith(plain, 'deleted', 'plain', 'plain');
  await owner('DELETE', '/api/workflows/deleted', { reason: CANARY });
  const urgentId = await draftWith(plain, 'urgent', 'plain', 'plain');
  await owner('POST', `/api/workflows/urgent/drafts/${urgentId}/merge`, { emergency: { reason: CANARY } });

  await owner('PATCH', `/api/organizations/${orgId}/routes`, {
    routes: [{ if: 'loss', tag: CANARY, group: 'finance' }],
  });
  // A weaker escalation waits for the other manager.
  await owner('PATCH', `/api/workflows/${KEY}/escalation`, { tell: [], againAfterMinutes: null });
  const confirmations = await mate<{ id: string; kind: string; status: string }[]>('GET', '/api/confirmations');
  const weaker = confirmations.find(({ kind, status }) => kind === 'escalation' && status === 'waiting');
  if (!weaker) throw new Error('the weaker escalation waits for no confirmation');
  await mate('POST', `/api/confirmations/${weaker.id}/refuse`, { reason: CANARY });
  const [from = '', until = ''] = [0, DAY_MS].map((later) => new Date(Date.now() + later).toISOString());
  await mate('POST', '/api/delegations', { toUserId: idOf('owner'), from, until, kinds: ['tasks'], reason: CANARY });
  return runs;
}

/** Uploads a file for a note of the run. Returns its id. */
async function uploaded({ server: { url }, ownerToken, owner }: Acting, runId: string): Promise<string> {
  const bytes = Buffer.from('A text');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { id } = await owner<{ id: string }>('POST', '/api/files', { name: CANARY, size: bytes.length, sha256, runId });
  const response = await fetch(`${url}/api/files/${id}/chunks/0`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  if (!response.ok) throw new Error(`the chunk: ${response.status}`);
  await owner('POST', `/api/files/${id}/complete`);
  return id;
}
