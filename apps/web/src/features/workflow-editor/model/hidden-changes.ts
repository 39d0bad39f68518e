import type { Step } from '@stet/domain/steps';
import { isolated, type WorkflowContent } from '@stet/domain/workflows';
import { sameValue } from './same-content.ts';

/** A field's value before and after the change. */
export type FieldChange = { field: string; before: string; after: string };

/** The differences in properties that have no column (type, settings and links), by step id. */
export function hiddenChanges(before: WorkflowContent, after: WorkflowContent): ReadonlyMap<string, FieldChange[]> {
  const known = new Map(before.steps.map((step, index) => [step.id, { step, index }]));
  const titles = new Map([...before.steps, ...after.steps].map(({ id, title }) => [id, title]));
  const found = new Map<string, FieldChange[]>();
  for (const [index, step] of after.steps.entries()) {
    const own = known.get(step.id);
    if (!own || own.step === step) continue;
    const fields = [...typeChanges(own.step, step), ...settingChanges(own.step, step)];
    // The links of a simple chain follow from the order, which is listed separately.
    const isLine = followsOrder(before.steps, own.index) && followsOrder(after.steps, index);
    if (!isLine && !sameValue(own.step.next, step.next)) {
      const formatSteps = (next: readonly string[]) =>
        next.map((id) => isolated(titles.get(id) ?? id)).join(', ') || 'None: the workflow ends';
      fields.push({ field: 'Next steps', before: formatSteps(own.step.next), after: formatSteps(step.next) });
    }
    if (fields.length > 0) found.set(step.id, fields);
  }
  return found;
}

function typeChanges(before: Step, after: Step): FieldChange[] {
  return before.type === after.type ? [] : [{ field: 'Type', before: before.type, after: after.type }];
}

function settingChanges(before: Step, after: Step): FieldChange[] {
  const [was, is] = [settingsOf(before), settingsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => !sameValue(was.get(name), is.get(name)))
    .map((name) => ({ field: humanize(name), before: formatValue(was.get(name)), after: formatValue(is.get(name)) }));
}

const settingsOf = ({ config }: Step): Map<string, unknown> => new Map(Object.entries(config));

/** Converts a property's name to words: `minimumApprovers` becomes 'Minimum approvers'. */
function humanize(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function followsOrder(steps: readonly Step[], index: number): boolean {
  const following = steps[index + 1]?.id;
  const next = steps[index]?.next ?? [];
  return following === undefined ? next.length === 0 : next.length === 1 && next[0] === following;
}
