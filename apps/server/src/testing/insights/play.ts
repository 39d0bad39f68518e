import type { Run } from '@stet/contract';
import type { MovedClock } from '../../demo/moved-clock.ts';
import { type Chance, chanceOf } from '../governance/random.ts';
import { publish } from '../organization.ts';
import type { Person } from '../server.ts';
import type { OracleStep, PlayedRun } from './oracle.ts';

type Drafted = {
  id: string;
  title: string;
  type?: OracleStep['type'];
  assignee?: string;
  sla?: string;
  config?: {
    onReject?: string;
    minimumApprovers?: number;
    requiresApproval?: boolean;
    fields?: object[];
    condition?: string;
    trueNext?: string;
    falseNext?: string;
  };
  next: string[];
};

const enter: Drafted = { id: 'enter', title: 'Enter', assignee: 'editor', sla: '4h', next: ['check'] };
const check: Drafted = {
  id: 'check',
  title: 'Check',
  type: 'approval',
  assignee: 'reviewer',
  sla: '1 day',
  config: { onReject: 'enter' },
  next: ['pay'],
};
const pay: Drafted = { id: 'pay', title: 'Pay', assignee: 'group:finance', sla: '8h', next: [] };
const photo = { id: 'photo', label: 'Photo', kind: 'file_link' };

/**
 * Three workflows with two versions each. They contain rejections that lead back, a form with evidence, a branch,
 * parallel steps, and steps without an SLA.
 */
export const VERSIONS: Readonly<Record<string, readonly (readonly Drafted[])[]>> = {
  invoices: [
    [enter, check, pay],
    [
      { ...enter, sla: '2h' },
      { ...check, next: ['pay', 'file'], config: { onReject: 'enter', minimumApprovers: 2 } },
      pay,
      { id: 'file', title: 'File', sla: '', next: [] },
    ],
  ],
  claims: [
    [
      { id: 'claim', title: 'Claim', config: { requiresApproval: true, fields: [photo] }, sla: '6h', next: ['amount'] },
      {
        id: 'amount',
        title: 'High amount?',
        type: 'condition',
        config: { condition: 'claim.text = "high"', trueNext: 'sign', falseNext: 'book' },
        next: ['sign', 'book'],
      },
      { id: 'sign', title: 'Sign', type: 'approval', assignee: 'reviewer', sla: '3h', next: ['book'] },
      { id: 'book', title: 'Book', assignee: 'starter', sla: '1 day', next: [] },
    ],
    [
      { id: 'claim', title: 'Claim', config: { fields: [photo] }, sla: '6h', next: ['sign'] },
      { id: 'sign', title: 'Sign', type: 'approval', assignee: 'reviewer', sla: '3h', next: ['book'] },
      { id: 'book', title: 'Book', assignee: 'starter, group:finance', sla: '1 day', next: [] },
    ],
  ],
  welcome: [
    [
      { id: 'desk', title: 'Prepare a desk', sla: '', next: ['hello'] },
      { id: 'hello', title: 'Say hello', sla: '', next: [] },
    ],
    [{ id: 'hello', title: 'Say hello', sla: '', next: [] }],
  ],
};

export const stepsOf = ({ key, version }: Pick<PlayedRun, 'key' | 'version'>): OracleStep[] =>
  (VERSIONS[key]?.[version - 1] ?? []).map(({ id, type = 'manual', next, config = {}, assignee }) => ({
    id,
    type,
    next,
    isReviewed: config.requiresApproval === true,
    evidence: (config.fields ?? []).map(() => photo.id),
    load: assignee
      ? assignee.split(', ').map((who) => (who === 'starter' || who.startsWith('group:') ? who : `role:${who}`))
      : ['anyone'],
  }));

type Play = {
  people: readonly [Person, ...Person[]];
  author: Person;
  reviewer: Person;
  clock: MovedClock;
  seed: number;
  runs: number;
  /** Executes an active step in place of the server, which runs no jobs here. */
  execute: (step: { runId: string; stepId: string }) => Promise<void>;
  /** Renews the sessions of everyone, which end after some days. */
  signInAgain: () => Promise<void>;
};

const HOUR = 3_600_000;
/** The number of times that the clock is moved. Random runs are started in the first three quarters of these rounds. */
const ROUNDS = 56;

/**
 * Plays random runs over HTTP for about twelve days: people complete, approve, reject, skip, claim, hand over, pause,
 * cancel and retry as they like, and the server refuses some of it. A few runs follow a fixed script, so that both
 * versions and the rarer figures occur with any seed. Returns the runs that were started.
 */
