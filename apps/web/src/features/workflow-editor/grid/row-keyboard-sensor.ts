import { KeyboardSensor } from '@dnd-kit/core';
import type { KeyboardSensorProps } from '@dnd-kit/core';
import { flushSync } from 'react-dom';

/**
 * The library's sensor listens only from a timer after the row was picked up. Keys pressed until then are delivered to
 * it afterwards.
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
    // In the capture phase, which the key that picked the row up has passed.
    document.addEventListener('keydown', receive, true);
    setTimeout(() => {
      document.removeEventListener('keydown', receive, true);
      // Each key starts from the position that the one before has rendered.
      for (const event of early) flushSync(() => document.dispatchEvent(new KeyboardEvent('keydown', event)));
    });
  }
}
