import type { Answer } from '@stet/domain/drafts';
import { Button } from '../../../ui/button.tsx';
import type { Asked } from '../model/answers.ts';
import type { QuestionGroup } from '../model/questions.ts';
import { ConflictCard } from './conflict-card.tsx';
import type { SideNames } from './conflict-card.tsx';
import './conflicts.css';

type ConflictGroupsProps = {
  groups: readonly QuestionGroup[];
  names: SideNames;
  onAnswer: (questions: readonly Asked[], answer: Answer) => void;
};

/** What is to be settled, step by step, each also with one click. */
export function ConflictGroups({ groups, names, onAnswer }: ConflictGroupsProps) {
  return (
    <>
      {groups.map(({ stepId, title, open, questions }) => (
        <section
          key={stepId ?? ''}
          className="sheet conflict-group"
          data-open={open > 0 || undefined}
          aria-label={title}
        >
          <div className="conflict-group-head">
            <h2>
              {title} {stepId !== null && <span className="mono muted">{stepId}</span>}
            </h2>
            <span className="conflict-count">{open === 0 ? 'settled' : `${open} open`}</span>
            {questions.length > 1 && (
              <div className="acts">
                <Button size="sm" onClick={() => onAnswer(questions, { take: 'live' })}>
                  Take {names.live} here
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
