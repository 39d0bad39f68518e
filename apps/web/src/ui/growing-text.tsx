import { useLayoutEffect, useRef } from 'react';
import type { TextareaHTMLAttributes } from 'react';

type GrowingTextProps = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'value' | 'maxLength' | 'onChange' | 'rows'
> & {
  value: string;
  /** Maximum number of characters. */
  limit: number;
  /** Single-line text: pasted line breaks are removed, and Enter ends the editing. */
  oneLine?: boolean;
  onChange: (value: string) => void;
  /** Called when the field loses the focus. */
  onEnd: () => void;
};

/** A text field that grows with its text: long lines wrap, and line breaks are kept. */
export function GrowingText({ value, limit, oneLine = false, onChange, onEnd, ...rest }: GrowingTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    const fit = () => {
      node.style.height = '0';
      node.style.height = `${node.scrollHeight + 2}px`;
    };
    fit();
    // Fonts load late, and windows are resized.
    void document.fonts?.ready.then(fit);
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, [value]);
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
        }
      }}
      onBlur={onEnd}
    />
  );
}
