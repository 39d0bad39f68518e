import type { Confirmation, Group, Run } from '@stet/contract';
import { type Chance, chanceOf } from '../governance/random.ts';
import { AccountPool, type PooledAccount } from '../people/accounts.ts';
import { changeDisabled } from '../people/administrator.ts';
import { Violation, reasonOf } from '../people/board.ts';
import { type Human, type Owned, deliveredTo } from '../people/humans.ts';
import type { Role } from '../people/oracle.ts';
import type { Figures, Game } from '../people/play.ts';
import { letTimePass } from '../runs.ts';
import type { Client, Reply, TestServer } from '../server.ts';
import { type Action, type Confirmed, type Held, type Proof, RunOracle, type States } from './oracle.ts';
import { GROUP, type PlayedStep, anySteps, isPerformedByServer } from './workflows.ts';

type RunGame = Game & {
  /** False for a play with proved accounts only. */
  unproved?: boolean;
  /**
   * Replaces a step before it is sent to the server, so that a test can plant a fault. The oracle sees the original.
   */
  transformStep?: (step: PlayedStep) => PlayedStep;
};
type Player = Owned & { client: Client; pooled: PooledAccount };
type Acted = Reply<{ code?: string; run?: Run }>;
type GameState = {
  server: TestServer;
  players: Player[];
  behind: ReadonlyMap<string, string>;
  orgId: string;
  groupId: string;
  oracle: RunOracle;
  steps: PlayedStep[];
  chance: Chance;
  runId: string;
  states: States;
  run: Run;
  calls: string[];
  totals: Figures['calls'];
  counts: Figures['moves'];
};

const STEPS = 12;
const DAY = 24 * 3_600_000;
const ACTIONS: readonly Action[] = ['complete', 'approve', 'reject', 'skip', 'retry'];

/**
 * Plays random runs by people with several accounts. The oracle checks the granted calls. At the end of a sequence,
 * everyone tries to complete the run.
 */
export async function playRuns(
  server: TestServer,
  {
    seed,
    sequences,
    from = 0,
    atOnce = 3,
    maxFailures = 5,
    onSequence,
    onBroken = () => undefined,
    unproved = true,
    transformStep = (step) => step,
  }: RunGame,
): Promise<Figures> {
  const figures: Figures = { sequences: 0, calls: { tried: 0, granted: 0 }, moves: {}, live: 0, marks: {}, broken: [] };
  const pool = new AccountPool(server);
  let next = from;
  const playOn = async (): Promise<void> => {
    while (next < from + sequences && figures.broken.length < maxFailures) {
      const n = next;
      next += 1;
      await playSequence({ server, pool, figures, onBroken, unproved, transformStep }, seed, n);
      figures.sequences += 1;
      onSequence?.(figures);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, playOn));
  return figures;
}

type Setup = {
  server: TestServer;
  pool: AccountPool;
  figures: Figures;
  onBroken: (broken: string) => void;
  unproved: boolean;
  transformStep: (step: PlayedStep) => PlayedStep;
};

async function playSequence(
  { server, pool, figures, onBroken, unproved, transformStep }: Setup,
  seed: number,
  n: number,
): Promise<void> {
  const chance = chanceOf(seed * 1_000_003 + n);
  const rerunFlags = `--only runs --seed ${seed} --from ${n} --sequences 1`;
  const note = (error: unknown, ...details: string[]): void => {
    const problem = `sequence ${n} of seed ${seed} (${rerunFlags}): ${reasonOf(error)}`;
    const broken = [problem, ...details].join('\n');
    figures.broken.push(broken);
    onBroken(broken);
  };
  const game = await createGame({ server, pool, unproved, transformStep }, chance, `${seed}-${n}`).catch(note);
  if (!game) return;
  try {
    for (const player of game.players) if (chance.in100(35)) await changeDelegations(game, player);
    for (let at = 0; at < STEPS && isOpen(game.run); at += 1) await playMove(game);
    await finish(game);
    if (game.run.status === 'completed') figures.live += 1;
  } catch (error) {
    // If one sequence can't be finished, the results of all others must still be shown.
    const people = game.players.map(({ email, human, id }) => {
      const inviter = game.players.find((each) => each.id === game.behind.get(id));
      const by = game.oracle
        .confirmationsOf(id)
        .map((each) => `, confirmed as ${each.as} by ${game.players.find((one) => one.id === each.by)?.email}`);
      return `  ${email}: ${human.name}, ${game.oracle.roleOf(id) ?? 'gone'}${inviter ? `, not proved, invited by ${inviter.email}` : ''}${by.join('')}`;
    });
    const steps = game.steps.map((step) => `  ${JSON.stringify(step)}`);
    note(error, ...people, ...steps, ...game.calls);
  }
  figures.calls.tried += game.totals.tried;
  figures.calls.granted += game.totals.granted;
  for (const [name, { tried, granted }] of Object.entries(game.counts)) {
    const sum = (figures.moves[name] ??= { tried: 0, granted: 0 });
    sum.tried += tried;
    sum.granted += granted;
  }
  await pool.release(game.players.map(({ pooled }) => pooled));
}

