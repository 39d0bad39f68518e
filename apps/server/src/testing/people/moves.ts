import type { Chance } from '../governance/random.ts';
import { addressCodeIn, type ReceivedMail, linkIn } from '../mailbox.ts';
import {
  type Answer,
  type Board,
  type Content,
  type DraftAt,
  type Hand,
  type Invitation,
  type Seat,
  Violation,
} from './board.ts';
import * as administrator from './administrator.ts';
import { type Escalation, type Hours, loosensEscalation, loosensHours } from './clocks.ts';
import { mailboxOf } from './humans.ts';
import type { Caller, Role, ShownApproval } from './oracle.ts';
import { letDaysPass } from './time.ts';

type Move = (board: Board) => Promise<unknown>;

export const EDITORS: readonly Role[] = ['owner', 'admin', 'editor'];
export const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
export const MANAGERS: readonly Role[] = ['owner', 'admin'];
const ROLES = ['owner', 'admin', 'admin', 'editor', 'reviewer', 'reviewer', 'viewer'] as const;
const INVITED = ['admin', 'admin', 'editor', 'reviewer', 'reviewer', 'reviewer', 'viewer'] as const;

const isGranted = ({ status }: Answer): boolean => status < 400;
const callerOf = ({ seat, token, tokenId }: Hand): Caller => ({
  account: seat.id,
  ...(token && { token }),
  ...(tokenId !== undefined && { tokenId }),
});
export const handOf = (seat: Seat): Hand => ({ seat, client: seat.client });

/** Usually picks someone with the role, and sometimes anyone, to test refusals. */
function someone(board: Board, from: readonly Seat[], roles: readonly Role[]): Seat | null {
  const fitting = board.with(from, roles);
  const members = from.filter((seat) => isMember(board, seat));
  const pool = fitting.length > 0 && board.chance.in100(85) ? fitting : members.length > 0 ? members : from;
  return pool.length > 0 ? board.chance.pick(pool) : null;
}

/** One of these accounts, or a token that its human created. */
function handFor(board: Board, from: readonly Seat[], roles: readonly Role[]): Hand | null {
  const seat = someone(board, from, roles);
  if (!seat) return null;
  const tokens = board.tokens.filter((each) => each.seat.human === seat.human);
  return tokens.length > 0 && board.chance.in100(30) ? board.chance.pick(tokens) : handOf(seat);
}

// Accounts and members ---------------------------------------------------------------------------------------------

export async function invite(board: Board, by: Seat, email: string, role: Role): Promise<Invitation | null> {
  const former = board.mail.formerMail(email, isInvitation);
  const reply = await board.call(by, 'POST', `${board.organization}/invitations`, { email, role });
  if (!isGranted(reply)) return null;
  former.forget();
  const link = String(reply.body['link']);
  const invitation: Invitation = {
    email,
    role,
    by,
    token: link.slice(link.lastIndexOf('/') + 1),
    // Honest inviters may share the link in a chat.
    isShared: by.human.isHonest ? board.chance.in100(50) : true,
    day: board.day,
  };
  const replaced = board.invitations.findIndex((each) => each.email === email);
  if (replaced >= 0) board.invitations.splice(replaced, 1);
  board.invitations.push(invitation);
  board.judge({ kind: 'invited', by: by.id, email });
  return invitation;
}

/** Joins with the link that the inviter saw, or with the mailed link. */
export async function join(board: Board, who: Seat, invitation: Invitation, by: 'shown' | 'mailed'): Promise<boolean> {
  // An invitation expires after seven days. After that, its email is no longer sent.
  if (by === 'mailed' && board.day - invitation.day >= 7) return false;
  const token = by === 'shown' ? invitation.token : await mailedToken(board, who.email);
  const reply = await board.call(who, 'POST', `/api/invitations/${token}/join`);
  if (!isGranted(reply)) return false;
  board.invitations.splice(board.invitations.indexOf(invitation), 1);
  board.judge({ kind: 'joined', who: who.id, role: invitation.role, invitedBy: invitation.by.id });
  if (by === 'mailed') board.judge({ kind: 'address proved', who: who.id });
  return true;
}

const PASSWORD = 'a long enough one';

/**
 * Creates the account of an invited address with the link, as a person without an account does. Joins instead if the
 * account is proved or has been a member.
 */
export async function signUpByLink(
  board: Board,
  who: Seat,
  invitation: Invitation,
  by: 'shown' | 'mailed',
): Promise<boolean> {
  if (!board.oracle.isStranger(who.id)) return join(board, who, invitation, by);
  if (by === 'mailed' && board.day - invitation.day >= 7) return false;
  const token = by === 'shown' ? invitation.token : await mailedToken(board, who.email);
  const { server, oracle } = board;
  // The account with this address has done nothing yet. It gets a different address, so that this one can be used to
  // sign up.
  await server.sql(`update users set email = id || '@free.example' where id = $1`, [who.id]);
  const stranger = { seat: who, client: server.anyone };
  const { human, email } = who;
  const signedUp = await board.call(stranger, 'POST', `/api/invitations/${token}/accept`, {
    name: human.name,
    password: PASSWORD,
  });
  if (!isGranted(signedUp)) {
    await server.sql('update users set email = $2 where id = $1', [who.id, email]);
    return false;
  }
  const { body } = await board.call(stranger, 'POST', '/api/auth/login', { email, password: PASSWORD });
  const { token: session, user } = body as { token: string; user: { id: string } };
  board.left.push(who.pooled);
  const client = server.as(session);
  Object.assign(who, { id: user.id, client, pooled: { id: user.id, client } });
  oracle.meet(who);
  board.invitations.splice(board.invitations.indexOf(invitation), 1);
  board.judge({ kind: 'joined', who: who.id, role: invitation.role, invitedBy: invitation.by.id });
  if (by === 'mailed') board.judge({ kind: 'address proved', who: who.id });
  return true;
}

/** Sets a new password with the mailed link. Only a human who can read the mailbox can do this. */
async function resetPassword(board: Board, who: Seat): Promise<void> {
  const hasLink = ({ text }: ReceivedMail): boolean => text.includes('/reset-password?');
  board.mail.formerMail(who.email, hasLink).forget();
  const asked = await board.call(who, 'POST', '/api/auth/reset-request', { email: who.email });
  if (!isGranted(asked)) return;
  const link = new URL(linkIn(await board.mail.mailTo(who.email, hasLink), '/reset-password'));
  const token = link.searchParams.get('token');
  const reply = await board.call(who, 'POST', '/api/auth/reset', { token, password: PASSWORD });
  if (!isGranted(reply)) return;
  const { status } = await who.client.call('GET', '/api/auth/me');
  if (status !== 401) throw new Violation(`a session of ${who.email} outlived their new password`);
  board.judge({ kind: 'password reset', who: who.id });
}

async function mailedToken({ mail }: Board, address: string): Promise<string> {
  const link = linkIn(await mail.mailTo(address, isInvitation), '/invite/');
  return link.slice(link.lastIndexOf('/') + 1);
}

const isInvitation = ({ text }: ReceivedMail): boolean => text.includes('/invite/');

/** Proves the address of an account with the mailed code. Only a human who can read the mailbox can do this. */
async function proveByCode(board: Board, who: Seat): Promise<void> {
  const hasCode = (mail: ReceivedMail): boolean => addressCodeIn(mail) !== undefined;
  board.mail.formerMail(who.email, hasCode).forget();
  const asked = await board.call(who, 'POST', '/api/auth/prove-address/code');
  if (!isGranted(asked)) return;
  const letter = await board.mail.mailTo(who.email, hasCode);
  const reply = await board.call(who, 'POST', '/api/auth/prove-address', { code: addressCodeIn(letter) });
  if (isGranted(reply)) board.judge({ kind: 'address proved', who: who.id });
}

