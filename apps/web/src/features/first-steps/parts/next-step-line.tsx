import { X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { useBeginnings } from '../api/use-beginnings.ts';
import { firstSteps } from '../model/first-steps.ts';
import type { Beginnings } from '../model/first-steps.ts';
import { useHidden } from './use-hidden.ts';
import './next-step-line.css';

type NextStepLineProps = Pick<Beginnings, 'draft' | 'liveKey'> & { organizationId: string; isTeam: boolean };

/**
 * The first step that is open, in a line at the foot of the editor, where the checklist isn't. It stands over the page,
 * which therefore doesn't move when it comes or goes; hidden here it is hidden there.
 */
export function NextStepLine({ organizationId, isTeam, draft, liveKey }: NextStepLineProps) {
  const { hidden, hide } = useHidden(organizationId);
  const { data } = useBeginnings({ organizationId, isTeam, enabled: !hidden });
  if (hidden || !data) return null;
  const steps = firstSteps({ draft, liveKey, ...data });
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  // What is done in the editor has its button there.
  const isDoneHere = next.name === 'write' || next.name === 'live';
  return (
    <section className="next-step" data-edge="foot" aria-label="Get started">
      <p>
        <span className="muted">
          Step {steps.indexOf(next) + 1} of {steps.length}
        </span>{' '}
        <b>{next.title}</b>{' '}
        <span className="two">
          {next.name === 'write' ? 'Change what is different with you, then save.' : next.about}
        </span>
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
