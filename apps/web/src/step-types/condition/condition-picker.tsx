import type { NameEntry } from '@stet/domain/expressions';
import { nameSteps } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import { valueWords } from '@stet/presentation/condition-words';
import type { PickedCondition } from '@stet/presentation/picked-condition';
import { Plus, Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { FieldControl } from '../manual/form-field.tsx';
import { NameField } from '../settings/name-field.tsx';
import {
  EMPTY_ROW,
  type ConditionRow,
  isWithoutValue,
  rowExpression,
  rowProblem,
  rowsOf,
  testsOf,
  withName,
} from './condition-rows.ts';
import styles from './condition-picker.module.css';

type ConditionPickerProps = {
  /** The stored expression. */
  text: string;
  picked: PickedCondition;
  names: readonly NameEntry[];
  steps: readonly Step[];
  tried: boolean;
  onChange: (text: string) => void;
};

type Rows = { text: string; join: 'and' | 'or'; rows: readonly ConditionRow[] };

/** Comparisons to pick from lists. Incomplete ones aren't part of the expression yet. */
export function ConditionPicker({ text, picked, names, steps, tried, onChange }: ConditionPickerProps) {
  const opened = (): Rows => ({ text, join: picked.join, rows: rowsOf(picked, names) });
  const [known, setKnown] = useState(opened);
  // If the expression was changed from outside, for example by undo, the rows are read from it again.
  const now = known.text === text ? known : opened();
  if (now !== known) setKnown(now);
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const { join, rows } = now;

  const write = (change: Partial<Rows>) => {
    const next = { ...now, ...change };
    const complete = next.rows.flatMap((row) => rowExpression(row) ?? []);
    const written = complete.join(` ${next.join} `);
    setKnown({ ...next, text: written });
    if (written !== text) onChange(written);
  };
  const addRow = () => {
    write({ rows: [...rows, EMPTY_ROW] });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-row]:last-of-type input')?.focus());
  };
  const removeRow = (at: number) => {
    const left = rows.toSpliced(at, 1);
    write({ rows: left.length === 0 ? [EMPTY_ROW] : left });
    setTouched(new Set());
    add.current?.focus();
  };
  return (
    <div className={styles.picker} ref={list}>
      {rows.map((row, at) => (
        <Comparison
          key={at}
          row={row}
          at={at}
          names={names}
          steps={steps}
          isOnly={rows.length === 1}
          showsProblem={(tried || touched.has(at)) && (rows.length > 1 || row.path !== null)}
          onLeave={() => setTouched(new Set(touched).add(at))}
          onRemove={() => removeRow(at)}
          onChange={(changed) => write({ rows: rows.with(at, changed) })}
        >
          {at === 1 && (
            <Field label="Join the comparisons with" labelHidden>
              {(control) => (
                <Select
                  {...control}
                  value={join}
                  onChange={({ target }) => write({ join: target.value === 'or' ? 'or' : 'and' })}
                >
                  <option value="and">and</option>
                  <option value="or">or</option>
                </Select>
              )}
            </Field>
          )}
          {at > 1 && <span className="muted">{join}</span>}
        </Comparison>
      ))}
      <Button size="sm" tone="quiet" icon={Plus} ref={add} onClick={addRow}>
        Add comparison
      </Button>
    </div>
  );
}

type ComparisonProps = {
  row: ConditionRow;
  at: number;
  names: readonly NameEntry[];
  steps: readonly Step[];
  isOnly: boolean;
  showsProblem: boolean;
  /** Called when the focus leaves the row. */
  onLeave: () => void;
  onRemove: () => void;
  onChange: (row: ConditionRow) => void;
  /** The joining word, which is shown above this row. */
  children: React.ReactNode;
};

function Comparison(props: ComparisonProps) {
  const { row, at, names, steps, isOnly, showsProblem, onLeave, onRemove, onChange, children } = props;
  const titleOf = useMemo(() => nameSteps(steps), [steps]);
  const problem = showsProblem ? rowProblem(row) : null;
  const isNamed = row.path !== null;
  const value = row.path === null ? '' : valueWords(row.path, { titleOf, steps });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- It only notices that the focus leaves.
    <div
      data-row=""
      role="group"
      aria-label={`Comparison ${at + 1}`}
      className={styles.comparison}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave();
      }}
    >
      {children && <div className={styles.join}>{children}</div>}
      <div className={styles.name}>
        <NameField
          label="Value"
          names={names}
          steps={steps}
          placeholder="Choose a value"
          value={value}
          error={isNamed ? null : problem}
          onPick={(name) => onChange(withName(row, name))}
        />
      </div>
      <Field label="Test" labelHidden>
        {(control) => (
          <Select
            {...control}
            disabled={!isNamed}
            value={row.test}
            onChange={({ target }) =>
              onChange({
                ...row,
                test: testsOf(row).find(({ test }) => test === target.value)?.test ?? '=',
                text: null,
              })
            }
          >
            {testsOf(row).map(({ test, words }) => (
              <option key={test} value={test}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className={styles.value}>
        {!isWithoutValue(row.test) && (
          <Field label="Compare with" labelHidden error={isNamed ? problem : null}>
            {(control) => (
              <FieldControl
                control={control}
                field={{
                  id: '',
                  label: '',
                  kind: row.kind === 'many_of' ? 'choice' : row.kind,
                  options: [...row.options],
                  required: false,
                }}
                value={row.typed}
                disabled={!isNamed}
                onChange={(typed) => onChange({ ...row, typed, text: null })}
                onBlur={undefined}
              />
            )}
          </Field>
        )}
      </div>
      <IconButton
        size="sm"
        tone="quiet-danger"
        className={styles.remove}
        label={`Remove comparison ${at + 1}`}
        icon={Trash2}
        disabled={isOnly && !isNamed}
        onClick={onRemove}
      />
    </div>
  );
}