async function giveRole(board: Board, by: Seat, who: Seat, role: Role): Promise<void> {
  const reply = await board.call(by, 'PATCH', `${board.organization}/users/${who.id}`, { role });
  if (isGranted(reply)) board.judge({ kind: 'role given', by: by.id, who: who.id, role });
}

async function remove(
  board: Board,
  by: Seat,
  who: Seat,
  takesTokensOver = by !== who && board.tokens.length > 0 && board.chance.in100(50),
): Promise<void> {
  const body = takesTokensOver ? { takeOverTokens: true } : undefined;
  const reply = await board.call(by, 'DELETE', `${board.organization}/users/${who.id}`, body);
  if (isGranted(reply)) board.judge({ kind: 'member gone', who: who.id, by: by.id, takesTokensOver });
}

/** Disables an account as the administrator of the server, or enables a disabled one. */
export async function changeDisabled(board: Board, who: Seat): Promise<void> {
  const { invitations, oracle, server } = board;
  const action = oracle.isDisabled(who.id) ? 'enable' : 'disable';
  // An invitation that is revoked before it was mailed is never mailed, so nobody could wait for the email.
  for (const { by, email, day } of invitations) if (by === who && board.day - day < 7) await mailedToken(board, email);
  await administrator.changeDisabled(server, who.id, action);
  board.calls.push(`  the administrator ${action}s the account ${who.email}`);
  board.judge({ kind: action === 'disable' ? 'account disabled' : 'account enabled', who: who.id });
}

/** Disables any member's account, most often a manager's. Often enables one that is disabled. */
const disableAnyone: Move = async (board) => {
  const { chance, oracle, seats, able } = board;
  const disabled = seats.filter(({ id }) => oracle.isDisabled(id));
  const managers = board.with(able, MANAGERS);
  if (disabled.length > 0 && chance.in100(50)) await changeDisabled(board, chance.pick(disabled));
  else if (able.length > 0)
    await changeDisabled(board, chance.pick(managers.length > 0 && chance.in100(60) ? managers : able));
};

/** Someone removes the inviter of an account that isn't proved, or the inviter leaves. */
export const removeInviter: Move = async (board) => {
  const { chance, oracle, seats } = board;
  const invited = seats.filter((seat) => isMember(board, seat) && !oracle.isProved(seat.id));
  const inviters = seats.filter(
    (seat) => isMember(board, seat) && invited.some(({ id }) => oracle.inviterOf(id) === seat.id),
  );
  if (inviters.length === 0) return;
  const who = chance.pick(inviters);
  const managers = board.with(board.able, MANAGERS).filter((each) => each !== who);
  await remove(board, managers.length > 0 && chance.in100(80) ? chance.pick(managers) : who, who);
};

const isMember = ({ oracle }: Board, { id }: Seat): boolean => oracle.roleOf(id) !== null;

/** One of the attackers' accounts that isn't a member. */
const outsider = (board: Board): Seat | null => {
  const out = board.attackers.filter((seat) => !isMember(board, seat));
  return out.length > 0 ? board.chance.pick(out) : null;
};

// Drafts -------------------------------------------------------------------------------------------------------------

const anyContent = (chance: Chance): Content => ({
  title: `Title ${chance.pick(['One', 'Two', 'Three'])}`,
  hasControl: chance.in100(30),
});

/** The slug of the only group of each organization. Approval steps name it. */
export const GROUP = 'finance';

const nameOf = ({ title, hasControl }: Content): string => `${title}, ${hasControl ? 'with' : 'without'} approval step`;

const bodyOf = ({ title, hasControl }: Content) => ({
  metadata: { title, description: '' },
  steps: [
    {
      id: 'work',
      type: 'manual',
      title: 'Work',
      description: '',
      assignee: 'Unassigned',
      sla: '',
      config: {},
      next: ['end'],
    },
    {
      id: 'end',
      type: hasControl ? 'approval' : 'manual',
      title: 'End',
      description: '',
      assignee: hasControl ? `reviewer, group:${GROUP}` : 'Unassigned',
      sla: '',
      config: hasControl ? { minimumApprovers: 1 } : {},
      next: [],
    },
  ],
});

export async function makeDraft(
  board: Board,
  hand: Hand,
  content: Content = anyContent(board.chance),
  key = board.chance.in100(85) ? 'flow' : 'other',
): Promise<DraftAt | null> {
  const reply = await board.call(hand, 'POST', `/api/workflows/${key}/drafts`, bodyOf(content));
  if (!isGranted(reply)) return null;
  return began(board, hand, key, reply, content);
}

function began(board: Board, hand: Hand, key: string, { body }: Answer, content: Content): DraftAt {
  const draft = { key, id: String(body['draftId']), revision: Number(body['revision'] ?? 1) };
  board.drafts.push(draft);
  board.contents.set(draft.id, content);
  board.judge({
    kind: 'draft made',
    by: callerOf(hand),
    draft: draft.id,
    key,
    content: nameOf(content),
    hasControl: content.hasControl,
  });
  return draft;
}

const at = ({ key, id }: DraftAt): string => `/api/workflows/${key}/drafts/${id}`;

/** Usually picks an open draft. */
function anyDraft({ drafts, chance, oracle }: Board): DraftAt | null {
  const open = drafts.filter(({ id }) => oracle.isOpen(id));
  const from = open.length > 0 && chance.in100(90) ? open : drafts;
  return from.length === 0 ? null : chance.pick(from);
}

export async function save(
  board: Board,
  hand: Hand,
  draft: DraftAt,
  content = anyContent(board.chance),
): Promise<void> {
  const reply = await board.call(hand, 'PATCH', at(draft), bodyOf(content));
  if (!isGranted(reply)) return;
  draft.revision = Number(reply.body['revision']);
  board.contents.set(draft.id, content);
  board.judge({
    kind: 'draft saved',
    by: callerOf(hand),
    draft: draft.id,
    content: nameOf(content),
    hasControl: content.hasControl,
  });
}

async function rebase(board: Board, hand: Hand, draft: DraftAt): Promise<void> {
  let reply = await board.call(hand, 'POST', `${at(draft)}/rebase`);
  const conflicts = reply.body['details'] as { on: string; stepId?: string; field: string }[] | undefined;
  if (reply.body['code'] === 'merge_conflicts' && conflicts) {
    const resolutions = conflicts.map(({ on, stepId, field }) => ({
      on,
      ...(stepId !== undefined && { stepId }),
      field,
      take: board.chance.pick(['live', 'draft']),
    }));
    reply = await board.call(hand, 'POST', `${at(draft)}/rebase`, { resolutions });
  }
  if (!isGranted(reply)) return;
  const rebased = reply.body['rebased'] === true;
  const { body } = await board.call(hand.seat, 'GET', at(draft));
  const { metadata, steps, revision } = body as {
    metadata?: { title: string };
    steps?: { type: string }[];
    revision: number;
  };
  if (!metadata || !steps) return;
  const content = { title: metadata.title, hasControl: steps.some(({ type }) => type === 'approval') };
  draft.revision = revision;
  board.contents.set(draft.id, content);
  board.judge({
    kind: 'draft rebased',
    by: callerOf(hand),
    draft: draft.id,
    content: nameOf(content),
    hasControl: content.hasControl,
    rebased,
  });
}

