import { actorName } from '../../lib/format/actor-words.ts';
import { giversInWords } from '../run/givers.ts';
import { OutputLines } from '../run/step-output.tsx';
import type { StepPanelProps } from '../run/step-panel-props.ts';
import styles from '../run/step-panel.module.css';
import { VotePanel } from '../run/vote-panel.tsx';
import { InputPanel } from './input-panel.tsx';

/** A manual step's input form or, once the input was submitted, its approval by a second person. */
export function ManualPanel(props: StepPanelProps) {
  const { step } = props;
  if (!step.submittedBy) return <InputPanel {...props} />;
  return (
    <div className={styles.stepPanel}>
      <p className="two">
        {actorName(step.submittedBy)} has entered the input{giversInWords(step)}. Another person must approve it.
      </p>
      <OutputLines step={step} quoted />
      <VotePanel {...props} />
    </div>
  );
}
