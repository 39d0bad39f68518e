import { Check } from 'lucide-react';
import type { MouseEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { keyOfOption } from '../model/option-keys.ts';
import './choice-list.css';

type ChoiceListProps<Option extends string> = {
  /** `one`: picking another lets go of the first. `any`: picking twice lets go. */
  kind: 'one' | 'any';
  name: string;
  options: readonly Option[];
  picked: readonly Option[];
  onPick: (option: Option) => void;
  /** Picked by pointer: the person may be led on, which would be rude while they walk the list by arrow keys. */
  onPoint?: (option: Option) => void;
};

/** Options as rows with a box; native radio buttons or check boxes underneath. */
export function ChoiceList<Option extends string>({
  kind,
  name,
  options,
  picked,
  onPick,
  onPoint,
}: ChoiceListProps<Option>) {
  return (
    <div className="choices">
      {options.map((option, index) => {
        const isPicked = picked.includes(option);
        const key = keyOfOption(index);
        const point = (event: MouseEvent) => {
          // The keyboard acts on the control itself, which no pointer can reach.
          if (!(event.target instanceof HTMLInputElement)) onPoint?.(option);
        };
        return (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
          <label key={option} className={classNames('choice', isPicked && 'on')} onClick={point}>
            <input
              className="vh"
              type={kind === 'one' ? 'radio' : 'checkbox'}
              name={name}
              value={option}
              checked={isPicked}
              onChange={() => onPick(option)}
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
