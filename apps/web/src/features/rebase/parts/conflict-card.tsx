import type { Answer } from '@stet/domain/drafts';
import { memo, useId } from 'react';
import { DiffWords } from '../../../ui/diff-words.tsx';
import { Textarea } from '../../../ui/field.tsx';
import type { Asked } from '../model/answers.ts';
import type { QuestionView } from '../model/questions.ts';

export type SideNames = { base: string; live: string };

type ConflictCardProps = {
  question: QuestionView;
  about: string;
  names: SideNames;
  onAnswer: (questions: readonly Asked[], answer: Answer) => void;
};

/** One field that both sides changed: what it was, what each made of it, and the choice. */
export const ConflictCard = memo(function ConflictCard({ question, about, names, onAnswer }: ConflictCardProps) {
  const { id, label, base, live, draft, ownText, answer } = question;
  const name = useId();
  const isOwn = answer !== null && 'value' in answer;
  const taken = answer !== null && 'take' in answer ? answer.take : null;
  const choose = (chosen: Answer) => onAnswer([question], chosen);
  return (
    <fieldset className="conflict" data-open={answer === null || undefined} id={anchorOf(id)}>
      <legend>
        <span className="vh">{about}: </span>
        {label}
        <span className="conflict-state">{answer === null ? 'open' : 'settled'}</span>
      </legend>
      <div className="conflict-sides">
        <div className="conflict-side">
          <span className="conflict-name">{names.base}</span>
          <Shown text={base}>
            <span className="diff-words">{base}</span>
          </Shown>
        </div>
        {(['live', 'draft'] as const).map((side) => (
          <label key={side} className="conflict-side pick">
            <span className="conflict-name">
              <input type="radio" name={name} checked={taken === side} onChange={() => choose({ take: side })} />
              {side === 'live' ? `Take ${names.live}` : 'Keep draft'}
            </span>
            <Shown text={side === 'live' ? live : draft}>
              <DiffWords before={base} after={side === 'live' ? live : draft} side="after" />
            </Shown>
          </label>
        ))}
      </div>
      {ownText !== null && (
        <div className="conflict-own">
          <label className="conflict-name">
            <input type="radio" name={name} checked={isOwn} onChange={() => choose({ value: ownText })} />
            Own text
          </label>
          {isOwn && (
            <Textarea
              aria-label={`Own text for ${label}, ${about}`}
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

/** Where a question stands on the page. */
export const anchorOf = (id: string): string => `conflict-${encodeURIComponent(id)}`;

function Shown({ text, children }: { text: string; children: React.ReactNode }) {
  return text === '' ? <i className="muted">empty</i> : children;
}

// Two hundred cards are on the page: only the one that was answered is drawn again.
function sameCard(before: ConflictCardProps, now: ConflictCardProps): boolean {
  return (
    before.about === now.about &&
    before.names === now.names &&
    before.onAnswer === now.onAnswer &&
    JSON.stringify(before.question) === JSON.stringify(now.question)
  );
}
