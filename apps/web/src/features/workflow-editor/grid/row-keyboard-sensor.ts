import { KeyboardSensor } from '@dnd-kit/core';
import type { KeyboardSensorProps } from '@dnd-kit/core';
import { flushSync } from 'react-dom';

/**
 * The library's sensor doesn't start listening until shortly after the row was picked up. This class captures the keys
 * pressed until then and delivers them afterwards.
 */
export class RowKeyboardSensor extends KeyboardSensor {
  static override activators = KeyboardSensor.activators;

  constructor(props: KeyboardSensorProps) {
    super(props);
    const early: KeyboardEvent[] = [];
    const receive = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      early.push(event);
    };
    // The key that picked up the row is past the capture phase, so this listener doesn't receive it.
    document.addEventListener('keydown', receive, true);
    setTimeout(() => {
      document.removeEventListener('keydown', receive, true);
      // Each key starts from the position rendered for the previous key.
      for (const event of early) flushSync(() => document.dispatchEvent(new KeyboardEvent('keydown', event)));
    });
  }
}