export async function submit(board: Board, hand: Hand, draft: DraftAt): Promise<void> {
  const reply = await board.call(hand, 'POST', `${at(draft)}/submit`);
  if (isGranted(reply)) board.judge({ kind: 'submitted', draft: draft.id });
}

const matching = ({ revision }: DraftAt): Record<string, string> => ({ 'if-match': `"${revision}"` });

/** With `onBehalfOf`, the caller acts as the delegate of this account. */
type Review = { ifMatch?: boolean; onBehalfOf?: string | undefined };

export async function approve(
  board: Board,
  hand: Hand,
  draft: DraftAt,
  { ifMatch = false, onBehalfOf }: Review = {},
): Promise<boolean> {
  const body = onBehalfOf === undefined ? undefined : { onBehalfOf };
  const reply = await board.call(hand, 'POST', `${at(draft)}/approve`, body, ifMatch ? matching(draft) : undefined);
  const review = { by: callerOf(hand), onBehalfOf, draft: draft.id };
  if (isGranted(reply)) board.judge({ kind: 'approved', ...review, ifMatch });
  else if (NOT_COUNTED.includes(String(reply.body['code']))) board.judge({ kind: 'approval refused', ...review });
  if (onBehalfOf !== undefined) countDelegated(board, 'approve', reply);
  return isGranted(reply);
}

function countDelegated({ counts }: Board, name: string, reply: Answer): void {
  const count = (counts[`${name} for someone`] ??= { tried: 0, granted: 0 });
  count.tried += 1;
  if (isGranted(reply)) count.granted += 1;
}

async function withdrawApproval(board: Board, hand: Hand, draft: DraftAt, onBehalfOf?: string): Promise<void> {
  const ifMatch = board.chance.in100(50);
  const body = onBehalfOf === undefined ? undefined : { onBehalfOf };
  const headers = ifMatch ? matching(draft) : undefined;
  const reply = await board.call(hand, 'POST', `${at(draft)}/withdraw-approval`, body, headers);
  if (isGranted(reply))
    board.judge({ kind: 'approval withdrawn', by: callerOf(hand), onBehalfOf, draft: draft.id, ifMatch });
  if (onBehalfOf !== undefined) countDelegated(board, 'withdraw', reply);
}

const NOT_COUNTED = ['contributor_cannot_approve', 'reviewer_not_counted_yet'];

async function object(board: Board, hand: Hand, draft: DraftAt, onBehalfOf?: string): Promise<void> {
  const body = { comment: 'Not so', ...(onBehalfOf !== undefined && { onBehalfOf }) };
  const reply = await board.call(hand, 'POST', `${at(draft)}/request-changes`, body);
  if (isGranted(reply)) board.judge({ kind: 'objected', by: callerOf(hand), onBehalfOf, draft: draft.id });
  if (onBehalfOf !== undefined) countDelegated(board, 'request changes', reply);
}

type VersionAnswer = {
  id: string;
  version: number;
  approvals: { reviewer: { id: string }; onBehalfOf?: { id: string }; marks: string[] }[] | null;
  emergency?: unknown;
};

export async function merge(board: Board, hand: Hand, draft: DraftAt, emergency = false): Promise<boolean> {
  const body = emergency ? { emergency: { reason: 'The shop is down' } } : undefined;
  const reply = await board.call(hand, 'POST', `${at(draft)}/merge`, body);
  if (!isGranted(reply)) return false;
  const version = reply.body['version'] as VersionAnswer;
  const content = board.contents.get(draft.id);
  if (content) board.versions.push({ id: version.id, key: draft.key, version: version.version, content });
  noteLive(board, version);
  for (const name of board.oracle.requirementsOf(draft.id)) countLive(board, `approved by ${name}`);
  if (version.approvals?.some(({ onBehalfOf }) => onBehalfOf)) countLive(board, 'approved for someone');
  board.calls.push(`    live as v${version.version}, approved by ${JSON.stringify(namesIn(board, version))}`);
  board.judge({
    kind: 'merged',
    by: callerOf(hand),
    draft: draft.id,
    version: version.version,
    shown: {
      approvals: shownOf(version),
      withoutApproval: version.approvals?.length === 0,
      emergency: Boolean(version.emergency),
    },
  });
  return true;
}

function countLive({ live }: Board, name: string): void {
  live[name] = (live[name] ?? 0) + 1;
}

function noteLive(board: Board, { approvals, emergency }: VersionAnswer): void {
  const marks = new Set(approvals?.flatMap((each) => (each.marks.length > 0 ? each.marks : ['unmarked'])));
  const names = emergency ? ['emergency'] : marks.size > 0 ? [...marks] : ['without approval'];
  for (const name of [...names, ...(board.oracle.policy.strict ? ['strict'] : [])]) countLive(board, name);
}

const shownOf = ({ approvals }: VersionAnswer): ShownApproval[] =>
  (approvals ?? []).map(({ reviewer, onBehalfOf, marks }) => ({
    by: reviewer.id,
    ...(onBehalfOf && { onBehalfOf: onBehalfOf.id }),
    marks,
  }));

const emailOf = ({ seats }: Board, of: string): string | undefined => seats.find(({ id }) => id === of)?.email;

const namesIn = (board: Board, { approvals }: VersionAnswer) =>
  (approvals ?? []).map(({ reviewer, onBehalfOf, marks }) => ({
    by: emailOf(board, reviewer.id),
    ...(onBehalfOf && { onBehalfOf: emailOf(board, onBehalfOf.id) }),
    marks,
  }));

async function discard(board: Board, hand: Hand, draft: DraftAt, reason?: string): Promise<void> {
  const reply = await board.call(hand, 'DELETE', at(draft), reason === undefined ? undefined : { reason });
  if (isGranted(reply))
    board.judge({ kind: 'discarded', by: callerOf(hand), draft: draft.id, reason: reason !== undefined });
}

async function setAside(board: Board, by: Seat, draft: DraftAt, objector: Seat): Promise<void> {
  const path = `${at(draft)}/objections/${objector.id}/set-aside`;
  const reply = await board.call(by, 'POST', path, { reason: 'They are gone' });
  if (isGranted(reply)) board.judge({ kind: 'objection set aside', by: by.id, draft: draft.id, objector: objector.id });
  else if (reply.body['code'] === 'reviewer_still_here')
    board.judge({ kind: 'set aside refused', objector: objector.id });
}

async function rollBack(
  board: Board,
  hand: Hand,
  { key, version }: { key: string; version: number },
  emergency: boolean,
): Promise<void> {
  const body = { reason: 'Back', ...(emergency && { emergency: true }) };
  const reply = await board.call(hand, 'POST', `/api/workflows/${key}/versions/${version}/rollback`, body);
  if (!isGranted(reply)) return;
  // An emergency rollback that breaks no rule is an ordinary rollback.
  const shown = (reply.body['version'] as { emergency?: { ratified: unknown } | null }).emergency;
  const isEmergency = emergency && Boolean(shown) && !shown?.ratified;
  board.judge({ kind: 'rolled back', by: callerOf(hand), key, version, emergency: isEmergency });
}

async function restore(board: Board, hand: Hand, { key, version, content }: Board['versions'][number]): Promise<void> {
  const reply = await board.call(hand, 'POST', `/api/workflows/${key}/versions/${version}/restore`);
  if (isGranted(reply)) began(board, hand, key, reply, content);
}

// Policy and confirmations --------------------------------------------------------------------------------------------

type Settings = { requiredApprovals: number; strict: boolean };

