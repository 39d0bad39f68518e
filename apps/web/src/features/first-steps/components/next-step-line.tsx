import { X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { useSetupProgress } from '../api/use-setup-progress.ts';
import { firstSteps } from '../model/first-steps-done.ts';
import type { SetupProgress } from '../model/first-steps-done.ts';
import { useHidden } from './use-hidden.ts';
import styles from './next-step-line.module.css';

type NextStepLineProps = Pick<SetupProgress, 'draft' | 'liveKey'> & { organizationId: string; isTeam: boolean };

/**
 * Shows the first open step at the bottom of the editor, because the editor has no checklist. The line overlays the
 * page, so that nothing moves; in a window of at most 480 px height, it is part of the page. Dismissing it also
 * dismisses the checklist.
 */
export function NextStepLine({ organizationId, isTeam, draft, liveKey }: NextStepLineProps) {
  const { hidden, hide } = useHidden(organizationId);
  const { data } = useSetupProgress({ organizationId, isTeam, enabled: !hidden });
  if (hidden || !data) return null;
  const steps = firstSteps({ draft, liveKey, ...data });
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  // Steps that are done in the editor have their own button there.
  const isDoneHere = next.name === 'write' || next.name === 'live';
  return (
    <section className={styles.nextStep} data-edge="foot" aria-label="Get started">
      <p>
        <span className="muted">
          Step {steps.indexOf(next) + 1} of {steps.length}
        </span>{' '}
        <b>{next.title}</b>{' '}
        <span className="two">{next.name === 'write' ? 'Adapt the template, then save it.' : next.about}</span>
      </p>
      {next.action && !isDoneHere && (
        <ButtonLink to={next.action.to} size="sm">
          {next.action.label}
        </ButtonLink>
      )}
      <Button tone="quiet" size="sm" icon={X} onClick={hide}>
        Hide
      </Button>
    </section>
  );
}
