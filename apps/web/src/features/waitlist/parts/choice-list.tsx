import { Check } from 'lucide-react';
import { useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { keyOfOption } from '../model/option-keys.ts';
import './choice-list.css';

/** What an option was picked with: who points may be led on, who walks the list by arrow keys may not. */
export type PickedWith = 'pointer' | 'keys';

type ChoiceListProps = {
  /** `one`: picking another lets go of the first. `any`: picking twice lets go. */
  kind: 'one' | 'any';
  name: string;
  options: readonly string[];
  picked: readonly string[];
  onPick: (option: string, pickedWith: PickedWith) => void;
};

/** Options as rows with a box; native radio buttons or check boxes underneath. */
export function ChoiceList({ kind, name, options, picked, onPick }: ChoiceListProps) {
  const lastUsed = useRef<PickedWith>('keys');
  const remember = (used: PickedWith) => () => {
    lastUsed.current = used;
  };
  return (
    <div className="choices" onPointerDown={remember('pointer')} onKeyDown={remember('keys')} role="presentation">
      {options.map((option, index) => {
        const isPicked = picked.includes(option);
        const key = keyOfOption(index);
        return (
          <label key={option} className={classNames('choice', isPicked && 'on')}>
            <input
              className="vh"
              type={kind === 'one' ? 'radio' : 'checkbox'}
              name={name}
              value={option}
              checked={isPicked}
              onChange={() => onPick(option, lastUsed.current)}
            />
            <span className={classNames('box', kind === 'one' && 'radio')} aria-hidden="true">
              {kind === 'any' && <Icon of={Check} size="xs" />}
            </span>
            <span className="grow">{option}</span>
            {key !== null && <Kbd>{key}</Kbd>}
          </label>
        );
      })}
    </div>
  );
}
