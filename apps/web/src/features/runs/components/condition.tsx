import type { Run } from '@stet/contract';
import { conditionWords } from '@stet/presentation/condition-words';
import { stepTitle } from '@stet/domain/workflows';
import { classNames } from '../../../ui/class-names.ts';

type ConditionProps = { of: string; run: Pick<Run, 'workflow'>; className?: string | undefined };

/** A condition of a run as a sentence, or as an expression if there are no words for it. */
export function Condition({ of, run, className }: ConditionProps) {
  const { steps } = run.workflow;
  const titleOf = (id: string): string => {
    const step = steps.find((each) => each.id === id);
    return step ? stepTitle(step) : id;
  };
  const { text, isExpression } = conditionWords(of.trim(), { titleOf, steps });
  if (isExpression) return <code className={classNames('mono', className)}>{text}</code>;
  return (
    <em className={className} dir="auto">
      {text}
    </em>
  );
}
