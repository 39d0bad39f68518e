import type { FieldChange, FieldValue } from '@stet/presentation/change-words';
import { OneSide, useSegments } from './changed-words.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './change-card.module.css';

/**
 * The fields with their values before and after (specification, section 2, review screen). Changed words are marked.
 */
export function FieldTable({ fields, of }: { fields: readonly FieldChange[]; of: string }) {
  return (
    <table className={styles.fld}>
      <caption className="vh">Changes of {of}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <FieldRow key={field.field} {...field} />
        ))}
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
      <td className={classNames(styles.b, look)} dir="auto">
        <OneSide segments={segments} side="before" />
      </td>
      <td className={classNames(styles.a, look)} dir="auto">
        <OneSide segments={segments} side="after" />
      </td>
    </tr>
  );
}

/** The content of an added or removed step. */
export function ValueList({ values }: { values: readonly FieldValue[] }) {
  return (
    <dl className={styles.val}>
      {values.map(({ field, label, text, form }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd className={form === 'code' ? 'mono' : undefined} dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
