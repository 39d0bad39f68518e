import { useRef } from 'react';
import { ChoiceBox, ChoiceInput } from '../../../ui/check-row.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Kbd } from '../../../ui/kbd.tsx';
import { keyOfOption } from '../model/option-keys.ts';
import styles from './choice-list.module.css';

/** How an option was chosen. A click on Other moves the focus to its field; arrow keys don't. */
export type PickedWith = 'pointer' | 'keys';

type ChoiceListProps = {
  /** `one`: choosing a different option deselects the previous one. `any`: choosing an option again deselects it. */
  kind: 'one' | 'any';
  name: string;
  options: readonly string[];
  picked: readonly string[];
  onPick: (option: string, pickedWith: PickedWith) => void;
};

/** Options with native radio buttons or checkboxes. */
export function ChoiceList({ kind, name, options, picked, onPick }: ChoiceListProps) {
  const lastUsed = useRef<PickedWith>('keys');
  const remember = (used: PickedWith) => () => {
    lastUsed.current = used;
  };
  return (
    <div
      className={styles.choices}
      onPointerDown={remember('pointer')}
      onKeyDown={remember('keys')}
      role="presentation"
    >
      {options.map((option, index) => {
        const isPicked = picked.includes(option);
        const key = keyOfOption(index);
        return (
          <label key={option} className={classNames(styles.choice, isPicked && styles.on)}>
            <ChoiceInput
              className="vh"
              kind={kind === 'one' ? 'radio' : 'checkbox'}
              name={name}
              value={option}
              checked={isPicked}
              onChange={() => onPick(option, lastUsed.current)}
            />
            <ChoiceBox round={kind === 'one'} />
            <span className="grow">{option}</span>
            {key !== null && <Kbd className={styles.key}>{key}</Kbd>}
          </label>
        );
      })}
    </div>
  );
}
