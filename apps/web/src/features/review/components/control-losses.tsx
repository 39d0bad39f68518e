import type { DraftImpact, WholeDraft } from '@stet/contract';
import { contentFindings, isolated, stepTitle, visibleText } from '@stet/domain/workflows';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { Note } from '../../../ui/note.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './control-losses.module.css';

/** How many losses are shown at first. The others can be expanded. */
const IN_SIGHT = 10;

/** The controls that the draft removes or weakens. They are above the changes because they matter most. */
export function ControlLosses({ losses, isMerged }: { losses: DraftImpact['controlLosses']; isMerged: boolean }) {
  const name = useId();
  if (losses.length === 0) return null;
  const count = losses.length === 1 ? 'a control' : `${losses.length} controls`;
  const rest = losses.slice(IN_SIGHT);
  return (
    // It looks like an alert, but it is part of the page, so it isn't announced.
    <section aria-labelledby={name} className={classNames('note bad', styles.controlLosses)}>
      <Icon of={CircleAlert} />
      <div className="grow">
        <h2 id={name}>
          {isMerged ? `This version removed or weakened ${count}` : `This draft removes or weakens ${count}`}
        </h2>
        <Sentences losses={losses.slice(0, IN_SIGHT)} />
        {rest.length > 0 && (
          <details>
            <summary>and {rest.length} more</summary>
            <Sentences losses={rest} />
          </details>
        )}
      </div>
    </section>
  );
}

function Sentences({ losses }: { losses: DraftImpact['controlLosses'] }) {
  return (
    <ul>
      {losses.map(({ kind, stepId, sentence }) => (
        <li key={`${kind} ${stepId} ${sentence}`}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Warnings about addresses that mix scripts or don't belong to a member. */
export function AddressWarnings({ warnings }: { warnings: DraftImpact['warnings'] }) {
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Addresses to check" className={styles.controlLosses}>
      <Note tone="warn">
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.kind} ${warning.stepId} ${warning.field} ${warning.address}`}>{inWords(warning)}</li>
          ))}
        </ul>
      </Note>
    </section>
  );
}

/** Weaknesses of the draft's content, such as an automated step without a script. */
export function ContentFindings({ draft }: { draft: Pick<WholeDraft, 'metadata' | 'steps'> }) {
  const findings = contentFindings(draft);
  if (findings.length === 0) return null;
  const lines = findings.map(({ stepId, sentence }) => {
    const step = draft.steps.find(({ id }) => id === stepId);
    return step ? `${isolated(visibleText(stepTitle(step)))}: ${sentence}` : sentence;
  });
  const rest = lines.slice(IN_SIGHT);
  return (
    <section aria-label="Content to check" className={styles.controlLosses}>
      <Note tone="warn">
        <Lines lines={lines.slice(0, IN_SIGHT)} />
        {rest.length > 0 && (
          <details>
            <summary>and {rest.length} more</summary>
            <Lines lines={rest} />
          </details>
        )}
      </Note>
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function inWords({ kind, title, address }: DraftImpact['warnings'][number]): string {
  const what = `${isolated(title)}: ${isolated(visibleText(address))}`;
  if (kind === 'mixed_scripts')
    return `${what} mixes letters from several scripts. Check that it is the address you mean.`;
  return `${what} is assigned but isn't a member of this organization.`;
}