const isOpen = ({ status }: Run): boolean => status === 'running' || status === 'paused' || status === 'failed';

// A team and a run ----------------------------------------------------------------------------------------------------

const ROLES: readonly Role[] = [
  'owner',
  'admin',
  'admin',
  'editor',
  'editor',
  'reviewer',
  'reviewer',
  'reviewer',
  'viewer',
];

async function createGame(
  { server, pool, unproved, transformStep }: Omit<Setup, 'figures' | 'onBroken'>,
  chance: Chance,
  tag: string,
): Promise<GameState> {
  const players: Player[] = [];
  // Without a mail server, only people who were proved earlier have a known mailbox.
  const hasMail = !unproved || chance.in100(65);
  const isStrict = chance.in100(15);
  const proofs = new Map<string, Proof>();
  const addPlayer = async (human: Human, email: string, isProved: boolean): Promise<Player> => {
    const [pooled] = await pool.take([{ email, name: human.name, provedBy: isProved ? 'earlier' : null }]);
    if (!pooled) throw new Error('the pool returned no account');
    const player = { ...pooled, email, human, pooled };
    players.push(player);
    if (!isProved) proofs.set(player.id, null);
    return player;
  };
  const hana: Human = { name: 'Hana', mailboxes: [`hana-${tag}@honest.example`], isHonest: true };
  const founder = await addPlayer(hana, hana.mailboxes[0] ?? '', hasMail);
  if (!hasMail) proofs.set(founder.id, 'founder');
  const pair = chance.in100(40) ? ['Mallory', 'Mike'] : ['Mallory'];
  for (const name of pair) {
    const box = `${name.toLowerCase()}-${tag}`;
    const mailboxes = chance.in100(75) ? [`${box}@one.example`] : [`${box}@one.example`, `${box}@two.example`];
    const human: Human = { name, mailboxes, isHonest: false };
    await addPlayer(human, mailboxes[0] ?? '', true);
    const second =
      mailboxes[1] ??
      chance.pick([`${box}+2@one.example`, unproved ? `${box}@nowhere.example` : `${box}+3@one.example`]);
    if (name === 'Mallory' || chance.in100(50)) await addPlayer(human, second, mailboxes.length > 1 || !unproved);
  }
  for (const name of ['Rita', 'Ed'].slice(0, chance.below(3))) {
    const mailbox = `${name.toLowerCase()}-${tag}@honest.example`;
    await addPlayer({ name, mailboxes: [mailbox], isHonest: true }, mailbox, hasMail);
  }

  const founded = await founder.client.post<{ currentOrgId: string }>('/api/organizations', {
    name: 'Team',
    slug: `r-${tag}`,
  });
  const orgId = founded.currentOrgId;
  const steps = anySteps(
    chance,
    players.map(({ email }) => email),
  );
  // An unproved account was invited by another account of its human, or by the honest founder.
  const invitedBy = new Map(players.slice(1).map((player) => [player.id, inviterOf(player, players, chance)]));
  const behind = new Map([...invitedBy].filter(([id]) => proofs.has(id)));
  const oracle = new RunOracle(steps, players, behind, proofs);
  oracle.isStrict = isStrict;
  oracle.setRole(founder.id, 'owner');
  // Without a mail server, only someone else who manages the team can confirm people.
  for (const player of players.slice(1)) {
    const isManager = !hasMail && oracle.hasProvedAddress(player.id) && chance.in100(60);
    oracle.setRole(player.id, isManager ? 'admin' : chance.pick(ROLES));
  }
  await server.sql(
    `insert into memberships (org_id, user_id, role, invited_by, given_by, link_was_private)
     select $1, m.id, m.role, m.by, m.by, true from unnest($2::uuid[], $3::text[], $4::uuid[]) as m (id, role, by)`,
    [
      orgId,
      players.slice(1).map(({ id }) => id),
      players.slice(1).map(({ id }) => oracle.roleOf(id)),
      players.slice(1).map(({ id }) => invitedBy.get(id)),
    ],
  );
  await server.sql('update users set current_org_id = $1 where id = any($2)', [orgId, players.map(({ id }) => id)]);
  // In a team that has existed for long enough, managers can confirm each other's proposals.
  const isOld = chance.in100(50);
  if (isOld) await server.sql(`update role_history set since = since - interval '30 days' where org_id = $1`, [orgId]);
  for (const player of players) {
    // A role that came from an account for which only its holder vouches would count as taken by their own hand.
    if (!proofs.has(player.id) || (player === founder && !isOld) || chance.in100(30)) continue;
    await confirmPlayer({ server, orgId, oracle, players, chance }, player, invitedBy.get(player.id) ?? null);
  }
  await server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
  const first = players.filter(() => chance.in100(40)).map(({ id }) => id);
  const group = await founder.client.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members: first });
  oracle.setGroup(first, founder.id);
  const adder = chance.pick(
    players.filter(({ id }) => ['owner', 'admin'].includes(oracle.roleOf(id) ?? '') && oracle.isProved(id)),
  );
  const more = players.map(({ id }) => id).filter((id) => !first.includes(id) && chance.in100(40));
  await adder.client.patch(`/api/groups/${group.id}`, { addMembers: more });
  oracle.setGroup([...first, ...more], adder.id);
  if (chance.in100(30)) {
    await founder.client.patch(`/api/organizations/${orgId}`, { editorsMayHelp: false });
    oracle.editorsMayHelp = false;
  }
  const body = { metadata: { title: 'Flow' }, steps: steps.map(transformStep) };
  const { draftId } = await founder.client.post<{ draftId: string }>('/api/workflows/flow/drafts', body);
  await founder.client.post(`/api/workflows/flow/drafts/${draftId}/merge`);
  if (isStrict) await server.sql('update organizations set strict = true where id = $1', [orgId]);
  const starter = players.find(({ id }) => oracle.roleOf(id) === 'editor') ?? founder;
  const run = await starter.client.post<Run>('/api/runs', { key: 'flow', name: 'A run' });
  oracle.starter = starter.id;
  oracle.follow(statesOf(run));
  return {
    server,
    players,
    behind,
    orgId,
    groupId: group.id,
    oracle,
    steps,
    chance,
    runId: run.id,
    run,
    states: statesOf(run),
    calls: [],
    totals: { tried: 0, granted: 0 },
    counts: {},
  };
}

