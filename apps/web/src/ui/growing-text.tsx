import { useLayoutEffect, useRef } from 'react';
import type { TextareaHTMLAttributes } from 'react';

type GrowingTextProps = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'value' | 'maxLength' | 'onChange' | 'rows'
> & {
  value: string;
  /** Characters at most. */
  limit: number;
  /** Line breaks are not for this text: what is pasted with them is one line, and Enter ends the typing. */
  oneLine?: boolean;
  onChange: (value: string) => void;
  /** The field is left. */
  onEnd: () => void;
};

/** A text field as high as its text: a long one wraps, and its line breaks are kept. */
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
    // Fonts arrive late and windows change their width.
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