export async function setPolicy(board: Board, by: Seat, wanted: Partial<Settings>): Promise<void> {
  const before = { ...board.oracle.policy };
  const reply = await board.call(by, 'PATCH', board.organization, wanted);
  if (!isGranted(reply)) return;
  const { requiredApprovals, strict } = reply.body as Settings;
  if (requiredApprovals === before.requiredApprovals && strict === before.strict) return;
  const isLowering = requiredApprovals < before.requiredApprovals || (before.strict && !strict);
  const alone = isLowering && (await saysAlone(board, 'policy.changed'));
  board.judge({ kind: 'policy set', by: by.id, policy: { requiredApprovals, strict }, alone });
}

/** True if the trail records that the last event with this action was made alone, without a second manager. */
async function saysAlone(board: Board, action: string): Promise<boolean> {
  const [reader] = board.with(board.able, MANAGERS);
  if (!reader) return false;
  const reply = await board.call(reader, 'GET', '/api/audit/events?limit=10');
  const events = reply.body as unknown as { action: string; data: object | null }[];
  return Array.isArray(events) && JSON.stringify(events.find((each) => each.action === action) ?? '').includes('alone');
}

/** Turns on or off the rule that the group has to approve drafts that lose a control. */
export async function setRoutes(board: Board, by: Seat, asksGroup: boolean): Promise<void> {
  const before = board.oracle.isGroupAsked();
  const routes = asksGroup ? [{ if: 'loss', tag: null, group: GROUP }] : [];
  const reply = await board.call(by, 'PATCH', `${board.organization}/routes`, { routes });
  if (!isGranted(reply) || before === asksGroup || (reply.body['routes'] as object[]).length !== routes.length) return;
  const alone = before && (await saysAlone(board, 'policy.changed'));
  board.judge({ kind: 'routes set', by: by.id, asksGroup, alone });
}

type GroupAnswer = { id: string; members: string[] };

export async function makeGroup(board: Board, by: Seat, members: readonly Seat[]): Promise<void> {
  const ids = members.map(({ id }) => id);
  const reply = await board.call(by, 'POST', '/api/groups', { name: 'Finance', slug: GROUP, members: ids });
  if (!isGranted(reply)) return;
  board.groupId = String(reply.body['id']);
  board.judge({ kind: 'group changed', by: by.id, added: ids, removed: [], alone: false });
}

/** Replaces, adds or removes members of the group. */
export async function changeGroup(board: Board, by: Seat, from = board.seats): Promise<void> {
  const { chance, oracle, groupId } = board;
  const before = oracle.membersOfGroup();
  const anyone = from.filter((seat) => isMember(board, seat) && chance.in100(40)).map(({ id }) => id);
  const body = chance.pick<object>([
    { members: anyone },
    { addMembers: anyone },
    { removeMembers: anyone },
    { addMembers: anyone.slice(0, 1), removeMembers: before.filter(() => chance.in100(50)) },
  ]);
  const reply = await board.call(by, 'PATCH', `/api/groups/${groupId}`, body);
  if (!isGranted(reply)) return;
  const { members } = reply.body as unknown as GroupAnswer;
  const added = members.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !members.includes(id));
  if (added.length + removed.length === 0) return;
  const alone = removed.length > 0 && (await saysAlone(board, 'group.changed'));
  board.judge({ kind: 'group changed', by: by.id, added, removed, alone });
}

async function addToGroup(board: Board, by: Seat, who: Seat): Promise<void> {
  if (board.oracle.membersOfGroup().includes(who.id)) return;
  const reply = await board.call(by, 'PATCH', `/api/groups/${board.groupId}`, { addMembers: [who.id] });
  if (isGranted(reply)) board.judge({ kind: 'group changed', by: by.id, added: [who.id], removed: [], alone: false });
}

type PeopleAnswer = { reviewers: { id: string }[]; needsReviewer: boolean };

/** Names the reviewers of a workflow, or none. */
export async function nameReviewers(board: Board, by: Seat, key = 'flow'): Promise<void> {
  const { chance, oracle } = board;
  const before = oracle.reviewersOf(key);
  const able = board.with(board.seats, REVIEWERS).filter(() => chance.in100(60));
  const wanted = chance.in100(80) ? able.map(({ id }) => id) : [];
  const reply = await board.call(by, 'PATCH', `/api/workflows/${key}/people`, { reviewers: wanted });
  if (!isGranted(reply)) return;
  const { reviewers, needsReviewer } = reply.body as unknown as PeopleAnswer;
  const named = reviewers.map(({ id }) => id);
  if (needsReviewer === (before !== null) && isSameList(named, before ?? [])) return;
  const alone = before !== null && (await saysAlone(board, 'workflow.people_changed'));
  board.judge({ kind: 'reviewers named', by: by.id, key, reviewers: named, alone });
}

const isSameList = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

// Delegations ---------------------------------------------------------------------------------------------------------

const DAY_MS = 24 * 3_600_000;

/** Delegates reviews, or something else, to someone for some days. */
export async function delegate(board: Board, hand: Hand, to: Seat, reviews = board.chance.in100(85)): Promise<void> {
  const { chance } = board;
  const kinds = reviews ? chance.pick([['reviews'], ['reviews', 'votes', 'tasks']]) : ['votes', 'tasks'];
  const keys = new Set(board.drafts.map(({ key: each }) => each));
  const key = chance.pick([null, null, null, ...keys]);
  // Time passes in steps of 3 or 8 days. No sum of them is 4, 5 or 10, so a delegation hardly ever starts or ends
  // exactly after a step.
  const [from, until] = chance.in100(85) ? [0, chance.pick([5, 10, 40])] : [4, 10];
  const now = Date.now();
  const reply = await board.call(hand, 'POST', '/api/delegations', {
    toUserId: to.id,
    from: new Date(now + from * DAY_MS).toISOString(),
    until: new Date(now + until * DAY_MS).toISOString(),
    kinds,
    ...(key !== null && { workflowKeys: [key] }),
    reason: 'On holiday',
  });
  if (!isGranted(reply)) return;
  board.judge({
    kind: 'delegated',
    by: callerOf(hand),
    id: String(reply.body['id']),
    to: to.id,
    reviews,
    key,
    from: board.day + from,
    until: board.day + until,
  });
}

/** Usually picks another member. */
export function colleagueOf(board: Board, by: Seat, from: readonly Seat[]): Seat {
  const others = from.filter((seat) => seat !== by && isMember(board, seat));
  return board.chance.pick(others.length > 0 && board.chance.in100(90) ? others : board.seats);
}

async function endDelegation(board: Board, hand: Hand): Promise<void> {
  const all = board.oracle.listDelegations();
  if (all.length === 0) return;
  const own = all.filter(({ delegator }) => delegator === hand.seat.id);
  const { id } = board.chance.pick(own.length > 0 && board.chance.in100(90) ? own : all);
  const reply = await board.call(hand, 'DELETE', `/api/delegations/${id}`);
  if (isGranted(reply)) board.judge({ kind: 'delegation ended', by: callerOf(hand), id });
}

/** The accounts with a delegation to this one that nobody has ended, and rarely another account. */
function delegatorsOf({ oracle, seats, chance }: Board, { id }: Seat): string[] {
  const ids = oracle.listDelegations().filter((each) => each.delegate === id);
  const others = chance.in100(10) ? [chance.pick(seats).id] : [];
  return [...new Set([...ids.map(({ delegator }) => delegator), ...others])];
}