function inviterOf(player: Player, players: readonly Player[], chance: Chance): string {
  const own = players.find((each) => each.human === player.human);
  const founder = players[0] as Player;
  return own !== undefined && own !== player && chance.in100(60) ? own.id : founder.id;
}

/**
 * One or two managers with proved addresses confirm an account that someone else invited. Nobody mistakes the second
 * account of someone else for a new person.
 */
async function confirmPlayer(
  { server, orgId, oracle, players, chance }: Pick<GameState, 'server' | 'orgId' | 'oracle' | 'players' | 'chance'>,
  who: Player,
  inviter: string | null,
): Promise<void> {
  const isSecondAccount = players.find(({ human }) => human === who.human) !== who;
  const managers = players.filter(
    (each) =>
      ['owner', 'admin'].includes(oracle.roleOf(each.id) ?? '') &&
      oracle.hasProvedAddress(each.id) &&
      each.id !== inviter &&
      deliveredTo(each.email) !== deliveredTo(who.email) &&
      (!isSecondAccount || each.human === who.human),
  );
  if (managers.length === 0) return;
  const by = [chance.pick(managers), ...(chance.in100(30) ? [chance.pick(managers)] : [])];
  const confirmed = by.map(({ id }): Confirmed => {
    return { by: id, as: chance.in100(70) ? 'admin' : (oracle.roleOf(who.id) ?? 'viewer') };
  });
  for (const { by: id, as } of confirmed)
    await server.sql(
      `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, status, decided_by, decided_at)
       values ($1, gen_random_uuid(), 'member', $2, jsonb_build_object('role', $3::text), '', $4, 'confirmed', $5, now())`,
      [orgId, who.id, as, inviter ?? id, id],
    );
  oracle.confirm(who.id, confirmed);
}

const statesOf = ({ steps }: Run): States => Object.fromEntries(steps.map(({ id, state }) => [id, state]));

// Calls ---------------------------------------------------------------------------------------------------------------

