import { formatSla } from '@stet/domain/sla';
import { isolated } from '@stet/domain/workflows';
import { stepsInWords, wayInWords } from '@stet/presentation/documentation';
import type { DescribedStep, StepRef, Way } from '@stet/presentation/documentation';
import { ArrowRight, Timer } from 'lucide-react';
import { memo } from 'react';
import { usePeople } from '../../../../lib/session/use-members.ts';
import { Who } from '../../../../ui/avatar.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { StepType } from '../../../../step-types/step-type.tsx';
import { TaskText } from './task-text.tsx';
import styles from './document.module.css';

export const DocumentStep = memo(function DocumentStep({ described }: { described: DescribedStep }) {
  const { number, title, step, after, form, message, rules, ways } = described;
  const { personOf, withNames } = usePeople();
  return (
    <li className={styles.docStep} id={`step-${number}`}>
      <span className={styles.docNumber} aria-hidden="true">
        {number}
      </span>
      <div>
        <h2>
          <span className="vh">Step {number}: </span>
          <bdi>{title}</bdi>
        </h2>
        <p className={styles.docMeta}>
          <StepType type={step.type} small />
          <Who {...personOf(step.assignee || 'Unassigned')} />
          {step.sla !== '' && (
            <span className="row">
              <Icon of={Timer} size="s" />
              <span className="vh">SLA </span>
              {formatSla(step.sla)}
            </span>
          )}
        </p>
        {step.description.trim() !== '' && <TaskText text={step.description} place={`step ${number}`} below={2} />}
        {form.length > 0 && <DocumentForm form={form} />}
        {message !== '' && (
          <>
            <p className="label">Message</p>
            <blockquote className={styles.docMessage} dir="auto">
              {message}
            </blockquote>
          </>
        )}
        {(after.length > 0 || rules.length > 0 || ways.length > 0) && (
          <ul className={styles.docRules}>
            {after.length > 0 && (
              <li>
                After <StepLinks refs={after} />
              </li>
            )}
            {rules.map((rule) => (
              <li key={rule}>{withNames(rule)}</li>
            ))}
            {ways.map((way) => (
              <li key={way.when}>
                <WayLine way={way} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
});

function DocumentForm({ form }: Pick<DescribedStep, 'form'>) {
  return (
    <>
      <p className="label">Form</p>
      <dl className={styles.docForm}>
        {form.map(({ id, label, answer, required, help }) => (
          <div key={id}>
            <dt dir="auto">{label}</dt>
            <dd>
              <bdi>{answer}</bdi> · {required}
              {help !== '' && (
                <span className="muted" dir="auto">
                  {help}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function WayLine({ way }: { way: Way }) {
  const { before, expression, after } = wayInWords(way);
  const to = way.when === 'rejected' ? (way.to ? [way.to] : []) : way.to;
  return (
    <span className={styles.docWay}>
      <bdi>{before}</bdi> {expression !== null && <code>{expression}</code>} <Icon of={ArrowRight} size="s" />
      <span className="vh"> then </span>{' '}
      {to.length === 0 ? (
        after
      ) : (
        <>
          {way.when === 'rejected' && 'back to '}
          <StepLinks refs={to} />
        </>
      )}
    </span>
  );
}

/** Links to steps: `step 4, Sign the contract` or `steps 3 and 4`. */
function StepLinks({ refs }: { refs: readonly StepRef[] }) {
  const [only, ...others] = refs;
  if (!only || others.length > 0) {
    return refs.map((ref, at) => (
      <span key={ref.id}>
        {at === 0 ? 'steps ' : at === refs.length - 1 ? ' and ' : ', '}
        <a href={`#step-${ref.number}`}>{ref.number}</a>
      </span>
    ));
  }
  return (
    <a href={`#step-${only.number}`}>
      {stepsInWords(refs)}, {isolated(only.title)}
    </a>
  );
}