/** A delegate approves a draft for someone, requests changes to it, or withdraws such an approval. */
async function reviewForSomeone(board: Board, from: readonly Seat[]): Promise<void> {
  const { chance, oracle } = board;
  const delegates = from.filter(({ id }) => oracle.listDelegations().some((each) => each.delegate === id));
  const draft = anyDraft(board);
  if (delegates.length === 0 || !draft) return;
  const seat = chance.pick(delegates);
  const onBehalfOf = chance.pick(delegatorsOf(board, seat));
  const tokens = board.tokens.filter((each) => each.seat.human === seat.human);
  const hand = tokens.length > 0 && chance.in100(20) ? chance.pick(tokens) : handOf(seat);
  const action = chance.below(100);
  if (action < 65) await approve(board, hand, draft, { ifMatch: chance.in100(50), onBehalfOf });
  else if (action < 80) await object(board, hand, draft, onBehalfOf);
  else await withdrawApproval(board, hand, draft, onBehalfOf);
}

const OFFICE = [{ from: 9 * 60, to: 17 * 60 }];
const weekOf = (...days: { from: number; to: number }[][]): NonNullable<Hours>['week'] =>
  Array.from({ length: 7 }, (_, weekday) => days[weekday] ?? []);
const WEEKS = [
  weekOf(OFFICE, OFFICE, OFFICE, OFFICE, OFFICE),
  weekOf(OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, OFFICE),
  weekOf([{ from: 9 * 60, to: 10 * 60 }], OFFICE, OFFICE, OFFICE, OFFICE),
  weekOf([{ from: 8 * 60, to: 18 * 60 }], OFFICE, OFFICE, OFFICE, OFFICE),
] as const;
const HOLIDAYS = ['2099-12-17', '2099-12-21', '2099-12-24', '2099-12-25'] as const;

/** Random working hours, which usually differ from the current ones, often by an additional holiday. */
function otherHours({ chance, oracle: { hours } }: Board): Hours {
  if (hours === null) return { timeZone: 'UTC', week: chance.pick(WEEKS), holidays: [] };
  if (chance.in100(10)) return null;
  if (chance.in100(10)) return { ...hours, timeZone: hours.timeZone === 'UTC' ? 'Europe/Lisbon' : 'UTC' };
  const added = chance.in100(50) ? [chance.pick(HOLIDAYS)] : chance.in100(20) ? HOLIDAYS.slice(0, 2) : [];
  const holidays = chance.in100(10) ? [] : [...new Set([...hours.holidays, ...added])].toSorted();
  return { ...hours, week: chance.in100(50) ? hours.week : chance.pick(WEEKS), holidays };
}

async function setHours(board: Board, by: Seat): Promise<void> {
  const hours = otherHours(board);
  const before = board.oracle.hours;
  const reply = await board.call(by, 'PATCH', `${board.organization}/working-hours`, { workingHours: hours });
  if (!isGranted(reply) || JSON.stringify(before) === JSON.stringify(hours)) return;
  const isLooser = loosensHours(before, hours);
  if (reply.body['pending']) {
    if (!isLooser) throw new Violation('working hours need confirmation although they make no step due later');
    return;
  }
  const alone = isLooser && (await saysAlone(board, 'policy.changed'));
  board.judge({ kind: 'working hours set', by: by.id, hours, alone });
}

async function setEscalation(board: Board, hand: Hand): Promise<void> {
  const { chance, oracle } = board;
  const { key } = anyDraft(board) ?? { key: 'flow' };
  const escalation: Escalation = {
    tell: ['owner', 'admin', board.seats[0]?.email ?? 'owner'].filter(() => chance.in100(60)),
    againAfterMinutes: chance.pick([null, 60, 120]),
  };
  const before = oracle.escalationOf(key);
  const reply = await board.call(hand, 'PATCH', `/api/workflows/${key}/escalation`, escalation);
  if (!isGranted(reply) || JSON.stringify(before) === JSON.stringify(escalation)) return;
  const isLooser = loosensEscalation(before, escalation);
  const pending = reply.body['pending'] as { proposedBy: { id: string } } | null;
  if (pending) {
    if (!isLooser)
      throw new Violation('an escalation needs confirmation although it still notifies everyone just as early');
    const proposal = proposalOf(key, escalation, pending.proposedBy.id);
    // A repeated proposal changes nothing, so the first proposer remains.
    if (!board.proposers.has(proposal)) board.proposers.set(proposal, hand.seat.id);
    return;
  }
  const alone = isLooser && (await saysAlone(board, 'escalation.changed'));
  board.judge({ kind: 'escalation set', by: callerOf(hand), key, escalation, alone });
}

const proposalOf = (key: string, { tell, againAfterMinutes }: Escalation, shownAs: string): string =>
  JSON.stringify([key, tell, againAfterMinutes, shownAs]);

type Waiting = {
  id: string;
  kind: string;
  subjectId: string;
  payload: Record<string, unknown>;
  proposedBy: { id: string };
  status: string;
  abilities: { confirm: boolean };
};

/** Confirms or refuses each pending confirmation, as `wants` decides. */
async function decideWaiting(
  board: Board,
  by: Seat,
  wants: (waiting: Waiting) => 'confirm' | 'refuse' | null,
): Promise<void> {
  const listed = await board.call(by, 'GET', '/api/confirmations');
  if (!isGranted(listed)) return;
  for (const waiting of listed.body as unknown as Waiting[]) {
    const wish = wants(waiting);
    // Sometimes tries to confirm although the list says that this person can't.
    if (wish === null || (wish === 'confirm' && !waiting.abilities.confirm && board.chance.in100(60))) continue;
    const reply = await board.call(
      by,
      'POST',
      `/api/confirmations/${waiting.id}/${wish}`,
      wish === 'refuse' ? {} : undefined,
    );
    if (isGranted(reply) && wish === 'confirm') await confirmed(board, by, waiting);
    const count = (board.counts[`confirm ${waiting.kind}`] ??= { tried: 0, granted: 0 });
    if (wish === 'confirm') count.tried += 1;
    if (wish === 'confirm' && isGranted(reply)) count.granted += 1;
  }
}

async function confirmed(board: Board, by: Seat, { kind, subjectId, payload, proposedBy }: Waiting): Promise<void> {
  if (kind === 'member')
    board.judge({ kind: 'member confirmed', who: subjectId, by: by.id, proposedBy: proposedBy.id });
  if (kind === 'policy') {
    const { requiredApprovals, strict } = payload as Partial<Settings>;
    const policy = {
      ...(requiredApprovals !== undefined && { requiredApprovals }),
      ...(strict !== undefined && { strict }),
    };
    const proposal = { by: proposedBy.id, alone: false, confirmedBy: by.id };
    const { reviewRoutes } = payload as { reviewRoutes?: object[] };
    if (reviewRoutes) board.judge({ kind: 'routes set', ...proposal, asksGroup: reviewRoutes.length > 0 });
    else board.judge({ kind: 'policy set', ...proposal, policy });
  }
  if (kind === 'group_members') await removalConfirmed(board, by, { payload, proposedBy });
  if (kind === 'reviewers') {
    const { key, reviewers } = payload as { key: string; reviewers: { id: string }[] };
    const named = reviewers.map(({ id }) => id).filter((id) => board.oracle.roleOf(id) !== null);
    const proposal = { by: proposedBy.id, alone: false, confirmedBy: by.id };
    board.judge({ kind: 'reviewers named', ...proposal, key, reviewers: named });
  }
  if (kind === 'working_hours') {
    const { workingHours } = payload as { workingHours: Hours };
    board.judge({
      kind: 'working hours set',
      by: proposedBy.id,
      hours: workingHours,
      alone: false,
      confirmedBy: by.id,
    });
  }
  if (kind === 'escalation') {
    const { key, tell, againAfterMinutes } = payload as Escalation & { key: string };
    const escalation = { tell, againAfterMinutes };
    const account = board.proposers.get(proposalOf(key, escalation, proposedBy.id)) ?? proposedBy.id;
    board.judge({ kind: 'escalation set', by: { account }, key, escalation, alone: false, confirmedBy: by.id });
  }
  if (kind === 'emergency') {
    const found = board.versions.find(({ id }) => id === subjectId);
    if (!found) return;
    const { key, version } = found;
    board.judge({ kind: 'emergency ratified', by: by.id, proposedBy: proposedBy.id, key, version });
  }
}

