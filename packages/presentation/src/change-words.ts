import { METADATA, codePoint, sameJson, visibleText } from '@stet/domain/workflows';
import { type Step, settingNamed } from '@stet/domain/steps';
import type { ValueNames } from './condition-tree.ts';
import { conditionSentence, readableExpression, readableMessage } from './condition-words.ts';
import { type FormTable, formTable, formText } from './form-changes.ts';
import { plainText } from './plain-text.ts';

/** An entry of a diff, from the domain or from an HTTP response. */
type DiffEntry = {
  id: string;
  type: 'added' | 'removed' | 'modified';
  changes?: Record<string, { before?: unknown; after?: unknown }> | undefined;
  value?: unknown;
  previous?: readonly string[] | undefined;
};

/**
 * A line of a change: the field's label, and its text before and after. `table`: the change field by field, if the
 * value is a form.
 */
export type FieldChange = {
  field: string;
  label: string;
  before: string;
  after: string;
  form: FieldForm;
  table?: FormTable;
};
/**
 * How the text is compared and shown: `text` and `code` word by word, `code` in a monospaced font, `whole` as a whole.
 */
export type FieldForm = 'text' | 'whole' | 'code';
/** A line of an added or removed step. */
export type FieldValue = { field: string; label: string; text: string; form: FieldForm; table?: FormTable };

type TitleOf = (stepId: string) => string;

// The labels of a step's fields: those of the editor's columns (specification, section 2), and of links and positions.
const FIELD_LABELS: Record<string, string> = {
  title: 'Step',
  description: 'Task',
  assignee: 'Assignee',
  sla: 'SLA',
  type: 'Type',
  next: 'Leads to',
  previous: 'Comes after',
  position: 'Position',
  onTrue: 'If true',
  onFalse: 'If false',
};
const WHOLE = new Set(['assignee', 'type', 'position']);
const LINKS = new Set(['next', 'previous', 'onTrue', 'onFalse']);
// A branch setting has no line of its own if another line shows the steps that follow the result.
const SHOWN_AS: Record<string, string> = { trueNext: 'onTrue', falseNext: 'onFalse' };
// An absent setting in words, if it isn't obvious.
const ABSENT: Record<string, string> = { skip: 'allowed' };
const NO_STEPS: Record<string, string> = {
  next: 'the end of the run',
  onTrue: 'the end of the run',
  onFalse: 'the end of the run',
  previous: 'the start of the run',
};

/**
 * Returns the lines of a modified step in its review: settings one by one, steps by their titles (specification,
 * section 2).
 * @param steps the known steps of both sides, the newer ones last, whose labels name values in conditions and messages
 */
export function fieldChanges(
  { changes = {} }: DiffEntry,
  titleOf: TitleOf,
  steps: readonly Step[] = [],
): FieldChange[] {
  const names = { titleOf, steps };
  return Object.entries(changes).flatMap(([field, { before, after }]) => {
    if (field !== 'config') return [changeOf(field, FIELD_LABELS[field], before, after, names)];
    const [old, now] = [recordOf(before), recordOf(after)];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((name) => !sameJson([old[name] ?? null], [now[name] ?? null]) && !((SHOWN_AS[name] ?? name) in changes))
      .map((name) => changeOf(name, settingNamed(name)?.label, old[name], now[name], names));
  });
}

/** Returns the lines of an added or removed step; its title is the heading. */
export function fieldValues(
  { value, previous }: DiffEntry,
  titleOf: TitleOf,
  steps: readonly Step[] = [],
): FieldValue[] {
  const names = { titleOf, steps };
  const step = value as Step;
  const links = [...(previous ? [['previous', previous] as const] : []), ['next', step.next] as const];
  const plain = ['type', 'assignee', 'sla', 'description'] as const;
  return [...plain.map((name) => [name, step[name]] as const), ...links, ...Object.entries(step.config)]
    .map(([field, content]) => ({
      field,
      label: FIELD_LABELS[field] ?? settingNamed(field)?.label ?? field,
      text: textOf(field, content, names),
      form: formOf(field),
      ...tableOf(field, undefined, content),
    }))
    .filter(({ text }) => text !== '');
}

/**
 * Returns the lines with people by name instead of address. If both sides of a change would then look the same, their
 * addresses stay.
 */
export function withPeopleNamed<Line extends FieldChange | FieldValue>(
  lines: readonly Line[],
  nameOf: (address: string) => string,
): Line[] {
  return lines.map((line) => {
    if (line.field !== 'assignee' && line.field !== 'recipients') return line;
    const named = (text: string): string => text.split(', ').map(nameOf).join(', ');
    if ('text' in line) return { ...line, text: named(line.text) };
    const texts = { before: named(line.before), after: named(line.after) };
    return looksSame(texts) ? line : { ...line, ...texts };
  });
}

