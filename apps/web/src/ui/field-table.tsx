import type { FieldChange, FieldForm, FieldValue } from '@stet/presentation/change-words';
import type { FormTable } from '@stet/presentation/form-changes';
import { type WordSegment, diffWords } from '@stet/presentation/diff-words';
import { Fragment, type ReactNode, useMemo } from 'react';
import { classNames } from './class-names.ts';
import styles from './field-table.module.css';

/**
 * The fields with their values before and after (specification, section 2, review screen). Changed words are marked. A
 * form is compared cell by cell.
 */
export function FieldTable({ fields, of }: { fields: readonly FieldChange[]; of: string }) {
  return (
    <table className={styles.fld}>
      <caption className="vh">Changes to {of}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) =>
          field.table ? (
            <tr key={field.field}>
              <th scope="row">{field.label}</th>
              <td className={styles.whole} colSpan={2}>
                <ComparedForm table={field.table} caption={`Form of ${of}, before and after`} />
              </td>
            </tr>
          ) : (
            <FieldRow key={field.field} {...field} />
          ),
        )}
      </tbody>
    </table>
  );
}

function FieldRow({ label, before, after, form }: FieldChange) {
  const segments = useSegments({ before, after, form });
  const look = form === 'code' && 'mono';
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={classNames(before !== '' && styles.b, look)} dir="auto">
        <OneSide segments={segments} side="before" />
      </td>
      <td className={classNames(after !== '' && styles.a, look)} dir="auto">
        <OneSide segments={segments} side="after" />
      </td>
    </tr>
  );
}

type Sides = { before: string; after: string; form: FieldForm };

/** A change's segments: its words, or the whole value if individual words would be meaningless. */
function useSegments({ before, after, form }: Sides): readonly WordSegment[] {
  return useMemo(() => {
    if (form !== 'whole') return diffWords(before, after);
    const whole: WordSegment[] = [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
    return whole.filter(({ text }) => text !== '');
  }, [before, after, form]);
}

/** One side of a change. Words that the other side lacks are marked. */
function OneSide({ segments, side }: { segments: readonly WordSegment[]; side: 'before' | 'after' }) {
  const own = side === 'before' ? 'removed' : 'added';
  const shown = segments.filter(({ kind }) => kind === 'same' || kind === own);
  if (shown.length === 0) return <span className={styles.nothing}>empty</span>;
  return shown.map(({ kind, text }, index) => {
    if (kind === 'same') return text;
    // The mark excludes white space around a word, unless only white space changed.
    const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
    const marked = words === '' ? text : words;
    return (
      <Fragment key={index}>
        {words !== '' && before}
        {kind === 'removed' ? <del>{marked}</del> : <ins>{marked}</ins>}
        {words !== '' && after}
      </Fragment>
    );
  });
}

const SIGNS = { added: '+', removed: '−', modified: '±', unchanged: '' } as const;

/** The fields of a form, with both values in each changed cell. */
function ComparedForm({ table: { columns, rows }, caption }: { table: FormTable; caption: string }) {
  return (
    <FormFrame columns={columns} caption={caption}>
      {rows.map(({ id, kind, cells }) => (
        <tr key={id} className={kind === 'added' || kind === 'removed' ? styles[kind] : undefined}>
          {cells.map(({ before, after }, n) => {
            const content =
              kind === 'modified' || kind === 'unchanged' ? (
                <ComparedCell before={before} after={after} />
              ) : kind === 'added' ? (
                after !== '' && <ins>{after}</ins>
              ) : (
                before !== '' && <del>{before}</del>
              );
            return n > 0 ? (
              <td key={columns[n]} dir="auto">
                {content}
              </td>
            ) : (
              <th key={columns[n]} scope="row" dir="auto">
                <span className={styles.sign} aria-hidden="true">
                  {SIGNS[kind]}
                </span>
                {kind !== 'unchanged' && <span className="vh">{kind}: </span>}
                {content}
              </th>
            );
          })}
        </tr>
      ))}
    </FormFrame>
  );
}

function ComparedCell({ before, after }: { before: string; after: string }) {
  if (before === after) return after;
  return (
    <span className={styles.cell}>
      {before !== '' && <del>{before}</del>}
      {after !== '' && <ins>{after}</ins>}
    </span>
  );
}

/** The fields of a form that was added or removed as a whole. */
function WholeForm({ table: { columns, rows }, caption }: { table: FormTable; caption: string }) {
  return (
    <FormFrame columns={columns} caption={caption}>
      {rows.map(({ id, cells }) => (
        <tr key={id}>
          {cells.map(({ after }, n) => (
            <td key={columns[n]} dir="auto">
              {after}
            </td>
          ))}
        </tr>
      ))}
    </FormFrame>
  );
}

type FormFrameProps = {
  columns: readonly string[];
  /** Unique on the screen, because it names a region. */
  caption: string;
  children: ReactNode;
};

function FormFrame({ columns, caption, children }: FormFrameProps) {
  return (
    // Wide forms scroll, so the frame must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.form} tabIndex={0} role="region" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

type ValueListProps = { values: readonly FieldValue[]; kind: 'added' | 'removed'; of: string };

/** The content of an added or removed step. */
export function ValueList({ values, kind, of }: ValueListProps) {
  return (
    <dl className={classNames(styles.val, styles[kind])}>
      {values.map(({ field, label, text, form, table }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd className={form === 'code' ? 'mono' : undefined} dir="auto">
            {table ? <WholeForm table={table} caption={`Form of ${of}, ${kind}`} /> : text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