/** A confirmed removal may remove only the proposed people. Those who have left in the meantime are ignored. */
async function removalConfirmed(
  board: Board,
  by: Seat,
  { payload, proposedBy }: Pick<Waiting, 'payload' | 'proposedBy'>,
): Promise<void> {
  const listed = await board.call(by, 'GET', '/api/groups');
  if (!isGranted(listed)) return;
  const group = (listed.body as unknown as GroupAnswer[]).find(({ id }) => id === board.groupId);
  const removed = board.oracle.membersOfGroup().filter((id) => !group?.members.includes(id));
  const proposed = (payload as { removed: { id: string }[] }).removed.map(({ id }) => id);
  if (!removed.every((id) => proposed.includes(id))) throw new Violation('removed members who were not proposed');
  if (removed.length === 0) return;
  const proposal = { by: proposedBy.id, alone: false, confirmedBy: by.id };
  board.judge({ kind: 'group changed', ...proposal, added: [], removed });
}

export async function waitDays(board: Board, days: number): Promise<void> {
  await letDaysPass(board.server, board.orgId, days);
  board.day += days;
  board.calls.push(`  ${days} days pass`);
  board.judge({ kind: 'days passed', days });
}

// Attackers' moves ------------------------------------------------------------------------------------------------

const attack =
  (roles: readonly Role[], act: (board: Board, by: Seat) => Promise<unknown>): Move =>
  async (board) => {
    const by = someone(board, board.attackers, roles);
    if (by) await act(board, by);
  };
const attackDraft =
  (roles: readonly Role[], act: (board: Board, by: Hand, draft: DraftAt) => Promise<unknown>): Move =>
  async (board) => {
    const [by, draft] = [handFor(board, board.attackers, roles), anyDraft(board)];
    if (by && draft) await act(board, by, draft);
  };

const inviteOneself = attack(MANAGERS, async (board, by) => {
  const who = outsider(board);
  if (who) await invite(board, by, who.email, board.chance.pick(INVITED));
});

/** An honest manager invites an account of the attackers. */
const beInvited: Move = async (board) => {
  const [managers, who] = [board.with(board.honest, MANAGERS), outsider(board)];
  if (managers.length > 0 && who)
    await invite(board, board.chance.pick(managers), who.email, board.chance.pick(INVITED));
};

const joinAsOneself: Move = async (board) => {
  const open = board.invitations.filter(({ email }) => board.attackers.some((seat) => seat.email === email));
  if (open.length === 0) return;
  const invitation = board.chance.pick(open);
  const who = board.attackers.find(({ email }) => email === invitation.email);
  if (!who) return;
  const readsMail = mailboxOf(who) !== null;
  const enter = board.chance.in100(8) ? signUpByLink : join;
  if (readsMail && (!invitation.isShared || board.chance.in100(50))) await enter(board, who, invitation, 'mailed');
  else if (invitation.isShared) await enter(board, who, invitation, 'shown');
};

const proveOneself: Move = async (board) => {
  const able = board.attackers.filter((seat) => mailboxOf(seat) !== null && !board.oracle.isProved(seat.id));
  if (able.length > 0) await proveByCode(board, board.chance.pick(able));
};

async function makeToken(board: Board, by: Seat, of: 'personal' | 'organization'): Promise<void> {
  const canMerge = of === 'personal' || board.chance.in100(60);
  const scopes = ['workflow.read', 'draft.edit', ...(canMerge ? ['draft.merge'] : [])];
  const [path, body] =
    of === 'personal'
      ? ['/api/tokens', { name: 'CI', scopes: [...scopes, 'draft.review'], expiresInDays: 90 }]
      : [
          `${board.organization}/tokens`,
          { name: 'Robot', role: canMerge ? 'admin' : 'editor', scopes, expiresInDays: null },
        ];
  const reply = await board.call(by, 'POST', path, body);
  if (!isGranted(reply)) return;
  const client = board.server.as(String(reply.body['secret']));
  const tokenId = (reply.body['token'] as { id: string }).id;
  board.tokens.push({ seat: by, client, token: of, tokenId });
  board.judge({ kind: 'token made', by: by.id, id: tokenId, of });
}

/**
 * An attacker creates a token of the organization. An honest manager removes them, takes over their tokens, and usually
 * invites them again.
 */
const handOverTokens: Move = async (board) => {
  const makers = board.with(board.attackers, MANAGERS);
  const managers = board.with(board.honest, MANAGERS);
  if (makers.length === 0 || managers.length === 0) return;
  const [maker, by] = [board.chance.pick(makers), board.chance.pick(managers)];
  await makeToken(board, maker, 'organization');
  await remove(board, by, maker, true);
  if (isMember(board, maker) || board.chance.in100(20)) return;
  const invitation = await invite(board, by, maker.email, board.chance.pick(INVITED));
  if (invitation) await join(board, maker, invitation, mailboxOf(maker) === null ? 'shown' : 'mailed');
};

/** Attackers who manage the organization look up the links of invitations. Sometimes they send an invitation again. */
const readLinks = attack(MANAGERS, async (board, by) => {
  const listed = await board.call(by, 'GET', `${board.organization}/invitations`);
  if (!isGranted(listed)) return;
  for (const { id, email, link } of listed.body as unknown as { id: string; email: string; link: string | null }[]) {
    const invitation = board.invitations.find((each) => each.email === email);
    if (!invitation) continue;
    if (board.chance.in100(30)) {
      const again = await board.call(by, 'POST', `${board.organization}/invitations/${id}/resend`);
      if (isGranted(again)) {
        const [token] = String(again.body['link']).split('/').slice(-1);
        Object.assign(invitation, { by, token, isShared: true, day: board.day });
        board.judge({ kind: 'invited', by: by.id, email });
      }
    } else if (link !== null) {
      const [token] = link.split('/').slice(-1);
      Object.assign(invitation, { token, isShared: true });
    }
  }
});

/** Returns a move of an attacker with a version, usually one that is no longer live. */
const anyVersion =
  (
    roles: readonly Role[],
    act: (board: Board, by: Hand, version: Board['versions'][number]) => Promise<unknown>,
  ): Move =>
  async (board) => {
    const by = handFor(board, board.attackers, roles);
    const former = board.versions.filter(({ key, version }) => !board.oracle.isLive(key, version));
    const from = former.length > 0 && board.chance.in100(90) ? former : board.versions;
    if (by && from.length > 0) await act(board, by, board.chance.pick(from));
  };

/**
 * An honest reviewer may delegate, usually to the attacker, and the attacker may change the members of the group that
 * has to approve.
 */
