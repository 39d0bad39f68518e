import { checkFieldList, type InputField } from '@stet/domain/steps';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { canAdd, withEmptyField, withMoved, withoutField } from './field-list-edits.ts';
import { FieldRow } from './field-row.tsx';
import { FormPreview } from './form-preview.tsx';
import styles from '../settings/step-settings.module.css';

type FieldListProps = { fields: readonly InputField[]; tried: boolean; onChange: (fields: InputField[]) => void };

/** The fields of a manual step's form. The person can add, reorder and remove them. */
export function FieldList({ fields, tried, onChange }: FieldListProps) {
  // Each row has its own key, so that it keeps its state when it is moved or renamed.
  const [keys, setKeys] = useState(() => fields.map((_, index) => index));
  const [known] = useState(() => fields.length);
  const [announcement, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const problems = checkFieldList(fields);

  const focusRow = (index: number, part: string): void => {
    // Wait until the list has rerendered.
    requestAnimationFrame(() => {
      const row = list.current?.children[index];
      (row?.querySelector<HTMLElement>(part) ?? addButton.current)?.focus();
    });
  };
  const add = () => {
    setKeys([...keys, Math.max(known, ...keys.map((key) => key + 1))]);
    onChange(withEmptyField(fields));
    focusRow(fields.length, 'input');
  };
  const remove = (index: number) => {
    setKeys(keys.filter((_, at) => at !== index));
    onChange(withoutField(fields, index));
    setSaid(`${fields[index]?.label || 'Field'} removed`);
    focusRow(Math.min(index, fields.length - 2), '[data-remove]');
  };
  const move = (index: number, by: 1 | -1) => {
    const target = index + by;
    if (target < 0 || target >= fields.length) return;
    setKeys(keys.map((key, at) => (at === index ? (keys[target] ?? key) : at === target ? (keys[index] ?? key) : key)));
    onChange(withMoved(fields, index, by));
    setSaid(`${fields[index]?.label || 'Field'} is now ${target + 1} of ${fields.length}`);
    focusRow(target, by === 1 ? '[data-down]' : '[data-up]');
  };

  return (
    <section className={styles.fieldList} aria-label="Form fields">
      <div className="row between">
        <h3 className="h3">Form fields</h3>
        <Button
          ref={addButton}
          size="sm"
          icon={Plus}
          disabledReason={canAdd(fields) ? undefined : 'A form can have at most 50 fields'}
          onClick={add}
        >
          Add field
        </Button>
      </div>
      {fields.length === 0 ? (
        <p className={styles.hint}>Without fields, the step asks for a text answer.</p>
      ) : (
        <ol ref={list}>
          {fields.map((field, index) => (
            <FieldRow
              key={keys[index] ?? index}
              field={field}
              index={index}
              fields={fields}
              isNew={(keys[index] ?? index) >= known}
              tried={tried}
              problem={problems.find((each) => each.index === index)?.problem ?? null}
              onChange={onChange}
              onMove={move}
              onRemove={remove}
            />
          ))}
        </ol>
      )}
      {fields.length > 0 && <FormPreview fields={fields} />}
      <span className="vh" role="status">
        {announcement}
      </span>
    </section>
  );
}