/** Returns the lines for changes to the workflow's metadata. */
export function metadataChanges(metadata: Record<string, { before?: unknown; after?: unknown }>): FieldChange[] {
  const labels: Record<string, { label: string }> = METADATA;
  return Object.entries(metadata).map(([field, { before, after }]) =>
    changeOf(field, labels[field]?.label, before, after, { titleOf: (id) => id, steps: [] }),
  );
}

function changeOf(
  field: string,
  label: string | undefined,
  before: unknown,
  after: unknown,
  names: ValueNames,
): FieldChange {
  const texts = { before: textOf(field, before, names), after: textOf(field, after, names) };
  // A moved step can have the same number as before, because other steps were moved, added or removed too.
  if (field === 'position' && before === after) texts.after += ' (steps around it were reordered)';
  // A boolean setting that is on in one version is off in the other, even if it is absent there.
  if (before === true) texts.after = 'no';
  if (after === true) texts.before = 'no';
  const exact = { before: exactTextOf(field, before, names), after: exactTextOf(field, after, names) };
  return {
    field,
    label: label ?? field,
    ...distinct(looksSame(texts) ? exact : texts, before, after),
    form: formOf(field),
    ...tableOf(field, before, after),
  };
}

function tableOf(field: string, before: unknown, after: unknown): { table?: FormTable } {
  const table = field === 'fields' ? formTable(before, after, distinct) : null;
  return table === null ? {} : { table };
}

// A condition is shown as a sentence.
const formOf = (field: string): FieldForm =>
  field === 'condition' ? 'text' : (settingNamed(field)?.form ?? (WHOLE.has(field) ? 'whole' : 'text'));

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function textOf(field: string, value: unknown, names: ValueNames): string {
  const { titleOf } = names;
  if (value === undefined || value === null) return ABSENT[field] ?? '';
  if (LINKS.has(field) || settingNamed(field)?.names) {
    const ids = Array.isArray(value) ? value : [value];
    return ids.length === 0 ? (NO_STEPS[field] ?? '') : ids.map((id) => visibleText(titleOf(String(id)))).join('\n');
  }
  if (field === 'condition' && typeof value === 'string') return conditionText(value, names);
  if (field === 'template' && typeof value === 'string') return readableMessage(value, names);
  if (field === 'fields') return formText(value, false) ?? plainText(value);
  return plainText(value);
}

/**
 * Like `textOf`, but with everything that it omits: the expression of a condition, the placeholders of a message as
 * stored, and the names of form fields.
 */
function exactTextOf(field: string, value: unknown, names: ValueNames): string {
  if (field === 'condition' && typeof value === 'string') return withExpression(conditionText(value, names), value);
  if (field === 'template' && typeof value === 'string') return visibleText(value);
  if (field === 'fields') return formText(value, true) ?? plainText(value);
  return textOf(field, value, names);
}

/** Returns a sentence if the expression is simple; otherwise the expression with readable names, then as stored. */
function conditionText(expression: string, names: ValueNames): string {
  const sentence = conditionSentence(expression, names);
  return sentence ?? withExpression(readableExpression(expression, names), expression);
}

function withExpression(text: string, expression: string): string {
  const itself = visibleText(expression);
  return text === itself || text.endsWith(`\nExpression: ${itself}`) ? text : `${text}\nExpression: ${itself}`;
}

/**
 * Makes both sides of a change look different. Two sides can look the same if they differ, for example, in kinds of
 * spaces, in composed letters, or in a list of one item that contains a comma. Such sides are shown as JSON, with
 * special spaces and combining marks as code points. If that isn't enough, all characters outside ASCII are shown as
 * code points.
 */
function distinct(texts: { before: string; after: string }, before: unknown, after: unknown): typeof texts {
  if (sameJson([before ?? null], [after ?? null])) return texts;
  if (!looksSame(texts)) return texts;
  for (const spelled of [/(?! )\p{Zs}|\p{M}/gu, /[^\x20-\x7E]/gu]) {
    const stored = { before: storedText(before, spelled), after: storedText(after, spelled) };
    if (!looksSame(stored)) return stored;
  }
  return texts;
}

const looksSame = ({ before, after }: { before: string; after: string }): boolean => looksOf(before) === looksOf(after);

/** Returns text as it looks: line ends and spaces of all kinds are equal, and letters are composed. */
const looksOf = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .normalize('NFC');

const storedText = (value: unknown, spelled: RegExp): string =>
  value === undefined || value === null ? '' : visibleText(JSON.stringify(value)).replaceAll(spelled, codePoint);