export async function playRandomRuns({
  people,
  author,
  reviewer,
  clock,
  seed,
  runs,
  execute,
  signInAgain,
}: Play): Promise<PlayedRun[]> {
  const chance = chanceOf(seed);
  const started: PlayedRun[] = [];
  const open = new Set<string>();
  const publishVersion = async (version: number) => {
    for (const [key, versions] of Object.entries(VERSIONS))
      await publish(author, reviewer, key, (versions[version] ?? []) as Parameters<typeof publish>[3]);
  };
  const script: Script = {
    people: [people[0], author, reviewer],
    start: async (key, by) => {
      const run = await by.post<Run>('/api/runs', { key, name: 'A run by the script' });
      started.push({ id: run.id, key, version: run.workflowVersion });
      return run.id;
    },
  };
  await publishVersion(0);
  await playFirstVersions(script);
  const neglected = await script.start('invoices', author);
  for (let round = 0; round < ROUNDS; round += 1) {
    await clock.moveTo(clock.now() + (0.05 + chance.below(1000) / 100) * HOUR);
    await signInAgain();
    if (round === ROUNDS / 2) {
      await publishVersion(1);
      await playSecondVersions(script);
    }
    const wanted = Math.min(runs, Math.ceil((runs * (round + 1)) / (ROUNDS * 0.75)));
    await inTurns(wanted - started.length, async () => {
      const key = chance.pick(Object.keys(VERSIONS));
      const by = chance.pick(people);
      const name = `Run ${chance.below(1_000_000)}`;
      const reply = await by.call<Run>('POST', '/api/runs', { key, name });
      if (reply.status !== 201) return;
      started.push({ id: reply.body.id, key, version: reply.body.workflowVersion });
      open.add(reply.body.id);
    });
    const ids = [...open];
    await inTurns(ids.length, async (n) => {
      const id = ids[n] ?? '';
      // Sometimes performs several actions in a row, so that some approvals come immediately.
      for (let again = true; again; again = chance.in100(35)) {
        const run = await reviewer.get<Run>(`/api/runs/${id}`);
        if (run.status === 'completed' || run.status === 'cancelled') open.delete(id);
        else if (chance.in100(65)) await actAtRandom(run, { people, chance, execute });
      }
    });
  }
  // Nobody reacted to this run's breached SLA for days.
  await people[0].post(`/api/runs/${neglected}/cancel`, { reason: 'Forgotten' });
  return started;
}

type Script = {
  /** An owner in the group Finance, an editor, and a reviewer. */
  people: readonly [owner: Person, editor: Person, reviewer: Person];
  /** Starts a run on which only the script acts, and returns its id. */
  start: (key: string, by: Person) => Promise<string>;
};

async function playFirstVersions({ people: [owner, editor, reviewer], start }: Script): Promise<void> {
  const paid = await start('invoices', editor);
  const onStep = (step: string, action: string) => `/api/runs/${paid}/steps/${step}/${action}`;
  // An owner helps, and a rejection returns the run to the editor.
  await owner.post(onStep('enter', 'complete'), { output: { text: 'For the editor' } });
  await reviewer.post(onStep('check', 'reject'), { comments: 'Once more' });
  await editor.post(onStep('enter', 'claim'));
  await editor.post(onStep('enter', 'complete'), { output: { text: 'Corrected' } });
  await reviewer.post(onStep('check', 'approve'));
  await editor.post(onStep('pay', 'hand-over'), { to: owner.user.email, reason: 'On holiday' });
  for (const action of ['pause', 'resume']) await owner.post(`/api/runs/${paid}/${action}`, { reason: 'Later' });
  await owner.post(onStep('pay', 'complete'), { output: { text: 'Paid' } });

  const welcomed = await start('welcome', editor);
  await owner.post(`/api/runs/${welcomed}/steps/desk/skip`, { reason: 'Works from home' });
  await editor.post(`/api/runs/${welcomed}/steps/hello/complete`, { output: { text: 'Hello' } });

  // This run is never finished.
  await start('claims', editor);
}

async function playSecondVersions({ people: [, editor, reviewer], start }: Script): Promise<void> {
  const refused = await start('claims', editor);
  // This claim has no photo.
  await editor.post(`/api/runs/${refused}/steps/claim/complete`, { output: { text: 'high' } });
  await reviewer.post(`/api/runs/${refused}/steps/sign/reject`, { comments: 'Not insured' });
  for (const key of ['invoices', 'welcome']) await start(key, editor);
}

/** Calls `act` several times, with at most six calls at once. */
async function inTurns(times: number, act: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: 6 }, work));
}

async function actAtRandom(
  run: Run,
  { people, chance, execute }: Pick<Play, 'people' | 'execute'> & { chance: Chance },
): Promise<void> {
  const by = chance.pick(people);
  const at = (step: string, action: string, body?: object) =>
    by.call('POST', `/api/runs/${run.id}/steps/${step}/${action}`, body);
  const onRun = (action: string, body?: object) => by.call('POST', `/api/runs/${run.id}/${action}`, body);
  if (run.status === 'paused') {
    await onRun(chance.in100(10) ? 'cancel' : 'resume', { reason: 'Enough' });
    return;
  }
  if (run.status === 'failed') {
    const failed = run.steps.find(({ state }) => state === 'failed');
    if (failed && chance.in100(40)) await at(failed.id, 'retry');
    return;
  }
  const active = run.steps.filter(({ state }) => state === 'active');
  if (active.length === 0) return;
  const { id, type } = chance.pick(active);
  if (type === 'condition') {
    await execute({ runId: run.id, stepId: id });
    return;
  }
  const roll = chance.below(100);
  if (roll < 2) await onRun('pause', { reason: 'Later' });
  else if (roll < 4) await onRun('cancel', { reason: 'Enough' });
  else if (roll < 8) await onRun('notes', { text: 'Please look at it', ...(chance.in100(50) && { stepId: id }) });
  else if (roll < 14) await at(id, 'claim');
  else if (roll < 20) await at(id, 'hand-over', { to: chance.pick(people).user.email, reason: 'On holiday' });
  else if (roll < 28) await at(id, 'skip', { reason: 'Known' });
  else if (roll < 38) await at(id, 'reject', { comments: 'Once more' });
  else if (type === 'approval' || chance.in100(15)) await at(id, 'approve');
  else {
    const fields = id === 'claim' && chance.in100(60) ? { fields: { photo: 'https://files.example/1.jpg' } } : {};
    await at(id, 'complete', { output: { text: chance.pick(['high', 'low']), ...fields } });
  }
}