async function prepareApproval(board: Board): Promise<void> {
  const { chance, honest, attackers } = board;
  const reviewers = board.with(honest, REVIEWERS);
  if (reviewers.length > 0 && chance.in100(60)) {
    const by = chance.pick(reviewers);
    await delegate(board, handOf(by), colleagueOf(board, by, attackers), true);
  }
  const managers = board.with(attackers, MANAGERS);
  if (managers.length > 0 && board.oracle.isGroupAsked() && chance.in100(35))
    await changeGroup(board, chance.pick(managers), attackers);
}

/** Options of `goLive` for a draft that certain people have to approve. */
type Asked = {
  /** True if the draft loses the control; the group may then have to approve it. */
  losesControl: boolean;
  /** Adds approvers after the draft was submitted, when it is too late for them to count. */
  addLate?: () => Promise<void>;
};

/**
 * Tries to make a draft live that one of `writers` has written. The attacker's accounts and some honest members try to
 * approve and merge it. With `asked`, the draft is new, an honest person whose approval is required often approves it,
 * and delegates often give no approval of their own.
 */
export async function goLive(board: Board, writers = board.attackers, asked?: Asked): Promise<void> {
  const { chance, honest, attackers } = board;
  const writer = handFor(board, writers, EDITORS);
  if (!writer || !isMember(board, writer.seat)) return;
  const own = board.drafts.at(-1);
  let draft: DraftAt | null;
  if (asked) {
    const content = { ...anyContent(chance), hasControl: !asked.losesControl };
    draft = await makeDraft(board, writer, content, 'flow');
  } else if (own && chance.in100(40)) {
    draft = own;
    await save(board, writer, draft);
  } else draft = await makeDraft(board, writer);
  if (!draft) return;
  await submit(board, writer, draft);
  if (!asked) await prepareApproval(board);
  else await asked.addLate?.();
  // Sometimes an honest person approves it too.
  const reviewers = asked ? honestApprovers(board) : board.with(honest, REVIEWERS);
  if (reviewers.length > 0 && chance.in100(asked ? 70 : 25))
    await approve(board, handOf(chance.pick(reviewers)), draft);
  const delegates = honest.filter((seat) => isMember(board, seat) && chance.in100(25));
  const members = [...attackers.filter((seat) => isMember(board, seat)), ...delegates];
  for (const seat of members) {
    const delegators = delegatorsOf(board, seat).filter(() => chance.in100(70));
    for (const onBehalfOf of delegators) await approve(board, handOf(seat), draft, { onBehalfOf });
    // A person's own approval replaces one that they gave for someone, and vice versa.
    if (chance.in100(asked && delegators.length > 0 ? 50 : 80)) await approve(board, handOf(seat), draft);
  }
  for (const seat of members) if (await merge(board, handOf(seat), draft)) return;
}

/** The honest reviewers in the group or named for the workflow or, if there are none, all honest reviewers. */
function honestApprovers(board: Board): Seat[] {
  const { oracle } = board;
  const asked = [...oracle.membersOfGroup(), ...(oracle.reviewersOf('flow') ?? [])];
  const reviewers = board.with(board.honest, REVIEWERS);
  const named = reviewers.filter(({ id }) => asked.includes(id));
  return named.length > 0 ? named : reviewers;
}

/**
 * Makes a draft that certain people have to approve, and tries to make it live. An attacker joins the group before an
 * honest person's draft loses the control, or chooses the approvers of their own draft, sometimes too late. Or honest
 * reviewers delegate, usually to attackers; in half of these cases, one of the attackers is in the group.
 */
export async function goLiveAsAsked(board: Board): Promise<void> {
  const { chance, honest, attackers, oracle } = board;
  const managers = board.with(attackers, MANAGERS);
  const plot = managers.length > 0 ? chance.pick(['join', 'choose', 'delegate'] as const) : 'delegate';
  if (plot === 'delegate') {
    const proved = attackers.filter(({ id }) => oracle.isProved(id) && oracle.roleOf(id) !== null);
    // A delegate in the group can't meet the group's requirement on behalf of someone outside the group.
    const [helper] = board.with(honest, MANAGERS);
    const isInGroup = helper !== undefined && proved.length > 0 && chance.in100(50);
    if (isInGroup) await addToGroup(board, helper, chance.pick(proved));
    for (const by of board.with(honest, REVIEWERS))
      if (chance.in100(60)) await delegate(board, handOf(by), colleagueOf(board, by, proved), true);
    return goLive(board, chance.in100(isInGroup ? 20 : 50) ? attackers : honest, { losesControl: isInGroup });
  }
  const by = chance.pick(managers);
  if (plot === 'join') {
    await addToGroup(board, by, chance.in100(75) ? by : chance.pick(attackers));
    return goLive(board, honest, { losesControl: true });
  }
  const isGroup = chance.in100(40);
  const choose = (): Promise<void> => (isGroup ? addToGroup(board, by, chance.pick(honest)) : nameReviewers(board, by));
  const isLate = chance.in100(30);
  if (!isLate) await choose();
  return goLive(board, attackers, { losesControl: isGroup, ...(isLate && { addLate: choose }) });
}

// Honest people's moves -------------------------------------------------------------------------------------------

const honestly =
  (roles: readonly Role[], act: (board: Board, by: Seat) => Promise<unknown>): Move =>
  async (board) => {
    const able = board.with(board.honest, roles);
    if (able.length > 0) await act(board, board.chance.pick(able));
  };

const review = honestly(REVIEWERS, async (board, by) => {
  const draft = anyDraft(board);
  if (!draft) return;
  if (board.chance.in100(50)) await approve(board, handOf(by), draft);
  else await object(board, handOf(by), draft);
});

/** An honest manager confirms the accounts that they know, most emergencies, and a few of the other changes. */
const confirmKnown = honestly(MANAGERS, (board, by) =>
  decideWaiting(board, by, ({ kind, subjectId }) => {
    if (kind === 'emergency') return board.chance.in100(60) ? 'confirm' : null;
    if (kind !== 'member') return board.chance.in100(15) ? 'confirm' : board.chance.in100(40) ? 'refuse' : null;
    const subject = board.seats.find(({ id }) => id === subjectId);
    if (subject?.isFace) return 'confirm';
    return board.chance.in100(30) ? 'refuse' : null;
  }),
);

