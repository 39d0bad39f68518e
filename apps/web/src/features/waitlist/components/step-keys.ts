import type { KeyboardEvent } from 'react';
import { optionOfKey } from '../model/option-keys.ts';

const isWriting = (target: EventTarget) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type));

/** Shift+Enter adds a line. On touch devices, Enter alone does so too, because their keyboards may lack Shift+Enter. */
const enterIsNewLine = (event: KeyboardEvent) =>
  event.target instanceof HTMLTextAreaElement &&
  (event.shiftKey || (typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches));

type StepKeys = {
  options: readonly string[];
  onOption: (option: string) => void;
  onEnter: (form: HTMLFormElement) => void;
};

/** The keys of a step while it has the focus. Digits choose options, and Enter continues. */
export function stepKeys({ options, onOption, onEnter }: StepKeys): (event: KeyboardEvent<HTMLFormElement>) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const { target } = event;
    if (event.key === 'Enter') {
      if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement || enterIsNewLine(event)) return;
      event.preventDefault();
      // Holding the key down would skip all questions.
      if (!event.repeat) onEnter(event.currentTarget);
      return;
    }
    const option = isWriting(target) ? undefined : optionOfKey(options, event.key);
    if (option === undefined || event.repeat) return;
    event.preventDefault();
    onOption(option);
  };
}
