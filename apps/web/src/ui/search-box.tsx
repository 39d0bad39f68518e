import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from './field.tsx';
import { Icon } from './icon.tsx';

// Long enough to send a word once, short enough to feel immediate.
const TYPING_PAUSE_MS = 250;

type SearchBoxProps = { label: string; placeholder?: string; text: string; onSearch: (text: string) => void };

/** A search field that reports its text once typing pauses; at most 100 characters. */
export function SearchBox({ label, placeholder = 'Search', text, onSearch }: SearchBoxProps) {
  const [draft, setDraft] = useState({ typed: text, from: text });
  // The address changed elsewhere (back, "clear filters") and replaces the typed text.
  if (draft.from !== text) setDraft({ typed: draft.typed.trim() === text ? draft.typed : text, from: text });
  useEffect(() => {
    if (draft.typed.trim() === text) return;
    const timer = setTimeout(() => onSearch(draft.typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft.typed, onSearch, text]);
  return (
    <span className="with-i">
      <Icon of={Search} size="s" />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={draft.typed}
        onChange={(event) => setDraft({ ...draft, typed: event.target.value })}
      />
    </span>
  );
}
