import type { DraftFinding } from '@stet/contract';
import { FINDING_TAGS, findingsHeading } from '@stet/presentation/finding-lines';
import { useId } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import styles from './findings-band.module.css';

/** The number of findings that are shown at first. The others can be expanded. */
const IN_SIGHT = 10;

type FindingsBandProps = {
  findings: readonly DraftFinding[];
  isMerged: boolean;
  /** Moves the focus to the step's change below. */
  onStep: (stepId: string) => void;
};

/** The findings of the draft. They are above the changes because they matter most. */
export function FindingsBand({ findings, isMerged, onStep }: FindingsBandProps) {
  const name = useId();
  const { text, tone } = findingsHeading(findings, isMerged);
  const rest = findings.slice(IN_SIGHT);
  return (
    // The band looks like an alert, but it is part of the page, so it isn't announced.
    <section aria-labelledby={name} className={styles.band}>
      <Note tone={tone} isSilent>
        <h2 id={name}>{text}</h2>
        <Lines findings={findings.slice(0, IN_SIGHT)} onStep={onStep} />
        {rest.length > 0 && (
          <details>
            <summary>and {rest.length} more</summary>
            <Lines findings={rest} onStep={onStep} />
          </details>
        )}
      </Note>
    </section>
  );
}

function Lines({ findings, onStep }: Pick<FindingsBandProps, 'findings' | 'onStep'>) {
  const { withNames } = usePeople();
  if (findings.length === 0) return null;
  return (
    <ul>
      {findings.map(({ code, stepId, effect, sentence }) => (
        <li key={`${code} ${stepId} ${sentence}`} className={styles[effect]}>
          <span className={styles.tag}>{FINDING_TAGS[effect]}</span>
          {stepId === null ? (
            <span>{withNames(sentence)}</span>
          ) : (
            <LinkButton className={styles.line} onClick={() => onStep(stepId)}>
              {withNames(sentence)}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Replaces the band if the findings couldn't be loaded. */
export function FindingsError({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <div className={styles.band}>
      <Note tone="warn">
        <b>Failed to load the check for lost controls</b>: {sentence}{' '}
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </Note>
    </div>
  );
}