/** Tries an action on a step. If the server accepts it, the oracle checks it. */
async function act(
  game: GameState,
  by: Player,
  stepId: string,
  action: Action,
  { reason, onBehalfOf }: { reason: string | null; onBehalfOf?: Player | undefined },
): Promise<boolean> {
  const { oracle, runId } = game;
  const as = onBehalfOf && { onBehalfOf: onBehalfOf.id };
  const bodies = {
    complete: { output: { text: 'Done' }, ...as },
    approve: { ...(reason !== null && { comments: reason }), ...as },
    reject: { comments: reason ?? 'Not so', ...as },
    skip: reason === null ? {} : { reason },
    retry: undefined,
  };
  const path = `/api/runs/${runId}/steps/${stepId}/${action}`;
  const reply: Acted = await by.client.call('POST', path, bodies[action]);
  const about = `${stepId}${reason === null ? '' : ', with a reason'}`;
  if (onBehalfOf) recordCall(game, by, `${action} for someone`, reply, `${about}, for ${onBehalfOf.email}`);
  else recordCall(game, by, action, reply, about);
  if (reply.status >= 400 || !reply.body.run) return false;
  const before = game.states;
  updateRun(game, reply.body.run);
  const step = game.run.steps.find(({ id }) => id === stepId);
  const broken = oracle.record({
    by: by.id,
    ...as,
    stepId,
    action,
    // `complete` and `reject` always send a text.
    reason: reason !== null || action === 'reject' || action === 'complete',
    before,
    after: game.states,
    retriedAlone: step?.rejection?.retriedAlone ?? false,
    isMarked: hasMarks(lastVote(step, action) ?? step),
    isStepMarked: hasMarks(step),
  });
  if (broken.length > 0) throw new Violation(broken.join('\n'));
  return true;
}

type Step = Run['steps'][number];
const hasMarks = (of: { marks: Step['marks'] } | undefined): boolean => (of?.marks.length ?? 0) > 0;

/** Returns the latest vote or agreement, if the run shows it separately. */
const lastVote = (step: Step | undefined, action: Action) =>
  (action === 'skip' ? step?.skip : step?.approvals)?.votes.at(-1);

function recordCall(
  { calls, totals, counts, run, states, oracle }: GameState,
  by: Player,
  name: string,
  reply: Acted,
  about: string,
): void {
  for (const count of [(counts[name] ??= { tried: 0, granted: 0 }), totals]) {
    count.tried += 1;
    if (reply.status < 400) count.granted += 1;
  }
  const now = reply.body.run ? statesOf(reply.body.run) : states;
  const shown = `${reply.body.run?.status ?? run.status} ${Object.entries(now)
    .map(([id, state]) => `${id} ${state}`)
    .join(', ')}`;
  calls.push(
    `  ${name} ${about} by ${by.email} (${oracle.roleOf(by.id) ?? 'gone'}): ${reply.status} ${reply.body.code ?? shown}`,
  );
  if (reply.status >= 500) throw new Violation(`${name} answered ${reply.status}`);
  if (reply.status < 400 && oracle.isDisabled(by.id)) throw new Violation(`${name} by a disabled account`);
}

function updateRun(game: GameState, run: Run): void {
  game.run = run;
  game.states = statesOf(run);
}

