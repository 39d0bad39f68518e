import type { Answer } from '@stet/domain/drafts';
import { memo, useId } from 'react';
import { ChoiceInput } from '../../../../ui/check-row.tsx';
import { DiffWords } from '../../../../ui/diff-words.tsx';
import { Textarea } from '../../../../ui/field.tsx';
import type { Asked } from '../model/answers.ts';
import type { QuestionView } from '../model/questions.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './conflicts.module.css';

export type SideNames = { base: string; live: string };

type ConflictCardProps = {
  question: QuestionView;
  about: string;
  names: SideNames;
  onAnswer: (questions: readonly Asked[], answer: Answer) => void;
};

/** A conflict: the original value, the value on each side, and the choice. */
export const ConflictCard = memo(function ConflictCard({ question, about, names, onAnswer }: ConflictCardProps) {
  const { id, label, base, live, draft, ownText, answer } = question;
  const name = useId();
  const isOwn = answer !== null && 'value' in answer;
  const taken = answer !== null && 'take' in answer ? answer.take : null;
  const choose = (chosen: Answer) => onAnswer([question], chosen);
  return (
    <fieldset className={styles.conflict} data-conflict="" data-open={answer === null || undefined} id={anchorOf(id)}>
      <legend>
        <span className="vh">{about}: </span>
        {label}
        <span className={styles.conflictState}>{answer === null ? 'open' : 'resolved'}</span>
      </legend>
      <div className={styles.conflictSides}>
        <div className={styles.conflictSide}>
          <span className={styles.conflictName}>{names.base}</span>
          <Shown text={base}>
            <span className={styles.base}>{base}</span>
          </Shown>
        </div>
        {(['live', 'draft'] as const).map((side) => (
          <label key={side} className={classNames(styles.conflictSide, styles.pick)}>
            <span className={styles.conflictName}>
              <ChoiceInput kind="radio" name={name} checked={taken === side} onChange={() => choose({ take: side })} />
              {side === 'live' ? `Use ${names.live}` : 'Keep draft'}
            </span>
            <Shown text={side === 'live' ? live : draft}>
              <DiffWords before={base} after={side === 'live' ? live : draft} side="after" />
            </Shown>
          </label>
        ))}
      </div>
      {ownText !== null && (
        <div className={styles.conflictOwn}>
          <label className={styles.conflictName}>
            <ChoiceInput kind="radio" name={name} checked={isOwn} onChange={() => choose({ value: ownText })} />
            Write your own
          </label>
          {isOwn && (
            <Textarea
              aria-label={`Your own text for ${label}, ${about}`}
              rows={Math.min(8, answer.value.split('\n').length + 1)}
              value={answer.value}
              onChange={(event) => choose({ value: event.target.value })}
            />
          )}
        </div>
      )}
    </fieldset>
  );
}, sameCard);

/** The element id of a conflict. */
export const anchorOf = (id: string): string => `conflict-${encodeURIComponent(id)}`;

function Shown({ text, children }: { text: string; children: React.ReactNode }) {
  return text === '' ? <i className="muted">empty</i> : children;
}

// There can be hundreds of cards, so an answer must only rerender its own.
function sameCard(before: ConflictCardProps, now: ConflictCardProps): boolean {
  return (
    before.about === now.about &&
    before.names === now.names &&
    before.onAnswer === now.onAnswer &&
    JSON.stringify(before.question) === JSON.stringify(now.question)
  );
}
