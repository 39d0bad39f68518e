import type { BodyInput } from '@stet/contract';

type Trial = BodyInput<'POST /api/workflows/script-trial'>;
type Values = NonNullable<Trial['outputs']>;

/** The sample data for a script or a condition. */
export type Sample = { outputs: Values; run: Values };
type ReadSample = { ok: true; sample: Sample } | { ok: false; problem: string };

export const writeSample = ({ outputs, run }: { outputs: object; run: object }): string =>
  JSON.stringify({ outputs, run }, null, 2);

export function readSample(text: string): ReadSample {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'This is not valid JSON' };
  }
  if (!isObject(value)) return { ok: false, problem: 'Enter an object with outputs and run' };
  const { outputs = {}, run = {} } = value;
  if (!isObject(outputs) || !isObject(run)) return { ok: false, problem: 'outputs and run must be objects' };
  return { ok: true, sample: { outputs, run } };
}

/** The value was parsed from JSON, so an object in it only contains JSON. */
function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