const MOVES: readonly { name: string; weight: number; move: Move }[] = [
  { name: 'invite oneself', weight: 14, move: inviteOneself },
  { name: 'be invited', weight: 6, move: beInvited },
  { name: 'join', weight: 20, move: joinAsOneself },
  { name: 'prove', weight: 3, move: proveOneself },
  { name: 'go live', weight: 14, move: (board) => goLive(board) },
  { name: 'honest go live', weight: 8, move: (board) => goLive(board, board.honest) },
  {
    name: 'create',
    weight: 5,
    move: async (board) => {
      const by = handFor(board, board.attackers, EDITORS);
      if (by) await makeDraft(board, by);
    },
  },
  { name: 'save', weight: 5, move: attackDraft(EDITORS, (board, by, draft) => save(board, by, draft)) },
  { name: 'submit', weight: 2, move: attackDraft(EDITORS, submit) },
  {
    name: 'approve',
    weight: 9,
    move: attackDraft(REVIEWERS, (board, by, draft) => approve(board, by, draft, { ifMatch: board.chance.in100(50) })),
  },
  {
    name: 'withdraw approval',
    weight: 4,
    move: attackDraft(REVIEWERS, (board, by, draft) => withdrawApproval(board, by, draft)),
  },
  { name: 'merge', weight: 9, move: attackDraft(REVIEWERS, (board, by, draft) => merge(board, by, draft)) },
  { name: 'rebase', weight: 5, move: attackDraft(EDITORS, rebase) },
  { name: 'request changes', weight: 1, move: attackDraft(REVIEWERS, (board, by, draft) => object(board, by, draft)) },
  {
    name: 'discard',
    weight: 2,
    move: attackDraft(EDITORS, (board, by, draft) =>
      discard(board, by, draft, board.chance.in100(50) ? 'Not needed' : undefined),
    ),
  },
  {
    name: 'set aside',
    weight: 2,
    move: attackDraft(MANAGERS, (board, { seat }, draft) =>
      setAside(board, seat, draft, board.chance.pick(board.seats)),
    ),
  },
  {
    name: 'emergency',
    weight: 3,
    move: attackDraft(['owner'], (board, { seat }, draft) => merge(board, handOf(seat), draft, true)),
  },
  {
    name: 'roll back',
    weight: 4,
    move: anyVersion(REVIEWERS, (board, by, version) => rollBack(board, by, version, false)),
  },
  {
    name: 'emergency rollback',
    weight: 3,
    move: anyVersion(['owner'], (board, by, version) => rollBack(board, by, version, true)),
  },
  { name: 'restore', weight: 3, move: anyVersion(EDITORS, restore) },
  { name: 'change group', weight: 6, move: attack(MANAGERS, (board, by) => changeGroup(board, by)) },
  {
    name: 'routes',
    weight: 3,
    move: attack(MANAGERS, (board, by) => setRoutes(board, by, board.chance.in100(60))),
  },
  { name: 'name reviewers', weight: 5, move: attack(MANAGERS, (board, by) => nameReviewers(board, by)) },
  {
    name: 'delegate',
    weight: 6,
    move: async (board) => {
      const by = handFor(board, board.attackers, REVIEWERS);
      if (by) await delegate(board, by, colleagueOf(board, by.seat, board.seats));
    },
  },
  {
    name: 'be a delegate',
    weight: 10,
    move: honestly(REVIEWERS, (board, by) => delegate(board, handOf(by), colleagueOf(board, by, board.attackers))),
  },
  { name: 'review for someone', weight: 12, move: (board) => reviewForSomeone(board, board.attackers) },
  {
    name: 'end delegation',
    weight: 3,
    move: async (board) => {
      const delegators = board.seats.filter(({ id }) =>
        board.oracle.listDelegations().some(({ delegator }) => delegator === id),
      );
      if (delegators.length > 0) await endDelegation(board, handOf(board.chance.pick(delegators)));
    },
  },
  { name: 'working hours', weight: 5, move: attack(MANAGERS, setHours) },
  {
    name: 'escalation',
    weight: 6,
    move: async (board) => {
      const by = handFor(board, board.attackers, REVIEWERS);
      if (by) await setEscalation(board, by);
    },
  },
  {
    name: 'reset password',
    weight: 1,
    move: async (board) => {
      // Nothing is mailed to a disabled account.
      const able = board.attackers.filter((seat) => mailboxOf(seat) !== null && !board.oracle.isDisabled(seat.id));
      if (able.length > 0) await resetPassword(board, board.chance.pick(able));
    },
  },
  {
    name: 'token',
    weight: 3,
    move: attack(MANAGERS, (board, by) => makeToken(board, by, board.chance.pick(['personal', 'organization']))),
  },
  { name: 'hand over tokens', weight: 4, move: handOverTokens },
  { name: 'read links', weight: 4, move: readLinks },
  {
    name: 'change role',
    weight: 5,
    move: attack(MANAGERS, (board, by) =>
      giveRole(board, by, board.chance.pick(board.seats), board.chance.pick(ROLES)),
    ),
  },
  {
    name: 'remove',
    weight: 2,
    move: attack(MANAGERS, (board, by) => remove(board, by, board.chance.pick(board.seats))),
  },
  {
    name: 'policy',
    weight: 3,
    move: attack(MANAGERS, (board, by) => setPolicy(board, by, { requiredApprovals: board.chance.pick([0, 1, 2]) })),
  },
  {
    name: 'strict',
    weight: 2,
    move: attack(MANAGERS, (board, by) => setPolicy(board, by, { strict: board.chance.in100(40) })),
  },
  { name: 'confirm', weight: 7, move: attack(MANAGERS, (board, by) => decideWaiting(board, by, () => 'confirm')) },
  { name: 'disable or enable', weight: 10, move: disableAnyone },
  { name: 'remove inviter', weight: 5, move: removeInviter },
  { name: 'days pass', weight: 4, move: (board) => waitDays(board, board.chance.pick([3, 8])) },
  { name: 'honest review', weight: 8, move: review },
  { name: 'honest confirmation', weight: 6, move: confirmKnown },
  {
    name: 'honest draft',
    weight: 2,
    move: honestly(EDITORS, async (board, by) => {
      const draft = await makeDraft(board, handOf(by));
      if (draft) await submit(board, handOf(by), draft);
    }),
  },
  {
    name: 'honest merge',
    weight: 3,
    move: honestly(REVIEWERS, async (board, by) => {
      const draft = anyDraft(board);
      if (draft) await merge(board, handOf(by), draft);
    }),
  },
  { name: 'honest group', weight: 4, move: honestly(MANAGERS, (board, by) => changeGroup(board, by)) },
  { name: 'honest routes', weight: 2, move: honestly(MANAGERS, (board, by) => setRoutes(board, by, true)) },
  { name: 'honest reviewers', weight: 4, move: honestly(MANAGERS, (board, by) => nameReviewers(board, by)) },
  {
    name: 'honest delegation',
    weight: 3,
    move: honestly(REVIEWERS, (board, by) => delegate(board, handOf(by), colleagueOf(board, by, board.honest))),
  },
  { name: 'honest review for someone', weight: 5, move: (board) => reviewForSomeone(board, board.honest) },
  { name: 'honest working hours', weight: 2, move: honestly(MANAGERS, setHours) },
  { name: 'honest escalation', weight: 2, move: honestly(REVIEWERS, (board, by) => setEscalation(board, handOf(by))) },
  {
    name: 'honest emergency',
    weight: 1,
    move: honestly(['owner'], async (board, by) => {
      const draft = anyDraft(board);
      if (draft) await merge(board, handOf(by), draft, true);
    }),
  },
  {
    name: 'honest role',
    weight: 4,
    move: honestly(MANAGERS, (board, by) =>
      giveRole(board, by, board.chance.pick(board.attackers), board.chance.pick(INVITED)),
    ),
  },
  {
    name: 'honest leave',
    weight: 2,
    move: honestly(['owner', 'admin', 'editor', 'reviewer'], (board, by) => remove(board, by, by)),
  },
  {
    name: 'honest removal',
    weight: 1,
    move: honestly(MANAGERS, (board, by) => remove(board, by, board.chance.pick(board.attackers))),
  },
  {
    name: 'honest proof',
    weight: 1,
    move: honestly(['owner', 'admin', 'editor', 'reviewer', 'viewer'], async (board, by) => {
      if (!board.oracle.isProved(by.id)) await proveByCode(board, by);
    }),
  },
];
const WEIGHTS = MOVES.reduce((sum, { weight }) => sum + weight, 0);

/** Chooses a move by weight and plays it. */
export async function playMove(board: Board): Promise<void> {
  let left = board.chance.below(WEIGHTS);
  for (const { name, weight, move } of MOVES) {
    left -= weight;
    if (left >= 0) continue;
    board.move = name;
    await move(board);
    return;
  }
}
