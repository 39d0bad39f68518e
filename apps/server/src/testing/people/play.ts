import { type Chance, chanceOf } from '../governance/random.ts';
import type { TestServer } from '../server.ts';
import { AccountPool } from './accounts.ts';
import { Board, type Seat, Violation, reasonOf } from './board.ts';
import { type Human, deliveredTo, mailboxOf } from './humans.ts';
import { MailRoom } from './mail-room.ts';
import {
  approve,
  changeDisabled,
  changeGroup,
  colleagueOf,
  delegate,
  goLive,
  goLiveAsAsked,
  handOf,
  invite,
  join,
  makeDraft,
  makeGroup,
  merge,
  nameReviewers,
  playMove,
  removeInviter,
  REVIEWERS,
  setPolicy,
  setRoutes,
  signUpByLink,
  submit,
  waitDays,
} from './moves.ts';
import { PeopleOracle, type Role } from './oracle.ts';

export type Figures = {
  sequences: number;
  /** The number of calls. A call that was repeated after a new sign-in counts once. */
  calls: { tried: number; granted: number };
  /**
   * The number of calls by move and, under other names, of the events that the oracle judged, of confirmations and of
   * reviews for delegators. A call can be counted under several names, so the sum isn't the number of calls.
   */
  moves: Record<string, { tried: number; granted: number }>;
  /** The number of sequences that made a draft live or completed a run. */
  live: number;
  /**
   * Number of versions that went live, by the marks of their approvals and by other properties, such as `emergency` and
   * `strict`. A version can be counted under several names.
   */
  marks: Record<string, number>;
  /** Broken promises and failures to finish a sequence, with the calls that led to them. */
  broken: string[];
};

export type Game = {
  seed: number;
  sequences: number;
  /** The number of the first sequence. With `sequences: 1`, a single one is replayed. */
  from?: number;
  /** Number of parallel sequences, each in its own organization. */
  atOnce?: number;
  /** The number of failed sequences after which no more are started, because they would add no information. */
  maxFailures?: number;
  onSequence?: (figures: Figures) => void;
  /** Called with each entry of `broken` as soon as it is found, because a long play may not reach its end. */
  onBroken?: (broken: string) => void;
};

const STEPS = 9;
/**
 * In a team with requirements: the number of random moves, and the number of drafts that certain people have to
 * approve.
 */
const [FEWER_STEPS, ASKED] = [3, 2];

/** Plays random sequences of calls by people with several accounts. The oracle checks the granted calls. */
export async function playPeople(
  server: TestServer,
  { seed, sequences, from = 0, atOnce = 3, maxFailures = 5, onSequence, onBroken = () => undefined }: Game,
): Promise<Figures> {
  const figures: Figures = { sequences: 0, calls: { tried: 0, granted: 0 }, moves: {}, live: 0, marks: {}, broken: [] };
  const pool = new AccountPool(server);
  const mail = new MailRoom(server.dataDir);
  let next = from;
  const playOn = async (): Promise<void> => {
    while (next < from + sequences && figures.broken.length < maxFailures) {
      const n = next;
      next += 1;
      await playSequence({ server, pool, mail, figures, onBroken }, seed, n);
      figures.sequences += 1;
      onSequence?.(figures);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, playOn));
  } finally {
    mail.stop();
  }
  return figures;
}

type Table = {
  server: TestServer;
  pool: AccountPool;
  mail: MailRoom;
  figures: Figures;
  onBroken: (broken: string) => void;
};

