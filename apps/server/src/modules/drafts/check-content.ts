import { workflowBody } from '@stet/contract';
import { blockedAsIncomplete, directionControls } from '@stet/domain/drafts';
import { requiredIfProblem } from '@stet/domain/expressions';
import { type Step, settingNamed } from '@stet/domain/steps';
import { type GraphProblem, type WorkflowContent, checkGraph, contentHash, visibleText } from '@stet/domain/workflows';
import { Refused } from '../../kernel/refused.ts';

/**
 * Returns the content with its hash. Refuses a key that differs from the one in the URL, a graph that can't run, and
 * invalid conditions of form fields.
 */
export function checkedContent(
  body: { key?: string | undefined } & WorkflowContent,
  key: string,
): WorkflowContent & { hash: string } {
  if (body.key !== undefined && body.key !== key) {
    throw new Refused({ code: 'invalid', problems: [{ field: 'key', problem: 'doesn’t match the key in the URL' }] });
  }
  const problems = [...graphProblems(body.steps), ...formProblems(body.steps)].slice(0, 50);
  if (problems.length > 0) throw new Refused({ code: 'invalid_workflow', problems });
  const content = { metadata: body.metadata, steps: body.steps };
  return { ...content, hash: contentHash(content) };
}

/**
 * Refuses direction controls in ids, scripts, conditions, assignees, roles and recipients (`directionControls`). The
 * refusal names the step and the field. Those that the same field already contains in `stored` are allowed.
 */
export function refuseDirectionControls(
  content: Pick<WorkflowContent, 'steps'>,
  stored: readonly Pick<WorkflowContent, 'steps'>[],
): void {
  const problems = directionControls(content, stored)
    .slice(0, 50)
    .map(({ stepId, field, text }) => {
      const step = content.steps.find(({ id }) => id === stepId);
      const shown = (visibleText(text).match(/⟨U\+[0-9A-F]+⟩/gu) ?? ['a hidden character']).slice(0, 3).join(' ');
      const problem = `Step "${visibleText(step?.title || stepId)}" has a character in ${fieldName(field)} that changes the direction of text: ${shown}. Remove it, then save again.`;
      return { stepId, field, problem };
    });
  if (problems.length > 0) throw new Refused({ code: 'invalid_workflow', problems });
}

const fieldName = (field: string): string => `its ${settingNamed(field)?.label.toLowerCase() ?? field}`;

/** Refuses content with errors (see `contentErrors`), and names the steps. */
export function refuseIncomplete(content: WorkflowContent): void {
  const [incomplete] = blockedAsIncomplete(content);
  if (incomplete) throw new Refused(incomplete);
}

/** Checks merged content in the same way as a save, because it can exceed a limit even if neither side did. */
export function mergedContent(content: WorkflowContent, key: string): WorkflowContent & { hash: string } {
  const parsed = workflowBody.safeParse(content);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, 50).map(({ path, message }) => ({
      field: path.join('.'),
      problem: message,
    }));
    throw new Refused({ code: 'invalid', problems });
  }
  return checkedContent(parsed.data, key);
}

/** Returns at most 50 reasons why a graph can't run, each with its step. Empty if it can run. */
export const graphProblems = (steps: readonly Step[]): { stepId: string | null; problem: string }[] =>
  checkGraph(steps)
    .slice(0, 50)
    .map((problem) => inWords(problem, steps));

/** Returns at most 50 conditions of form fields that are invalid, each with its step and field. */
export const formProblems = (steps: readonly Step[]): { stepId: string; field: string; problem: string }[] =>
  steps
    .flatMap((step) => {
      const fields = step.type === 'manual' ? (step.config.fields ?? []) : [];
      return fields.flatMap((field, index) => {
        const problem = requiredIfProblem(field, fields);
        const at = `Field "${visibleText(field.label)}" of step "${visibleText(step.title || step.id)}"`;
        return problem
          ? [{ stepId: step.id, field: `config.fields.${index}.requiredIf`, problem: `${at}: ${problem}` }]
          : [];
      });
    })
    .slice(0, 50);

function inWords(problem: GraphProblem, steps: readonly Step[]): { stepId: string | null; problem: string } {
  const named = (id: string): string => `"${steps.find((step) => step.id === id)?.title || id}"`;
  switch (problem.code) {
    case 'duplicate_step_id':
      return { stepId: problem.stepId, problem: `Two steps have the id ${problem.stepId}` };
    case 'unknown_next':
      return {
        stepId: problem.stepId,
        problem: `Step ${named(problem.stepId)} leads to ${problem.target}, which doesn't exist`,
      };
    case 'cycle':
      return {
        stepId: problem.stepIds[0] ?? null,
        problem: `These steps form a loop: ${problem.stepIds.slice(0, 10).map(named).join(', ')}`,
      };
    case 'unreachable':
      return { stepId: problem.stepId, problem: `Step ${named(problem.stepId)} can't be reached` };
    case 'condition_target_not_next':
      return {
        stepId: problem.stepId,
        problem: `Step ${named(problem.stepId)} branches to ${problem.target}, which isn't one of its next steps`,
      };
    case 'on_reject_not_ancestor':
      return {
        stepId: problem.stepId,
        problem: `Step ${named(problem.stepId)} returns to ${problem.target}, which isn't before it`,
      };
  }
}
