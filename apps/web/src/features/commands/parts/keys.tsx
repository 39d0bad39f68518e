import { Fragment } from 'react';
import { keyName } from '../../../lib/keys/key-names.ts';
import { Kbd } from '../../../ui/kbd.tsx';
import './keys.css';

type KeysProps = {
  keys: readonly string[];
  /** One after the other; else all at once. */
  inTurn?: boolean;
};

/** Key caps of this keyboard, with their names for who doesn't see them. */
export function Keys({ keys, inTurn = false }: KeysProps) {
  const names = keys.map(keyName);
  return (
    <span className="keys">
      <span className="vh">{names.join(inTurn ? ' then ' : ' ')}</span>
      {names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && inTurn && (
            <span className="keys-then" aria-hidden="true">
              then
            </span>
          )}
          <Kbd>{name}</Kbd>
        </Fragment>
      ))}
    </span>
  );
}
