import { Select } from './field.tsx';

type TagSelectProps = {
  /** The tag that the list is filtered by; empty for all. */
  tag: string;
  /** The number of workflows with each tag is shown if it is given. */
  tags: readonly { tag: string; count?: number }[];
  onChange: (tag: string) => void;
};

/** Filters a list by a tag of the workflows. Nothing is shown while no workflow has a tag and none is selected. */
export function TagSelect({ tag, tags, onChange }: TagSelectProps) {
  if (tags.length === 0 && tag === '') return null;
  const isKnown = tag === '' || tags.some((each) => each.tag === tag);
  return (
    <Select aria-label="Tag" value={tag} onChange={({ target }) => onChange(target.value)}>
      <option value="">All tags</option>
      {!isKnown && <option value={tag}>{tag}</option>}
      {tags.map((each) => (
        <option key={each.tag} value={each.tag}>
          {each.count === undefined ? each.tag : `${each.tag} (${each.count})`}
        </option>
      ))}
    </Select>
  );
}
