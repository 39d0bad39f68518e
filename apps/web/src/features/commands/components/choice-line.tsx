import { useEffect, useRef } from 'react';
import { StatusBadge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { Choice } from '../model/choices.ts';
import { Keys } from './keys.tsx';
import styles from './command-palette.module.css';

type ChoiceLineProps = { id: string; choice: Choice; isChosen: boolean; onHover: () => void; onPick: () => void };

/** One line of the palette. The text field keeps the focus and handles the keys that change the selected line. */
export function ChoiceLine({ id, choice, isChosen, onHover, onPick }: ChoiceLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={classNames(styles.paletteLine, isChosen && styles.chosen)}
      onMouseMove={onHover}
      onClick={onPick}
      onKeyDown={undefined}
    >
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
