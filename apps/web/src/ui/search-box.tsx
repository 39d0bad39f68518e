import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconField, Input } from './field.tsx';

// Avoids a request per letter, but still feels immediate.
const TYPING_PAUSE_MS = 250;

type SearchBoxProps = {
  label: string;
  placeholder?: string;
  text: string;
  className?: string | undefined;
  onSearch: (text: string) => void;
};

/** A search field that reports its text when the person stops typing. It accepts at most 100 characters. */
export function SearchBox({ label, placeholder = 'Search', text, className, onSearch }: SearchBoxProps) {
  const [draft, setDraft] = useState({ typed: text, from: text });
  // If the search text in the URL changed elsewhere (Back, "Clear filters"), it replaces the typed text.
  if (draft.from !== text) setDraft({ typed: draft.typed.trim() === text ? draft.typed : text, from: text });
  useEffect(() => {
    if (draft.typed.trim() === text) return;
    const timer = setTimeout(() => onSearch(draft.typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft.typed, onSearch, text]);
  return (
    <IconField icon={Search} className={className}>
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={draft.typed}
        onChange={(event) => setDraft({ ...draft, typed: event.target.value })}
      />
    </IconField>
  );
}