async function playSequence({ server, pool, mail, figures, onBroken }: Table, seed: number, n: number): Promise<void> {
  const chance = chanceOf(seed * 1_000_003 + n);
  const { seats, proved, ...kind } = await seatPeople(pool, chance, `${seed}-${n}`);
  const board = new Board(server, mail, seats, new PeopleOracle(seats, proved), chance);
  try {
    await found(board, `${seed}-${n}`, kind);
    // Some plays start with new managers, who can't do everything yet, and others with established ones.
    if (chance.in100(40)) await waitDays(board, 8);
    for (let step = 0; step < (kind.hasRequirements ? FEWER_STEPS : STEPS); step += 1) await playMove(board);
    board.move = 'enable';
    const disabled = board.seats.filter(({ id }) => board.oracle.isDisabled(id));
    if (disabled.length > 0 && chance.in100(40)) await changeDisabled(board, chance.pick(disabled));
    board.move = 'remove inviter';
    if (chance.in100(50)) await removeInviter(board);
    board.move = 'go live';
    if (!kind.hasRequirements) await goLive(board);
    else for (let draft = 0; draft < ASKED; draft += 1) await goLiveAsAsked(board);
    await comparePeople(board);
    await compareEmergencies(board);
    await compareGroup(board);
  } catch (error) {
    // If one sequence can't be finished, the results of all others must still be shown.
    const problem = reasonOf(error);
    const people = seats.map(({ email, human, id }) => {
      const about = [human.isHonest && 'honest', human.name, proved.includes(id) && 'proved from the start'];
      return `  ${email}: ${about.filter(Boolean).join(', ')}`;
    });
    const again = `--only people --seed ${seed} --from ${n} --sequences 1`;
    const broken = [`sequence ${n} of seed ${seed} (${again}): ${problem}`, ...people, ...board.calls].join('\n');
    figures.broken.push(broken);
    onBroken(broken);
  }
  figures.calls.tried += board.totals.tried;
  figures.calls.granted += board.totals.granted;
  for (const [name, { tried, granted }] of Object.entries(board.counts)) {
    const sum = (figures.moves[name] ??= { tried: 0, granted: 0 });
    sum.tried += tried;
    sum.granted += granted;
  }
  for (const [mark, count] of Object.entries(board.live)) figures.marks[mark] = (figures.marks[mark] ?? 0) + count;
  if (board.versions.length > 0) figures.live += 1;
  await pool.release([...seats.map(({ pooled }) => pooled), ...board.left]);
}

type Team = {
  isStrict: boolean;
  isKnown: boolean;
  /**
   * True if drafts often need an approval of the group, of the workflow's reviewers, or of two people, and delegates
   * give some of them.
   */
  hasRequirements: boolean;
};

/**
 * Creates one attacker with one or two mailboxes and several accounts, and up to three honest people. Some of the
 * accounts have no mailbox, or another address of a colleague's mailbox. In a known team, several honest people can
 * review, and most of the attacker's accounts with a mailbox are proved, so that they can act for each other.
 */
async function seatPeople(
  pool: AccountPool,
  chance: Chance,
  tag: string,
): Promise<Team & { seats: Seat[]; proved: string[] }> {
  const first = `mallory-${tag}@one.example`;
  const second = `mallory-${tag}@two.example`;
  const mallory: Human = { name: 'Mallory', mailboxes: chance.in100(65) ? [first] : [first, second], isHonest: false };
  const isStrict = chance.in100(20);
  const isKnown = !isStrict && chance.in100(50);
  const hasRequirements = isKnown && chance.in100(75);
  const names = ['Hana', 'Hugo', 'Rita'].slice(0, isStrict || isKnown ? 3 : chance.pick([0, 1, 1, 2, 2, 3]));
  const addressOf = (name: string): string => `${name.toLowerCase()}-${tag}@honest.example`;
  const others = [
    first.replace('@', '+two@'),
    `ghost-${tag}@nowhere.example`,
    `ghoul-${tag}@nowhere.example`,
    // Mail to this address reaches a colleague.
    ...(names.length > 0 ? [addressOf(chance.pick(names)).replace('@', '+x@')] : []),
    second,
    second.replace('@', '+too@'),
  ];
  const addresses = [
    first,
    ...shuffled(
      others.filter((each) => !each.endsWith('@two.example') || mallory.mailboxes.includes(second)),
      chance,
    ),
  ].slice(0, 2 + chance.below(mallory.mailboxes.length + 2));
  const people: { human: Human; email: string; isProved: boolean }[] = [];
  // An account that is older than proofs counts as proved, and the attacker may legitimately have one.
  for (const email of addresses) {
    const isReadable = isKnown && mallory.mailboxes.includes(deliveredTo(email));
    const isProved = (email === first && chance.in100(25)) || (isReadable && chance.in100(70));
    people.push({ human: mallory, email, isProved });
  }
  for (const name of names) {
    const email = addressOf(name);
    people.push({
      human: { name, mailboxes: [email], isHonest: true },
      email,
      isProved: isStrict || isKnown || chance.in100(60),
    });
  }
  const accounts = await pool.take(
    people.map(({ human: { name }, email, isProved }) => ({ name, email, provedBy: isProved ? 'earlier' : null })),
  );
  const seats = accounts.map((pooled, at): Seat => {
    const { human, email } = people[at] as (typeof people)[number];
    const isFace = deliveredTo(email) === email && human.mailboxes[0] === email;
    return { ...pooled, email, human, pooled, isFace };
  });
  const proved = seats.filter((_, at) => people[at]?.isProved).map(({ id }) => id);
  return { seats, proved, isStrict, isKnown, hasRequirements };
}

