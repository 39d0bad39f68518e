import { inDocumentOrder, movedIds } from '@stet/domain/drafts';
import type { FieldKind } from '@stet/domain/steps';
import { plainText } from './plain-text.ts';

/** The kinds of form fields in words. */
export const FIELD_KIND_WORDS = {
  text: 'Text',
  long_text: 'Long text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
  many_of: 'Several choices',
  yes_no: 'Yes or no',
  person: 'Person',
  file_link: 'File link',
  file: 'File',
  photo: 'Photo',
} as const satisfies Record<FieldKind, string>;

/**
 * The fields of a form on both sides, each with one cell for each column. The cells of an unchanged field are the same
 * on both sides.
 */
export type FormTable = {
  columns: string[];
  rows: { id: string; kind: 'added' | 'removed' | 'modified' | 'unchanged'; cells: Cell[] }[];
};
type Cell = { before: string; after: string };

/** A stored field. Other versions of the product may store more properties. */
type Field = { id: string; label: string; kind: string; required?: boolean };
type Column = { head: string; valueOf: (field: Field) => unknown };

const KNOWN = new Set(['id', 'label', 'kind', 'required']);
/** The settings that only some fields have. */
const HEADS: Readonly<Record<string, string>> = {
  requiredIf: 'Required if',
  options: 'Options',
  min: 'Minimum',
  max: 'Maximum',
  unit: 'Unit',
  help: 'Help',
};
const BASE: readonly Column[] = [
  { head: 'Field', valueOf: ({ label }) => label },
  { head: 'Kind', valueOf: ({ kind }) => kindWord(kind) },
  { head: 'Required', valueOf: ({ required }) => (required ? 'yes' : 'no') },
];
const NAME: Column = { head: 'Name', valueOf: ({ id }) => id };

/**
 * Compares two forms field by field, in document order. The names that expressions use have a column only if two fields
 * of a form have the same label, or if fields were both removed and added, because one may have been renamed. Positions
 * have one only if a field was moved. Null if neither side has fields, or if a side isn't a list of fields with
 * different ids.
 * @param distinct makes the two sides of a cell look different if their values are
 */
export function formTable(
  before: unknown,
  after: unknown,
  distinct: (texts: Cell, before: unknown, after: unknown) => Cell,
): FormTable | null {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || now === null || old.length + now.length === 0) return null;
  const was = new Map(old.map((field) => [field.id, field]));
  const is = new Map(now.map((field) => [field.id, field]));
  const moved = movedIds(old, now);
  const both = inDocumentOrder(old, now).map(({ id }) => ({ id, was: was.get(id), is: is.get(id) }));
  const columns = columnsOf(old, now);
  const rows = both.map((field): FormTable['rows'][number] => {
    const cells = columns.map(({ valueOf }) => {
      const [one, other] = [field.was && valueOf(field.was), field.is && valueOf(field.is)];
      return distinct({ before: plainText(one), after: plainText(other) }, one, other);
    });
    const place = (list: readonly Field[]): string => {
      const index = list.findIndex(({ id }) => id === field.id);
      return index === -1 ? '' : String(index + 1);
    };
    if (moved.size > 0)
      cells.push(
        moved.has(field.id)
          ? { before: place(old), after: place(now) }
          : { before: field.was ? place(field.is ? now : old) : '', after: place(now) },
      );
    const isSame = cells.every((cell) => cell.before === cell.after);
    return {
      id: field.id,
      kind: !field.was ? 'added' : !field.is ? 'removed' : isSame ? 'unchanged' : 'modified',
      cells,
    };
  });
  return { columns: [...columns.map(({ head }) => head), ...(moved.size > 0 ? ['Position'] : [])], rows };
}

/**
 * Returns a form as text, one field per line. `named`: with the names that expressions use. Null if the value isn't a
 * list of fields with different ids.
 */
export function formText(value: unknown, named: boolean): string | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const extra = extraColumns(fields);
  return fields
    .map((field) => {
      const facts = [
        kindWord(field.kind).toLowerCase(),
        ...(field.required ? ['required'] : []),
        ...extra.flatMap(({ head, valueOf }) =>
          valueOf(field) === undefined ? [] : [`${head.toLowerCase()}: ${plainText(valueOf(field))}`],
        ),
        ...(named ? [`named ${field.id}`] : []),
      ];
      return `${plainText(field.label)} (${facts.join('; ')})`;
    })
    .join('\n');
}

function columnsOf(old: readonly Field[], now: readonly Field[]): Column[] {
  const ids = new Set(now.map(({ id }) => id));
  const oldIds = new Set(old.map(({ id }) => id));
  const isRenamed = old.some(({ id }) => !ids.has(id)) && now.some(({ id }) => !oldIds.has(id));
  const isShared = [old, now].some((fields) => new Set(fields.map(({ label }) => label)).size < fields.length);
  return [...BASE, ...(isRenamed || isShared ? [NAME] : []), ...extraColumns([...old, ...now])];
}

function extraColumns(fields: readonly Field[]): Column[] {
  const used = new Set(fields.flatMap((field) => Object.keys(field)));
  const others = [...used].filter((name) => !KNOWN.has(name) && !Object.hasOwn(HEADS, name));
  return [...Object.keys(HEADS).filter((name) => used.has(name)), ...others].map((name) => ({
    head: HEADS[name] ?? name,
    valueOf: (field) => (field as Record<string, unknown>)[name],
  }));
}

const kindWord = (kind: string): string => (FIELD_KIND_WORDS as Record<string, string>)[kind] ?? kind;

function fieldsOf(value: unknown): Field[] | null {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return null;
  const isField = (each: unknown): each is Field =>
    typeof each === 'object' &&
    each !== null &&
    (['id', 'label', 'kind'] as const).every((name) => typeof (each as Record<string, unknown>)[name] === 'string');
  const fields = value.filter(isField);
  const isList = fields.length === value.length && new Set(fields.map(({ id }) => id)).size === value.length;
  return isList ? fields : null;
}
