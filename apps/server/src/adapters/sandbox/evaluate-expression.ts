import { evaluate } from 'feelin';
import type { SandboxOutcome } from '../../kernel/sandbox.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import type { SandboxRequest } from './requests.ts';
import { storableJson } from './storable-json.ts';

/** Evaluates a FEEL expression over a run's outputs (rulings, section 10). */
export function evaluateExpression({ text, input }: Pick<SandboxRequest, 'text' | 'input'>): SandboxOutcome {
  const failed = (reason: string): SandboxOutcome => ({
    outcome: 'failed',
    reason: reason.slice(0, SANDBOX_LIMITS.reason),
    log: [],
  });
  try {
    const { value, warnings } = evaluate(text, { ...input.outputs, outputs: input.outputs, run: input.run }) as {
      value: unknown;
      warnings: { message: string }[];
    };
    const [warning] = warnings;
    if (value === null && warning) return failed(warning.message);
    const json = JSON.stringify(value) ?? 'null';
    if (json.length > SANDBOX_LIMITS.value) return failed('Its result is too large');
    return { outcome: 'returned', value: storableJson(json), log: [] };
  } catch (error) {
    return failed(error instanceof RangeError ? 'It is nested too deeply' : `It can't be read: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
