import type { FieldChange, FieldValue } from '@stet/domain/drafts';
import { OneSide, useSegments } from './changed-words.tsx';

/** Field, before, after (specification, section 2, review screen), with the words that changed marked. */
export function FieldTable({ fields, of }: { fields: readonly FieldChange[]; of: string }) {
  return (
    <table className="fld">
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
  const look = form === 'code' ? ' mono' : '';
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={`b${look}`} dir="auto">
        <OneSide segments={segments} side="before" />
      </td>
      <td className={`a${look}`} dir="auto">
        <OneSide segments={segments} side="after" />
      </td>
    </tr>
  );
}

/** What a step that was added or removed says. */
export function ValueList({ values }: { values: readonly FieldValue[] }) {
  return (
    <dl className="val">
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
