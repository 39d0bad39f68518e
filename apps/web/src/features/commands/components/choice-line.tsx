import type { ComponentProps } from 'react';
import { StatusBadge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { Choice } from '../model/choices.ts';
import { Keys } from './keys.tsx';
import styles from './command-palette.module.css';

type ChoiceLineProps = {
  choice: Choice;
  isChosen: boolean;
  optionProps: ComponentProps<'div'>;
  onHover: () => void;
};

/** One line in the palette. The text field keeps the focus and handles the keys that change the selected line. */
export function ChoiceLine({ choice, isChosen, optionProps, onHover }: ChoiceLineProps) {
  return (
    <div {...optionProps} className={classNames(styles.paletteLine, isChosen && styles.chosen)} onMouseMove={onHover}>
      <Icon of={choice.icon} size="s" />
      <span className={styles.paletteWords}>
        <span className={styles.paletteLabel}>{choice.label}</span>
        {'to' in choice && <span className={styles.paletteAbout}>{choice.about}</span>}
      </span>
      {'to' in choice && choice.status !== undefined && <StatusBadge status={choice.status} />}
      {'keys' in choice && choice.keys && <Keys className={styles.paletteKeys} keys={choice.keys} inTurn />}
    </div>
  );
}
