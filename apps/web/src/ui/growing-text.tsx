import { useLayoutEffect, useRef } from 'react';
import type { TextareaHTMLAttributes } from 'react';

type GrowingTextProps = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'value' | 'maxLength' | 'onChange' | 'rows'
> & {
  value: string;
  /** The maximum number of characters. */
  limit: number;
  /** Whether the text has only one line: pasted line breaks become spaces, and Enter ends editing. */
  oneLine?: boolean;
  /** Whether the text is focused and selected when the field appears. */
  isSelected?: boolean;
  onChange: (value: string) => void;
  /** Called when Enter ends editing a single-line field. */
  onEnter?: () => void;
  /** Called when the field loses focus. */
  onEnd: () => void;
};

/** A text field that grows with its text. Long lines wrap, and line breaks are preserved, unless it is `oneLine`. */
export function GrowingText({
  value,
  limit,
  oneLine = false,
  isSelected = false,
  onChange,
  onEnter,
  onEnd,
  ...rest
}: GrowingTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    const fit = () => {
      node.style.height = '0';
      node.style.height = `${node.scrollHeight + 2}px`;
    };
    fit();
    // Fit again once the fonts have loaded and whenever the window is resized.
    void document.fonts?.ready.then(fit);
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, [value]);
  useLayoutEffect(() => {
    if (!isSelected) return;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, [isSelected]);
  return (
    <textarea
      {...rest}
      ref={field}
      rows={1}
      maxLength={limit}
      value={value}
      onChange={(event) => onChange(oneLine ? event.target.value.replaceAll(/\s*\n\s*/g, ' ') : event.target.value)}
      onKeyDown={(event) => {
        if (oneLine && event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.currentTarget.blur();
          onEnter?.();
        }
      }}
      onBlur={onEnd}
    />
  );
}
