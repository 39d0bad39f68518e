import { sameJson } from '../workflows/canonical-json.ts';
import { codePoint, visibleText } from '../workflows/hidden-characters.ts';
import type { Step } from '../workflows/step.ts';

/** An entry of a diff, as the domain makes it or as it was answered over HTTP. */
type DiffEntry = {
  id: string;
  type: 'added' | 'removed' | 'modified';
  changes?: Record<string, { before?: unknown; after?: unknown }> | undefined;
  value?: unknown;
  previous?: readonly string[] | undefined;
};

/** A line of a change: what the field is called, and its text before and after. `whole`: not to be compared by words. */
export type FieldChange = { field: string; label: string; before: string; after: string; form: FieldForm };
export type FieldForm = 'text' | 'whole' | 'code';
/** A line of a step that was added or removed. */
export type FieldValue = { field: string; label: string; text: string; form: FieldForm };

type TitleOf = (stepId: string) => string;

// As the editor's table calls them (specification, section 2).
const FIELD_LABELS: Record<string, string> = {
  title: 'Step',
  description: 'Task',
  assignee: 'Assignee',
  sla: 'SLA',
  type: 'Type',
  next: 'Leads to',
  previous: 'Comes after',
  position: 'Position',
};
const SETTING_LABELS: Record<string, string> = {
  assignedRole: 'Role',
  requiresApproval: 'Needs approval',
  minimumApprovers: 'Approvers',
  onReject: 'Returns to',
  separateFrom: 'Separate person',
  script: 'Script',
  timeout: 'Timeout (s)',
  condition: 'Condition',
  trueNext: 'If true',
  falseNext: 'If false',
  recipients: 'Recipients',
  template: 'Message',
  channels: 'Channels',
  fields: 'Fields',
};
const WHOLE = new Set(['assignee', 'type', 'position', 'assignedRole', 'requiresApproval', 'separateFrom', 'onReject']);
const CODE = new Set(['script', 'condition']);
const NAMES_STEPS = new Set(['next', 'previous', 'onReject', 'trueNext', 'falseNext']);
const NO_STEPS: Record<string, string> = { next: 'nothing: the end', previous: 'nothing: the start' };

/** The lines of a modified step, as its review shows them: settings one by one, steps by their titles (specification, section 2). */
export function fieldChanges({ changes = {} }: DiffEntry, titleOf: TitleOf): FieldChange[] {
  return Object.entries(changes).flatMap(([field, { before, after }]) => {
    if (field !== 'config') return [changeOf(field, FIELD_LABELS[field], before, after, titleOf)];
    const [old, now] = [recordOf(before), recordOf(after)];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((name) => !sameJson([old[name] ?? null], [now[name] ?? null]))
      .map((name) => changeOf(name, SETTING_LABELS[name], old[name], now[name], titleOf));
  });
}

/** The lines of a step that was added or removed; its title stands above them. */
export function fieldValues({ value, previous }: DiffEntry, titleOf: TitleOf): FieldValue[] {
  const step = value as Step;
  const links = [...(previous ? [['previous', previous] as const] : []), ['next', step.next] as const];
  const plain = ['type', 'assignee', 'sla', 'description'] as const;
  return [...plain.map((name) => [name, step[name]] as const), ...links, ...Object.entries(step.config)]
    .map(([field, content]) => ({
      field,
      label: FIELD_LABELS[field] ?? SETTING_LABELS[field] ?? field,
      text: textOf(field, content, titleOf),
      form: formOf(field),
    }))
    .filter(({ text }) => text !== '');
}

/** The lines of the workflow's own texts. */
export function metadataChanges(metadata: Record<string, { before?: unknown; after?: unknown }>): FieldChange[] {
  const labels: Record<string, string> = { title: 'Name', description: 'Description' };
  return Object.entries(metadata).map(([field, { before, after }]) =>
    changeOf(field, labels[field], before, after, (id) => id),
  );
}

function changeOf(
  field: string,
  label: string | undefined,
  before: unknown,
  after: unknown,
  titleOf: TitleOf,
): FieldChange {
  const texts = { before: textOf(field, before, titleOf), after: textOf(field, after, titleOf) };
  // Moved past others, but as many were removed or added before it.
  if (field === 'position' && before === after) texts.after += ' (steps around it changed places)';
  // A setting that was on, or came on, is off on the other side: said so or not there at all.
  if (before === true) texts.after = 'no';
  if (after === true) texts.before = 'no';
  return { field, label: label ?? field, ...distinct(texts, before, after), form: formOf(field) };
}

const formOf = (field: string): FieldForm => (CODE.has(field) ? 'code' : WHOLE.has(field) ? 'whole' : 'text');

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function textOf(field: string, value: unknown, titleOf: TitleOf): string {
  if (value === undefined || value === null) return '';
  if (NAMES_STEPS.has(field)) {
    const ids = Array.isArray(value) ? value : [value];
    return ids.length === 0 ? (NO_STEPS[field] ?? '') : ids.map((id) => visibleText(titleOf(String(id)))).join('\n');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return visibleText(value.join(', '));
  return visibleText(JSON.stringify(value, null, 2));
}

/**
 * Both sides of a change such that they look different: as JSON if they would read alike (spaces of another width, composed
 * letters, a list of one item with a comma in it), with the characters written out that make the difference.
 */
function distinct(texts: { before: string; after: string }, before: unknown, after: unknown): typeof texts {
  if (looksOf(texts.before) !== looksOf(texts.after)) return texts;
  for (const spelled of [/(?! )\p{Zs}|\p{M}/gu, /[^\x20-\x7E]/gu]) {
    const stored = { before: storedText(before, spelled), after: storedText(after, spelled) };
    if (looksOf(stored.before) !== looksOf(stored.after)) return stored;
  }
  return texts;
}

/** A text as the eye compares it: line ends and spaces of all kinds alike, letters composed. */
const looksOf = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .normalize('NFC');

const storedText = (value: unknown, spelled: RegExp): string =>
  value === undefined || value === null ? '' : visibleText(JSON.stringify(value)).replaceAll(spelled, codePoint);