function shuffled<T>(from: readonly T[], chance: Chance): T[] {
  const left = [...from];
  return from.map(() => left.splice(chance.below(left.length), 1)[0] as T);
}

const HONEST_ROLES: readonly Role[] = ['admin', 'admin', 'reviewer', 'editor'];

/**
 * Someone founds a team, to which the honest people and up to two more of the attacker's accounts are invited. The
 * founder is the attacker or an honest person. A strict or known team is founded by an honest person and has a second
 * honest manager.
 */
async function found(board: Board, tag: string, { isStrict, isKnown, hasRequirements }: Team): Promise<void> {
  const { chance, honest, attackers } = board;
  board.move = 'found';
  const isTheirs = honest.length === 0 || (!isStrict && !isKnown && chance.in100(35));
  const founder = isTheirs ? chance.pick(attackers) : (honest[0] as Seat);
  const reply = await board.call(founder, 'POST', '/api/organizations', { name: 'Team', slug: `t-${tag}` });
  board.orgId = String(reply.body['currentOrgId']);
  board.judge({ kind: 'founded', by: founder.id });
  await makeGroup(board, founder, chance.in100(50) ? [founder] : []);
  if (hasRequirements) await makeHistory(board, founder, [true]);
  else if (chance.in100(40)) await makeHistory(board, founder, [chance.in100(50), chance.in100(70)]);
  const [, hugo] = honest;
  for (const who of honest) {
    if (who === founder) continue;
    const role = isStrict || isKnown ? (who === hugo ? 'admin' : 'reviewer') : chance.pick(HONEST_ROLES);
    await bring(board, founder, who, role);
  }
  if (isStrict) await setPolicy(board, founder, { strict: true });
  for (const who of attackers.slice(0, 2)) {
    if (who === founder || (who !== attackers[0] && !isKnown && chance.in100(40))) continue;
    // A manager who has already joined may invite the next account.
    const managers = board.with([founder, ...attackers], ['owner', 'admin']);
    const isAdmin = hasRequirements && who === attackers[0] && chance.in100(70);
    const role = isAdmin ? 'admin' : chance.pick(['admin', 'admin', 'editor', 'reviewer', 'reviewer'] as const);
    await bring(board, chance.pick(managers), who, role);
  }
  if (chance.in100(hasRequirements ? 50 : 20)) await setPolicy(board, founder, { requiredApprovals: 2 });
  if (board.versions.length > 0 && chance.in100(30)) await nameReviewers(board, founder);
  if (board.versions.length > 0 && chance.in100(hasRequirements ? 90 : 60)) await setRoutes(board, founder, true);
  if (chance.in100(40)) await changeGroup(board, founder);
  const reviewers = board.with(honest, REVIEWERS);
  if (reviewers.length > 0 && chance.in100(40)) {
    const by = chance.pick(reviewers);
    await delegate(board, handOf(by), colleagueOf(board, by, attackers), true);
  }
  if (chance.in100(12)) await changeDisabled(board, chance.pick(board.able));
}

