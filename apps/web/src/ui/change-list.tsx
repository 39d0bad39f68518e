import { useState } from 'react';
import type { ContentChanges, StepChange } from '../lib/content-changes.ts';
import { Button } from './button.tsx';
import { FieldTable, ValueList } from './field-table.tsx';
import { classNames } from './class-names.ts';
import styles from './change-list.module.css';

/** The number of steps that are shown at first, and that each 'Show more' adds (specification, section 9). */
const AT_ONCE = 200;
const KIND_WORDS = { added: 'added', removed: 'removed', modified: 'modified' } as const satisfies Record<
  StepChange['kind'],
  string
>;

/** The number of changes, the workflow's changed fields, and each changed step in document order. */
export function ChangeList({ changes }: { changes: ContentChanges }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { counts, metadata, steps } = changes;
  const hidden = steps.length - shown;
  return (
    <div className={styles.list}>
      <ul className={styles.counts} aria-label="Counts">
        {(['added', 'removed', 'modified'] as const).map((kind) => (
          <li key={kind} className={styles[kind]}>
            <b>{counts[kind]}</b> {KIND_WORDS[kind]}
          </li>
        ))}
      </ul>
      {metadata.length > 0 && (
        <section className={classNames('sheet', styles.step, styles.modified)} aria-label="Workflow">
          <h2>Workflow</h2>
          <FieldTable fields={metadata} of="the workflow" />
        </section>
      )}
      {steps.slice(0, shown).map((step) => (
        <section key={step.id} className={classNames('sheet', styles.step, styles[step.kind])} aria-label={step.title}>
          <h2>
            {step.title} <span className="mono muted">{step.id}</span>{' '}
            <span className={styles.kind}>{KIND_WORDS[step.kind]}</span>
          </h2>
          {step.kind === 'modified' ? (
            <FieldTable fields={step.fields} of={step.title} />
          ) : (
            <ValueList values={step.values} kind={step.kind} of={step.title} />
          )}
        </section>
      ))}
      {hidden > 0 && (
        <div className={styles.more}>
          <span className="muted">and {hidden === 1 ? '1 more step' : `${hidden} more steps`}</span>
          <Button size="sm" onClick={() => setShown(shown + AT_ONCE)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
