import { evaluateExpression as evaluate, namesOfRun } from '@stet/domain/expressions';
import type { SandboxOutcome } from '../../kernel/sandbox.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import type { SandboxRequest } from './requests.ts';
import { storableJson, storableText } from './storable-json.ts';

/** Evaluates a FEEL expression, which can use the run's data and the outputs of its steps. */
export function evaluateExpression({ text, input }: Pick<SandboxRequest, 'text' | 'input'>): SandboxOutcome {
  try {
    const evaluated = evaluate(text, namesOfRun(input.outputs, input.run));
    if (!evaluated.ok) return failed(evaluated.problem.problem);
    const json = JSON.stringify(evaluated.value) ?? 'null';
    if (json.length > SANDBOX_LIMITS.value) return failed('The result is too large');
    return { outcome: 'returned', value: storableJson(json), log: [] };
  } catch {
    return failed('The expression is nested too deeply');
  }
}

const failed = (reason: string): SandboxOutcome => ({
  outcome: 'failed',
  reason: storableText(reason.slice(0, SANDBOX_LIMITS.reason)),
  log: [],
});