/**
 * The founder makes versions live before anyone else joins. Later moves roll back to them, restore them, or drop their
 * control.
 */
async function makeHistory(board: Board, founder: Seat, controls: readonly boolean[]): Promise<void> {
  for (const hasControl of controls) {
    const content = { title: `Title ${board.chance.pick(['Four', 'Five', 'Six'])}`, hasControl };
    const draft = await makeDraft(board, handOf(founder), content, 'flow');
    if (!draft) return;
    await submit(board, handOf(founder), draft);
    await approve(board, handOf(founder), draft);
    await merge(board, handOf(founder), draft);
  }
}

async function bring(board: Board, by: Seat, who: Seat, role: Role): Promise<void> {
  const invitation = await invite(board, by, who.email, role);
  const readsMail = mailboxOf(who) !== null;
  if (!invitation) return;
  const link = readsMail && board.chance.in100(30) ? 'mailed' : 'shown';
  await (board.chance.in100(5) ? signUpByLink : join)(board, who, invitation, link);
}

/** The list of members may show an account as proved only if the events of the play prove it. */
async function comparePeople(board: Board): Promise<void> {
  const [reader] = board.able;
  if (!reader) return;
  const reply = await board.call(reader, 'GET', `${board.organization}/users`);
  for (const { id, email, provedBy } of reply.body as unknown as {
    id: string;
    email: string;
    provedBy: string | null;
  }[]) {
    if (provedBy !== null && !board.oracle.isProved(id))
      throw new Violation(`${email} counts as proved by ${provedBy}`);
  }
}

/** Every emergency must be shown as one, and as ratified only once another manager has ratified it. */
async function compareEmergencies(board: Board): Promise<void> {
  const [reader] = board.able;
  if (!reader) return;
  for (const key of new Set(board.versions.map((each) => each.key))) {
    const { body } = await board.call(reader, 'GET', `/api/workflows/${key}/versions`);
    if (!Array.isArray(body)) continue;
    for (const { version, emergency } of body as { version: number; emergency: { ratified: unknown } | null }[]) {
      const shown = emergency && (emergency.ratified ? 'ratified' : 'waits');
      if (shown !== board.oracle.emergencyOf(key, version))
        throw new Violation(`v${version} of ${key} shows ${shown ?? 'no emergency'}`);
    }
  }
}

/** The group, and the reviewers of a workflow, must have exactly the members that the granted calls gave them. */
async function compareGroup(board: Board): Promise<void> {
  const [reader] = board.able;
  if (!reader) return;
  const compare = (what: string, shown: readonly string[], expected: readonly string[]): void => {
    if (shown.toSorted().join() !== expected.toSorted().join())
      throw new Violation(`${what}: ${shown.join()} are shown instead of ${expected.join()}`);
  };
  const groups = await board.call(reader, 'GET', '/api/groups');
  const [group] = groups.body as unknown as { members: string[] }[];
  compare('members of the group', group?.members ?? [], board.oracle.membersOfGroup());
  if (board.versions.length === 0) return;
  const { body } = await board.call(reader, 'GET', '/api/workflows/flow/people');
  const { reviewers = [], needsReviewer = false } = body as { reviewers?: { id: string }[]; needsReviewer?: boolean };
  const expected = board.oracle.reviewersOf('flow');
  compare(
    'reviewers of the workflow',
    reviewers.map(({ id }) => id),
    expected ?? [],
  );
  if (needsReviewer !== (expected !== null))
    throw new Violation(`needsReviewer is ${needsReviewer} instead of ${expected !== null}`);
}
