import { Check, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useSetupProgress } from '../api/use-setup-progress.ts';
import { firstSteps } from '../model/first-steps-done.ts';
import type { SetupProgress, FirstStep } from '../model/first-steps-done.ts';
import { useHidden } from './use-hidden.ts';
import styles from './first-steps.module.css';

type FirstStepsProps = Pick<SetupProgress, 'draft' | 'liveKey'> & {
  organizationId: string;
  isTeam: boolean;
  /** Opens the templates on the same page. */
  onWrite: () => void;
};

/**
 * A checklist that leads from an empty organization to its first run. It is hidden once it is completed or dismissed,
 * or if its state can't be loaded.
 */
export function FirstSteps({ organizationId, isTeam, draft, liveKey, onWrite }: FirstStepsProps) {
  const titleId = useId();
  const { hidden, hide } = useHidden(organizationId);
  const { data, isError } = useSetupProgress({ organizationId, isTeam, enabled: !hidden });
  if (hidden || isError) return null;
  if (!data)
    return (
      <div className={styles.firstStepsWait} role="status" aria-busy="true" aria-label="Loading the first steps" />
    );
  const steps = firstSteps({ draft, liveKey, ...data });
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={classNames('sheet', styles.firstSteps)} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>Get started</h2>
        <p className="xs muted">
          {done} of {steps.length} done
        </p>
        <Button tone="quiet" size="sm" icon={X} onClick={hide}>
          Hide
        </Button>
      </header>
      <ol>
        {steps.map((step, index) => (
          <Row key={step.name} step={step} number={index + 1} isNext={step === next} onWrite={onWrite} />
        ))}
      </ol>
    </section>
  );
}

type RowProps = { step: FirstStep; number: number; isNext: boolean; onWrite: () => void };

function Row({ step: { title, about, isDone, action }, number, isNext, onWrite }: RowProps) {
  return (
    <li className={classNames(isDone && styles.done)} aria-current={isNext ? 'step' : undefined}>
      <span className={styles.number} aria-hidden="true">
        {isDone ? <Icon of={Check} size="s" /> : number}
      </span>
      <div>
        <h3>
          {title}
          {isDone && <span className="vh"> (done)</span>}
        </h3>
        <p className="xs">{about}</p>
        {isNext &&
          (action ? (
            <ButtonLink to={action.to} size="sm">
              {action.label}
            </ButtonLink>
          ) : (
            <Button size="sm" onClick={onWrite}>
              Choose a template
            </Button>
          ))}
      </div>
    </li>
  );
}
