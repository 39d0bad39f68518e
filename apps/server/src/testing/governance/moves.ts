import type { Chance } from './random.ts';
import type { Player, Reply } from './players.ts';

/** The people and drafts that moves can involve. */
export type Board = {
  orgId: string;
  players: readonly Player[];
  keys: readonly string[];
  /** All drafts that were ever created, including merged and discarded ones. */
  drafts: { key: string; id: string; revision: number }[];
  /** The contents that were sent, by draft and revision. Live content must be what was sent with its hash. */
  sent: Map<string, string>;
};

export type Move = {
  name: string;
  /** The roles whose permissions allow this move. */
  by: readonly string[];
  make: (by: Player, board: Board, chance: Chance) => Promise<Reply | null>;
};

const ROLES = ['owner', 'admin', 'editor', 'reviewer', 'viewer'] as const;
const EDITORS = ['owner', 'admin', 'editor'];
const REVIEWERS = ['owner', 'admin', 'reviewer'];
const MANAGERS = ['owner', 'admin'];
const WORDS = ['One', 'Two', 'Three'] as const;

/** A small set of contents, so that a change can be reversed, and two people can write the same content. */
const anyContent = (chance: Chance) => ({
  metadata: { title: `Title ${chance.pick(WORDS)}`, description: '' },
  steps: ['a', 'b'].map((id, n) => ({
    id,
    type: 'manual',
    title: chance.pick(WORDS),
    description: '',
    assignee: 'Unassigned',
    sla: '',
    config: {},
    next: n === 0 ? ['b'] : [],
  })),
});

type Target = Board['drafts'][number];
const onDraft =
  (act: (by: Player, at: string, draft: Target, board: Board, chance: Chance) => Promise<Reply>): Move['make'] =>
  async (by, board, chance) => {
    // Prefers later drafts, which are more likely to be open.
    const recent = board.drafts.slice(-3);
    if (recent.length === 0) return null;
    const draft = chance.pick(chance.in100(85) ? recent : board.drafts);
    return act(by, `/api/workflows/${draft.key}/drafts/${draft.id}`, draft, board, chance);
  };

const create: Move['make'] = async (by, board, chance) => {
  const key = chance.in100(80) ? (board.keys[0] ?? '') : chance.pick(board.keys);
  const content = anyContent(chance);
  const reply = await by.call('POST', `/api/workflows/${key}/drafts`, content);
  if (reply.status === 201) {
    const { draftId, revision } = reply.body as { draftId: string; revision: number };
    board.drafts.push({ key, id: draftId, revision });
    board.sent.set(`${draftId} ${revision}`, JSON.stringify(content));
  }
  return reply;
};

const save = onDraft(async (by, at, draft, { sent }, chance) => {
  const content = anyContent(chance);
  const reply = await by.call('PATCH', at, content);
  if (reply.status === 200) {
    const { revision } = reply.body as { revision: number };
    sent.set(`${draft.id} ${revision}`, JSON.stringify(content));
  }
  return reply;
});

type Conflict = { on: string; stepId?: string; field: string };
const rebase = onDraft(async (by, at, _draft, _board, chance) => {
  const asked = await by.call('POST', `${at}/rebase`);
  const { code, details } = asked.body as { code?: string; details?: Conflict[] };
  if (code !== 'merge_conflicts' || details === undefined) return asked;
  const resolutions = details.map(({ on, stepId, field }) => ({
    on,
    ...(stepId !== undefined && { stepId }),
    field,
    take: chance.pick(['live', 'draft']),
  }));
  return by.call('POST', `${at}/rebase`, { resolutions });
});

const organization = ({ orgId }: Board): string => `/api/organizations/${orgId}`;
const someone = (board: Board, chance: Chance): string => chance.pick(board.players).id;

/** The moves, each with a weight. Anyone can try any move at any time. */
export const MOVES: readonly (Move & { weight: number })[] = [
  { name: 'create', weight: 7, by: EDITORS, make: create },
  { name: 'save', weight: 10, by: EDITORS, make: save },
  { name: 'submit', weight: 5, by: EDITORS, make: onDraft((by, at) => by.call('POST', `${at}/submit`)) },
  { name: 'withdraw', weight: 2, by: EDITORS, make: onDraft((by, at) => by.call('POST', `${at}/withdraw`)) },
  { name: 'approve', weight: 26, by: REVIEWERS, make: onDraft((by, at) => by.call('POST', `${at}/approve`)) },
  {
    name: 'withdraw approval',
    weight: 6,
    by: REVIEWERS,
    make: onDraft((by, at) => by.call('POST', `${at}/withdraw-approval`)),
  },
  {
    name: 'request changes',
    weight: 3,
    by: REVIEWERS,
    make: onDraft((by, at) => by.call('POST', `${at}/request-changes`, { comment: 'Not so' })),
  },
  { name: 'merge', weight: 24, by: REVIEWERS, make: onDraft((by, at) => by.call('POST', `${at}/merge`)) },
  { name: 'rebase', weight: 9, by: EDITORS, make: rebase },
  { name: 'discard', weight: 1, by: EDITORS, make: onDraft((by, at) => by.call('DELETE', at)) },
  {
    name: 'roll back',
    weight: 5,
    by: REVIEWERS,
    make: (by, board, chance) =>
      by.call('POST', `/api/workflows/${chance.pick(board.keys)}/versions/${1 + chance.below(3)}/rollback`),
  },
  {
    name: 'change policy',
    weight: 3,
    by: MANAGERS,
    make: (by, board, chance) =>
      by.call('PATCH', organization(board), { requiredApprovals: chance.pick([0, 1, 1, 2, 2, 3]) }),
  },
  {
    name: 'confirm policy',
    weight: 4,
    by: MANAGERS,
    make: (by, board) => by.call('POST', `${organization(board)}/policy-change/confirm`),
  },
  {
    name: 'end policy',
    weight: 1,
    by: MANAGERS,
    make: (by, board) => by.call('DELETE', `${organization(board)}/policy-change`),
  },
  {
    name: 'change role',
    weight: 3,
    by: MANAGERS,
    make: (by, board, chance) =>
      by.call('PATCH', `${organization(board)}/users/${someone(board, chance)}`, { role: chance.pick(ROLES) }),
  },
  {
    name: 'remove',
    weight: 1,
    by: MANAGERS,
    make: (by, board, chance) => by.call('DELETE', `${organization(board)}/users/${someone(board, chance)}`),
  },
];

/** Chooses a move by weight. */
export function anyMove(chance: Chance): Move {
  let left = chance.below(MOVES.reduce((sum, { weight }) => sum + weight, 0));
  for (const move of MOVES) {
    left -= move.weight;
    if (left < 0) return move;
  }
  throw new RangeError('the weights do not add up');
}
