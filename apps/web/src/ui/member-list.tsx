import type { ReactElement } from 'react';
import { Avatar } from './avatar.tsx';
import { classNames } from './class-names.ts';
import { ListPopover } from './popover.tsx';
import type { useListbox } from './use-listbox.ts';
import styles from './member-list.module.css';

/** A member, or a group with the text that names it as `id` and `email`. */
export type ListedPerson = { id: string; name: string; email: string };

type MemberListProps<P extends ListedPerson> = {
  open: boolean;
  label: string;
  people: readonly P[];
  list: ReturnType<typeof useListbox<P>>;
  /** The text field below which the list appears. */
  target: ReactElement;
};

/** The members or groups that match the text in a field, each with its name and its address or `group:` text. */
export function MemberList<P extends ListedPerson>({ open, label, people, list, target }: MemberListProps<P>) {
  return (
    <ListPopover open={open} target={target} className={styles.list} {...list.listProps} aria-label={label}>
      {people.map((person) => (
        <div
          key={person.id}
          {...list.optionProps(person)}
          className={classNames(styles.option, person === list.chosen && styles.on)}
        >
          <Avatar name={person.name} />
          <span className="trunc" title={person.name}>
            {person.name}
          </span>
          <span className="muted xs trunc" title={person.email}>
            {person.email}
          </span>
        </div>
      ))}
    </ListPopover>
  );
}
