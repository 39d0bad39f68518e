import type { WorkflowContent } from '@stet/domain/workflows';
import { useId, useMemo, useState } from 'react';
import { ChoiceInput } from '../../../ui/check-row.tsx';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import { mergeText } from '../model/merge-texts.ts';
import { resolveMerge } from '../model/resolve-merge.ts';
import type { MergeSide, MergeSides } from '../model/resolve-merge.ts';
import { ChangesList } from './changes-dialog.tsx';
import { Tag } from '../../../ui/badge.tsx';
import styles from './merge-dialog.module.css';

type MergeDialogProps = {
  sides: MergeSides;
  onMerged: (content: WorkflowContent) => void;
  onClose: () => void;
};

const SIDE_WORDS = { theirs: 'Theirs', mine: 'Mine' } as const satisfies Record<MergeSide, string>;

/** Combines the changes of both sides by step and field. The person only decides conflicts. */
export function MergeDialog({ sides, onMerged, onClose }: MergeDialogProps) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, MergeSide>>(new Map());
  const { content, questions, open } = useMemo(() => resolveMerge(sides, answers), [sides, answers]);
  const changes = useMemo(() => documentChanges(sides.theirs, content), [sides.theirs, content]);
  const name = useId();
  const answer = (id: string, side: MergeSide) => setAnswers((before) => new Map(before).set(id, side));
  const answerAll = (side: MergeSide) => setAnswers(new Map(questions.map(({ id }) => [id, side])));
  return (
    <Modal
      open
      wide
      title="Merge both changes"
      onClose={onClose}
      withCloseButton={false}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Back
          </Button>
          <Button
            tone="primary"
            disabledReason={open > 0 ? 'Resolve all conflicts first' : undefined}
            onClick={() => onMerged(content)}
          >
            Use merged version
          </Button>
        </>
      }
    >
      {questions.length === 0 ? (
        <p className="md">You changed different things, so there are no conflicts.</p>
      ) : (
        <>
          <p className="md" role="status">
            {open === 0
              ? 'All conflicts are resolved.'
              : `You both made different changes in ${open === 1 ? '1 place' : `${open} places`}.`}
          </p>
          <div className={styles.mergeAll}>
            <Button size="sm" onClick={() => answerAll('theirs')}>
              Theirs everywhere
            </Button>
            <Button size="sm" onClick={() => answerAll('mine')}>
              Mine everywhere
            </Button>
          </div>
        </>
      )}
      {questions.map(({ id, conflict }) => {
        const text = mergeText(conflict, sides);
        return (
          <fieldset key={id} className={styles.mergeQuestion}>
            <legend>
              {text.about} <Tag>{text.field}</Tag>
            </legend>
            {(['theirs', 'mine'] as const).map((side) => (
              <label key={side} className={styles.mergeSide}>
                <ChoiceInput
                  kind="radio"
                  name={`${name}-${id}`}
                  checked={answers.get(id) === side}
                  onChange={() => answer(id, side)}
                />
                <b>{SIDE_WORDS[side]}</b>
                <span>{text[side] || <i>empty</i>}</span>
              </label>
            ))}
          </fieldset>
        );
      })}
      {!changes.identical && (
        <>
          <p className="md">The merged version, compared with the saved one:</p>
          <ChangesList changes={changes} />
        </>
      )}
    </Modal>
  );
}
