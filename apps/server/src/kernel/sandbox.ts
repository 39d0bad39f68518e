import type { Json, JsonObject } from '@stet/domain/runs';

/** All that a script or an expression sees: copies, which it can't change for anyone else. */
export type SandboxInput = {
  /** By step id. */
  outputs: { readonly [stepId: string]: Json };
  run: JsonObject;
  step: JsonObject;
};

/** What became of it; `reason` is a sentence for a person, `log` what it wrote by `log(…)`. Both ends are bounded in size. */
export type SandboxOutcome =
  | { outcome: 'returned'; value: Json; log: string[] }
  | { outcome: 'failed'; reason: string; log: string[] };

/** `orgId`: whose it is, for a fair share. The time begins when it is its turn, not while it waits. */
type Request = { orgId: string; timeoutMs: number; input: SandboxInput };

/**
 * Runs what people wrote, in a process that has nothing but the input and is ended when the time is over. Organizations
 * take turns, and none gets the last place. Rejects where it could not be run at all; then it can be tried again.
 */
export type Sandbox = {
  /** The body of a function of `outputs`, `run`, `step` and `log`; what it returns is the value, as JSON. */
  run: (request: Request & { script: string }) => Promise<SandboxOutcome>;
  /** The same for someone who waits for it: at a place that long scripts can't take. */
  attempt: (request: Request & { script: string }) => Promise<SandboxOutcome>;
  /** A FEEL expression; sees each output under its id, all of them under `outputs`, and `run`. The value is as JSON. */
  evaluate: (request: Request & { expression: string }) => Promise<SandboxOutcome>;
  /** How many scripts of one organization run at the same time. */
  scriptsAtOnce: number;
  /** Ends what is running; it rejects. */
  close: () => Promise<void>;
};
