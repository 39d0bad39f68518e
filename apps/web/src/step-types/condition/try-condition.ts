import { evaluateCondition, namesOfRun } from '@stet/domain/expressions';
import type { Evaluated } from '@stet/domain/expressions';
import type { Sample } from '../settings/sample.ts';

/** The limit is shorter than in a run, because the person is typing. */
const PATIENCE_MS = 1500;

/**
 * Evaluates a condition with sample data in this browser. It runs in a worker if possible, so that an endless
 * expression can be stopped.
 */
export function tryCondition(text: string, sample: Sample): Promise<Evaluated<boolean>> {
  if (typeof Worker === 'undefined') {
    return Promise.resolve(evaluateCondition(text, namesOfRun(sample.outputs, sample.run)));
  }
  return new Promise((resolve) => {
    const worker = new Worker(new URL('condition.worker.ts', import.meta.url), { type: 'module' });
    const end = (result: Evaluated<boolean>): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(result);
    };
    const failed = (problem: string): void => end({ ok: false, problem: { from: 0, to: text.length, problem } });
    const timer = setTimeout(() => failed('The evaluation took too long'), PATIENCE_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<Evaluated<boolean>>) => end(data));
    worker.addEventListener('error', () => failed('The expression could not be evaluated'));
    worker.postMessage({ text, sample });
  });
}
