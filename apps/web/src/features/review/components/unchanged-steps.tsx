import { isolated, visibleText } from '@stet/domain/workflows';
import type { Comment } from '@stet/contract';
import { MessageSquare, Rows3 } from 'lucide-react';
import { memo, useState } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Who } from '../../../ui/avatar.tsx';
import { IconButton, Pressable } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { PlacedStep } from '../model/listed-changes.ts';
import { commentsOf } from './change-card.tsx';
import { CommentThread } from './comment-thread.tsx';
import type { Commenting } from './commenting.ts';
import styles from './unchanged-steps.module.css';

type UnchangedStepsProps = {
  steps: readonly PlacedStep[];
  byStep: ReadonlyMap<string, Comment[]>;
  commenting: Commenting;
  titleOf: (stepId: string) => string;
};

/** Consecutive unchanged steps in one line with the first names. It expands to one line per step. */
export const UnchangedSteps = memo(function UnchangedSteps({
  steps,
  byStep,
  commenting,
  titleOf,
}: UnchangedStepsProps) {
  const { personOf } = usePeople();
  const [isOpen, setIsOpen] = useState(false);
  const count = steps.length === 1 ? '1 unchanged step' : `${steps.length} unchanged steps`;
  const names = steps
    .slice(0, 12)
    .map(({ step }) => isolated(titleOf(step.id)))
    .join(', ');
  return (
    <>
      <Pressable className={styles.fold} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon of={Rows3} size="s" />
        <span className="nowrap">{count}</span>
        {!isOpen && (
          <span className="muted trunc" title={names}>
            {names}
          </span>
        )}
      </Pressable>
      {isOpen && (
        <ol className={styles.unfolded}>
          {steps.map(({ step, number }) => (
            <li key={step.id}>
              <div className="row">
                <span className={styles.no} aria-hidden="true">
                  {number}
                </span>
                <span className="grow">{titleOf(step.id)}</span>
                <span className={classNames('muted xs', styles.planned)}>
                  {step.assignee !== '' && <Who {...personOf(visibleText(step.assignee))} />}
                  {visibleText(step.sla)}
                </span>
                {commenting.may && (
                  <IconButton
                    size="sm"
                    icon={MessageSquare}
                    label={`Comment on ${titleOf(step.id)}`}
                    onClick={() => commenting.onWrite(step.id)}
                  />
                )}
              </div>
              <CommentThread
                comments={commentsOf(byStep, step.id)}
                stepId={step.id}
                label={`Comment on ${titleOf(step.id)}`}
                commenting={commenting}
              />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}, isSameFold);

/**
 * Steps without comments and without an open form don't rerender when only `commenting` or other comments change,
 * unless the permission to comment changes.
 */
function isSameFold(before: UnchangedStepsProps, after: UnchangedStepsProps): boolean {
  if (before.steps !== after.steps || before.titleOf !== after.titleOf) return false;
  const isQuiet = ({ commenting, byStep, steps }: UnchangedStepsProps) =>
    steps.every(({ step }) => commenting.writingOn !== step.id && !byStep.has(step.id));
  return isQuiet(before) && isQuiet(after) && before.commenting.may === after.commenting.may;
}
