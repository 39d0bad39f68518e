import { setTimeout as sleep } from 'node:timers/promises';
import { must } from './call.ts';
import { type EffectVerdict, type Span, effectProblems, judgeEffects } from './effects.ts';
import { type Reader, all } from './observe.ts';
import { JOBS_WORKFLOW } from './player.ts';
import { type Sinks, calledFor } from './sinks.ts';

/** Longer than the interval of the sweep for lost jobs plus the time that these jobs need. */
const DONE_WITHIN_MS = 150_000;

type Run = { id: string; name: string; workflowKey: string; status: string; stepsCompleted: number };

export type EffectsAfterFaults = {
  mails: EffectVerdict;
  webhooks: EffectVerdict;
  /** How long the jobs took after the last request, in milliseconds. */
  tookMs: number;
  problems: string[];
};

/** Waits until the server's jobs are done, and checks their effects outside the server. */
export async function effectsAfterFaults(
  reader: Reader,
  sinks: Sinks,
  faults: readonly Span[],
): Promise<EffectsAfterFaults> {
  const began = performance.now();
  for (;;) {
    const runs = await all<Run>(reader, '/api/runs');
    const hooks = await must<{ waiting: number; dead: number }[]>({
      method: 'GET',
      url: `${reader.url}/api/webhooks`,
      token: reader.token,
    });
    // Effects are read after the runs. No new runs start, so later effects belong to the existing ones.
    const mails = judgeEffects(mailsOf(runs), sinks.mails(), faults);
    const webhooks = judgeEffects(callsOf(runs), sinks.calls(), faults);
    const unfinished = runs
      .filter(isWithServer)
      .map(({ name, status }) => `the jobs of ${name} are not done: ${status}`);
    const waiting = hooks.reduce((sum, hook) => sum + hook.waiting + hook.dead, 0);
    const isDone = unfinished.length + waiting + mails.missing.length + webhooks.missing.length === 0;
    if (!isDone && performance.now() < began + DONE_WITHIN_MS) {
      await sleep(250);
      continue;
    }
    const problems = [
      ...unfinished,
      ...effectProblems('an email', mails),
      ...effectProblems('a webhook', webhooks),
      ...sinks.contradictions(),
    ];
    if (waiting > 0) problems.push(`${waiting} webhook deliveries are waiting or failed`);
    return { mails, webhooks, tookMs: performance.now() - began, problems };
  }
}

/** True if a person has completed the first step; the server then executes the others. */
const isLeftToServer = ({ workflowKey, stepsCompleted }: Run): boolean =>
  workflowKey === JOBS_WORKFLOW && stepsCompleted > 0;

const isWithServer = (run: Run): boolean => isLeftToServer(run) && run.status !== 'completed';

const mailsOf = (runs: readonly Run[]): string[] => runs.filter(isLeftToServer).map(({ name }) => name);

const callsOf = (runs: readonly Run[]): string[] =>
  runs.flatMap(({ id, status }) => [
    calledFor('run.started', id),
    ...(status === 'completed' ? [calledFor('run.completed', id)] : []),
  ]);