/** Reads the run until no active step is waiting for the server. */
async function read(game: GameState): Promise<void> {
  const reader = game.players.find(({ id }) => game.oracle.canAct(id));
  for (let tries = 0; tries < 1000 && reader; tries += 1) {
    updateRun(game, await reader.client.get<Run>(`/api/runs/${game.runId}`));
    game.oracle.follow(game.states);
    compareHolders(game);
    const waits = game.steps.some((step) => isPerformedByServer(step) && game.states[step.id] === 'active');
    if (!waits || game.run.status !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Checks that the product shows each manual step that waits for its work with the same holder as the oracle. */
function compareHolders({ run, steps, oracle }: GameState): void {
  for (const { id, type } of steps) {
    const shown = run.steps.find((each) => each.id === id);
    if (type !== 'manual' || shown?.state !== 'active' || shown.submittedBy) continue;
    const to = shown.handedOver.at(-1)?.to;
    const holder = shown.claimed?.by.id ?? (to?.kind === 'group' ? GROUP : to?.id);
    if (holder !== oracle.performerOf(id))
      throw new Violation(`${id} belongs to ${holder ?? 'nobody'} instead of ${oracle.performerOf(id) ?? 'nobody'}`);
  }
}

async function control(game: GameState, by: Player, action: 'pause' | 'resume'): Promise<void> {
  const reply = await by.client.call<Run & { code?: string }>('POST', `/api/runs/${game.runId}/${action}`);
  const body = reply.status < 400 ? { run: reply.body } : { code: reply.body.code ?? '' };
  recordCall(game, by, action, { ...reply, body }, 'the run');
  if (reply.status < 400) updateRun(game, reply.body);
}

// Moves ---------------------------------------------------------------------------------------------------------------

async function playMove(game: GameState): Promise<void> {
  const { chance, players, oracle } = game;
  const members = players.filter(({ id }) => oracle.roleOf(id) !== undefined);
  const by = chance.pick(members);
  const roll = chance.below(100);
  if (roll < 3) return control(game, by, 'pause');
  if (game.run.status === 'paused' || roll < 5) return control(game, by, 'resume');
  if (roll < 12) return changeRole(game, by);
  if (roll < 16) return makeOverdue(game);
  if (roll < 25) return changeGroup(game, by);
  if (roll < 43) return passStepOn(game, by);
  if (roll < 52) return changeDelegations(game, by);
  if (roll < 58) return disableOrEnable(game);
  if (roll < 62) return removeInviter(game);
  await read(game);
  const open = game.steps.filter(({ id }) => game.states[id] === 'active' || game.states[id] === 'failed');
  const step = open.length > 0 && chance.in100(90) ? chance.pick(open) : chance.pick(game.steps);
  const fitting: Action =
    game.states[step.id] === 'failed'
      ? 'retry'
      : step.type === 'approval' || game.run.steps.find(({ id }) => id === step.id)?.submittedBy
        ? chance.pick(['approve', 'approve', 'approve', 'reject', 'skip'])
        : chance.pick(['complete', 'complete', 'complete', 'skip']);
  const action = chance.in100(85) ? fitting : chance.pick(ACTIONS);
  const delegation = anyDelegation(game, step.id);
  const reason = chance.in100(70) ? 'It has to be' : null;
  if (delegation && action !== 'skip' && action !== 'retry' && chance.in100(60))
    await act(game, delegation.delegate, step.id, action, { reason, onBehalfOf: delegation.delegator });
  else await act(game, by, step.id, action, { reason });
}

type Pair = { delegate: Player; delegator: Player };

/** Picks someone who acts for another person: usually for a delegator whom the step names, and sometimes for anyone. */
function anyDelegation({ chance, players, oracle }: GameState, stepId: string): Pair | null {
  const all = oracle.listDelegations();
  const fitting = all.filter(({ from }) => oracle.isFor(from, stepId));
  const from = chance.in100(85) ? fitting : all;
  if (chance.in100(95) && from.length === 0) return null;
  const pair = from.length > 0 ? chance.pick(from) : { from: chance.pick(players).id, to: chance.pick(players).id };
  return pairOf(players, pair);
}

function pairOf(players: readonly Player[], { from, to }: { from: string; to: string }): Pair | null {
  const [delegator, delegate] = [players.find(({ id }) => id === from), players.find(({ id }) => id === to)];
  return delegator && delegate ? { delegate, delegator } : null;
}

const DAYS_AWAY = 5;

/** Someone delegates their work to anyone, or ends one of their delegations. */
async function changeDelegations(game: GameState, by: Player): Promise<void> {
  const { chance, players, oracle } = game;
  const own = oracle.listDelegations().filter(({ from }) => from === by.id);
  if (own.length > 0 && chance.in100(30)) {
    const { id } = chance.pick(own);
    const ended = await by.client.call<{ code?: string }>('DELETE', `/api/delegations/${id}`);
    recordCall(game, by, 'end delegation', { ...ended, body: { code: ended.body.code ?? 'ended' } }, '');
    if (ended.status < 400) oracle.endDelegation(id);
    return;
  }
  const others = players.filter((each) => each !== by && oracle.roleOf(each.id) !== undefined);
  const to = others.length > 0 && chance.in100(90) ? chance.pick(others) : chance.pick(players);
  await delegate(game, by, to);
}

/** Delegates work until after the end of the play. */
async function delegate(game: GameState, by: Player, to: Player): Promise<void> {
  const { chance, oracle } = game;
  const kinds = chance.pick<('tasks' | 'votes')[]>([['votes'], ['votes', 'tasks'], ['votes', 'tasks'], ['tasks']]);
  const [from, until] = [new Date(), new Date(Date.now() + DAYS_AWAY * DAY)].map((each) => each.toISOString());
  const body = { toUserId: to.id, from, until, kinds, reason: 'Away' };
  const reply = await by.client.call<{ id: string; code?: string }>('POST', '/api/delegations', body);
  recordCall(
    game,
    by,
    'delegate',
    { ...reply, body: { code: reply.body.code ?? 'created' } },
    `${kinds.join(' and ')} to ${to.email}`,
  );
  if (reply.status < 400) oracle.delegate({ id: reply.body.id, from: by.id, to: to.id, kinds });
}

/**
 * The honest founder changes someone's role or removes them, or someone else changes a role. The server refuses people
 * who aren't managers. Nobody changes the role of an account of their own mailbox, or of the one who vouches for them,
 * and unproved accounts change no roles.
 */
async function changeRole(game: GameState, someone: Player): Promise<void> {
  const { chance, players, orgId, oracle, behind } = game;
  // The oracle must know which steps are already active before the change.
  await read(game);
  const founder = players[0] as Player;
  const by = chance.in100(50) ? founder : someone;
  const who = chance.pick(players.slice(1));
  if (deliveredTo(by.email) === deliveredTo(who.email)) return;
  if ((behind.has(by.id) && !oracle.isProved(by.id)) || oracle.isVouchedBy(by.id, who.id)) return;
  const role = by !== founder || chance.in100(70) ? chance.pick(ROLES) : null;
  const path = `/api/organizations/${orgId}/users/${who.id}`;
  if (role === null) return remove(game, by, who);
  const reply: Acted = await by.client.call('PATCH', path, { role });
  recordCall(game, by, 'change role', reply, `${who.email} to ${role}`);
  if (reply.status < 400) oracle.setRole(who.id, role, by.id);
}

/** The administrator disables anyone's account, or enables a disabled one. Someone who can act always remains. */
async function disableOrEnable(game: GameState): Promise<void> {
  const { chance, players, oracle } = game;
  // The oracle must know which steps are already active before the change.
  await read(game);
  const disabled = players.filter(({ id }) => oracle.isDisabled(id));
  const able = players.filter(({ id }) => oracle.canAct(id));
  if (disabled.length > 0 && chance.in100(50)) return enable(game, chance.pick(disabled));
  if (able.length < 2) return;
  const who = chance.pick(able);
  await changeDisabled(game.server, who.id, 'disable');
  noteAdministrator(game, 'disable', who);
  oracle.disable(who.id);
}

async function enable(game: GameState, who: Player): Promise<void> {
  await changeDisabled(game.server, who.id, 'enable');
  noteAdministrator(game, 'enable', who);
  game.oracle.enable(who.id);
  // Disabling the account ended their sessions. Reopens them, which is faster than signing in.
  await game.server.sql('update sessions set ended_at = null where user_id = $1', [who.id]);
}

function noteAdministrator({ calls, counts }: GameState, action: 'disable' | 'enable', who: Player): void {
  const count = (counts[action] ??= { tried: 0, granted: 0 });
  count.tried += 1;
  count.granted += 1;
  calls.push(`  the administrator ${action}s the account ${who.email}`);
}

/** A manager removes the inviter of an account that isn't proved. */
async function removeInviter(game: GameState): Promise<void> {
  const { chance, players, behind, oracle, counts } = game;
  // The oracle must know which steps are already active before the change.
  await read(game);
  const invited = [...behind].filter(([id]) => oracle.roleOf(id) !== undefined);
  const inviters = players.filter(({ id }) => oracle.roleOf(id) && invited.some(([, inviter]) => inviter === id));
  if (inviters.length === 0) return;
  const who = chance.pick(inviters);
  const managers = players.filter(
    (each) => each !== who && oracle.canAct(each.id) && ['owner', 'admin'].includes(oracle.roleOf(each.id) ?? ''),
  );
  if (managers.length === 0) return;
  await remove(game, chance.pick(managers), who);
  const count = (counts['remove inviter'] ??= { tried: 0, granted: 0 });
  count.tried += 1;
  if (oracle.roleOf(who.id) === undefined) count.granted += 1;
}

/** Removes a member, and often hands the steps that they have over to someone in the same request. */
async function remove(game: GameState, by: Player, who: Player): Promise<void> {
  const { chance, players, orgId, oracle } = game;
  const others = players.filter((each) => each !== who && each !== by).map(({ id }) => id);
  const to = chance.in100(60) ? chance.pick([GROUP, ...others]) : null;
  const body = to === null ? undefined : { handOver: { to, reason: 'They left' } };
  const reply: Acted = await by.client.call('DELETE', `/api/organizations/${orgId}/users/${who.id}`, body);
  const name = players.find(({ id }) => id === to)?.email ?? to;
  recordCall(game, by, to === null ? 'remove' : 'remove and hand over', reply, `${who.email}, steps to ${name}`);
  if (reply.status < 400) oracle.remove(who.id, to === null ? undefined : { by: by.id, to, states: game.states });
}

/**
 * Someone, not always honest, replaces the members of the group. The server refuses people who aren't managers. If
 * removals wait, someone often tries to confirm them.
 */
async function changeGroup(game: GameState, by: Player): Promise<void> {
  const { chance, players, oracle, groupId } = game;
  // The oracle must know which steps are already active before the change.
  await read(game);
  const members = players.filter(({ id }) => oracle.roleOf(id) !== undefined && chance.in100(40)).map(({ id }) => id);
  const reply = await by.client.call<Group & { code?: string }>('PATCH', `/api/groups/${groupId}`, { members });
  const body = reply.status < 400 ? {} : { code: reply.body.code ?? '' };
  recordCall(
    game,
    by,
    'change group',
    { ...reply, body },
    members.map((id) => players.find((each) => each.id === id)?.email).join(),
  );
  if (reply.status >= 400) return;
  followRemovals(game, reply.body, { proposedBy: by.id });
  const broken = oracle.setGroup(reply.body.members, by.id);
  if (broken.length > 0) throw new Violation(broken.join('\n'));
  const managers = players.filter(({ id }) => ['owner', 'admin'].includes(oracle.roleOf(id) ?? ''));
  if (reply.body.pendingRemovals.length > 0 && chance.in100(80)) await confirmRemoval(game, chance.pick(managers));
}

async function confirmRemoval(game: GameState, by: Player): Promise<void> {
  const { chance, groupId } = game;
  const listed = await by.client.call<Confirmation[]>('GET', '/api/confirmations');
  const waiting = listed.status < 400 ? listed.body.filter(({ kind }) => kind === 'group_members') : [];
  if (waiting.length === 0) return;
  const { id, proposedBy } = chance.pick(waiting);
  const reply = await by.client.call<{ code?: string }>('POST', `/api/confirmations/${id}/confirm`);
  const body = reply.status < 400 ? {} : { code: reply.body.code ?? '' };
  recordCall(game, by, 'confirm', { ...reply, body }, `a removal by ${proposedBy.email}`);
  if (reply.status >= 400) return;
  const group = (await by.client.get<Group[]>('/api/groups')).find((each) => each.id === groupId);
  if (group) followRemovals(game, group, { proposedBy: proposedBy.id, confirmedBy: by.id });
}

function followRemovals(
  { oracle, players }: GameState,
  { members }: Group,
  by: { proposedBy: string; confirmedBy?: string },
): void {
  const removed = players.map(({ id }) => id).filter((id) => oracle.isInGroup(id) && !members.includes(id));
  const broken = oracle.removeFromGroup(removed, by);
  if (broken.length > 0) throw new Violation(broken.join('\n'));
}

/**
 * Someone claims or releases an open step, or hands it over to anyone. The person who then has it often releases it.
 */
async function passStepOn(game: GameState, by: Player): Promise<void> {
  const { chance, players, oracle } = game;
  await read(game);
  const open = game.steps.filter((step) => game.states[step.id] === 'active' && !isPerformedByServer(step));
  const step = open.length > 0 ? chance.pick(open) : chance.pick(game.steps);
  const action = chance.pick(['claim', 'release', 'hand over', 'hand over'] as const);
  const isGranted = await passOn(game, by, step.id, action);
  const holder = players.find(({ id }) => id === oracle.holderOf(step.id));
  if (isGranted && action !== 'release' && holder && chance.in100(40)) await passOn(game, holder, step.id, 'release');
}

/** Returns true if the server granted the action. */
async function passOn(game: GameState, by: Player, stepId: string, action: Held['action']): Promise<boolean> {
  const { chance, players, oracle } = game;
  const to = chance.in100(20) ? GROUP : chance.pick(players).id;
  const path = `/api/runs/${game.runId}/steps/${stepId}/${action.replace(' ', '-')}`;
  const body = action === 'hand over' ? { to, reason: 'Away' } : undefined;
  const reply: Acted = await by.client.call('POST', path, body);
  const about = to === GROUP ? to : (players.find(({ id }) => id === to)?.email ?? '');
  recordCall(game, by, action, reply, action === 'hand over' ? `${stepId} to ${about}` : stepId);
  if (reply.status >= 400 || !reply.body.run) return false;
  const broken = oracle.recordHeld({ by: by.id, stepId, action, to }, game.states);
  updateRun(game, reply.body.run);
  if (broken.length > 0) throw new Violation(broken.join('\n'));
  return true;
}

/** Shifts the run's times back by two days, so that every running clock is overdue by more than 24 hours. */
async function makeOverdue(game: GameState): Promise<void> {
  // The server may have made steps active in the meantime, and their clocks run too.
  await read(game);
  if (game.run.status !== 'running') return;
  await letTimePass(game.server, game.runId, 2 * DAY);
  game.calls.push('  2 days pass');
  for (const { id, sla } of game.steps) if (sla !== '' && game.states[id] === 'active') game.oracle.nowOverdue(id);
}

// The end -------------------------------------------------------------------------------------------------------------

const ROUNDS = 14;

/** Everyone tries to complete the run. It must not be stuck while someone is certainly able to continue. */
async function finish(game: GameState): Promise<void> {
  const disabled = game.players.filter(({ id }) => game.oracle.isDisabled(id));
  if (disabled.length > 0 && game.chance.in100(40)) await enable(game, game.chance.pick(disabled));
  if (game.chance.in100(30)) await removeInviter(game);
  for (let round = 0; round < ROUNDS; round += 1) {
    await read(game);
    if (game.run.status === 'paused') {
      await controlByAnyone(game);
      // Steps that the server executes continue after the run is resumed.
      await read(game);
    }
    if (!isOpen(game.run)) return;
    const open =
      game.steps.find(({ id }) => game.states[id] === 'failed') ??
      game.steps.find((step) => game.states[step.id] === 'active' && !isPerformedByServer(step));
    if (!open) {
      if (game.run.status === 'running') throw new Violation('the run is stuck: no step is waiting for anyone');
      return;
    }
    const canFinish = game.oracle.canBeFinished(open.id, game.states);
    if (await everyoneTries(game, open)) continue;
    // The last person who could approve may have handed their place over to someone who can't.
    if ((await takeBack(game, open)) && (await everyoneTries(game, open))) continue;
    // The person who submitted an input may be the only one who could approve it.
    if (canFinish && game.oracle.canBeFinished(open.id, game.states))
      throw new Violation(`the run is stuck at ${open.id}, although someone could complete it`);
    return;
  }
}

async function controlByAnyone(game: GameState): Promise<void> {
  for (const player of game.players) {
    if (game.run.status !== 'paused') return;
    await control(game, player, 'resume');
  }
}

/** Everyone who handed their place over to someone who may be unable to decide takes it back. Returns true if someone did. */
async function takeBack(game: GameState, { id }: PlayedStep): Promise<boolean> {
  let isGranted = false;
  for (const player of game.players)
    if (game.oracle.canAct(player.id) && game.oracle.handedOverInVain(player.id, id, game.states))
      isGranted = (await passOn(game, player, id, 'release')) || isGranted;
  return isGranted;
}

/** Everyone tries to complete the step. Returns true if its state changed or the run ended. */
async function everyoneTries(game: GameState, { id, type }: PlayedStep): Promise<boolean> {
  const { oracle } = game;
  // Managers come last, because they only stand in for the people named by a step.
  const standsIn = (player: Player): number => (['owner', 'admin'].includes(oracle.roleOf(player.id) ?? '') ? 1 : 0);
  const members = game.players
    .filter((player) => oracle.roleOf(player.id) !== undefined)
    .toSorted((a, b) => standsIn(a) - standsIn(b));
  const state = game.states[id];
  const isOver = (): boolean => game.states[id] !== state || !isOpen(game.run);
  const sequence: Action[] = state === 'failed' ? ['retry'] : type === 'manual' ? ['complete', 'approve'] : ['approve'];
  for (const action of sequence) {
    let isGranted = true;
    // A delegate's vote uses up two votes, and then someone who was refused before may stand in. So everyone tries
    // again after a vote.
    while (isGranted) {
      isGranted = false;
      for (const player of members) {
        if (isOver()) return true;
        if (action !== 'retry') isGranted = (await tryForOthers(game, player, id, action)) || isGranted;
        if (isOver()) return true;
        const succeeded = await act(game, player, id, action, { reason: 'To finish the run' });
        isGranted ||= succeeded;
        // One person submits the input, and another one approves it.
        if (succeeded && action === 'complete') break;
      }
      if (action !== 'approve') break;
    }
  }
  return isOver();
}

/** A delegate often tries to act for their delegators first. Returns true if an attempt succeeded. */
async function tryForOthers(game: GameState, by: Player, stepId: string, action: Action): Promise<boolean> {
  const { chance, players, oracle } = game;
  const before = game.states[stepId];
  let isGranted = false;
  for (const { from, to } of oracle.listDelegations()) {
    const delegator = players.find(({ id }) => id === from);
    if (to !== by.id || !delegator || game.states[stepId] !== before || !chance.in100(60)) continue;
    isGranted =
      (await act(game, by, stepId, action, { reason: 'To finish the run', onBehalfOf: delegator })) || isGranted;
  }
  return isGranted;
}
