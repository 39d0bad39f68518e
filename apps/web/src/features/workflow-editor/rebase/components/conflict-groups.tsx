import type { Answer } from '@stet/domain/drafts';
import { Button } from '../../../../ui/button.tsx';
import type { Asked } from '../model/answers.ts';
import type { QuestionGroup } from '../model/questions.ts';
import { ConflictCard } from './conflict-card.tsx';
import type { SideNames } from './conflict-card.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './conflicts.module.css';

type ConflictGroupsProps = {
  groups: readonly QuestionGroup[];
  names: SideNames;
  onAnswer: (questions: readonly Asked[], answer: Answer) => void;
};

/** The conflicts by step. All conflicts of a step can be resolved with one click. */
export function ConflictGroups({ groups, names, onAnswer }: ConflictGroupsProps) {
  return (
    <>
      {groups.map(({ stepId, title, open, questions }) => (
        <section
          key={stepId ?? ''}
          className={classNames('sheet', styles.conflictGroup)}
          data-open={open > 0 || undefined}
          aria-label={title}
        >
          <div className={styles.conflictGroupHead}>
            <h2>
              {title} {stepId !== null && <span className="mono muted">{stepId}</span>}
            </h2>
            <span className={styles.conflictCount}>{open === 0 ? 'resolved' : `${open} open`}</span>
            {questions.length > 1 && (
              <div className={styles.actions}>
                <Button size="sm" onClick={() => onAnswer(questions, { take: 'live' })}>
                  Use {names.live} here
                </Button>
                <Button size="sm" onClick={() => onAnswer(questions, { take: 'draft' })}>
                  Keep draft here
                </Button>
              </div>
            )}
          </div>
          {questions.map((question) => (
            <ConflictCard key={question.id} question={question} about={title} names={names} onAnswer={onAnswer} />
          ))}
        </section>
      ))}
    </>
  );
}
