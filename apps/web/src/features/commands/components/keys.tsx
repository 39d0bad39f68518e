import { Fragment } from 'react';
import { keyName } from '../../../lib/keys/key-names.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Kbd } from '../../../ui/kbd.tsx';
import styles from './keys.module.css';

type KeysProps = {
  keys: readonly string[];
  /** Whether the keys are pressed one after another rather than together. */
  inTurn?: boolean;
  className?: string | undefined;
};

/** Key caps with this keyboard's names, and text for screen readers. */
export function Keys({ keys, inTurn = false, className }: KeysProps) {
  const names = keys.map(keyName);
  return (
    <span className={classNames(styles.keys, className)}>
      <span className="vh">{names.join(inTurn ? ' then ' : ' ')}</span>
      {names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && inTurn && (
            <span className={styles.keysThen} aria-hidden="true">
              then
            </span>
          )}
          <Kbd>{name}</Kbd>
        </Fragment>
      ))}
    </span>
  );
}
