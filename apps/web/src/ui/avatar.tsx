import { initials } from '../lib/format/initials.ts';
import { classNames } from './class-names.ts';
import './avatar.css';

/**
 * Initials in a circle, or in a square for a role. It is decorative, because the name is beside it. The style sheet
 * draws the initials, so that they don't become part of a button's visible text.
 */
export function Avatar({ name, large = false, role = false }: { name: string; large?: boolean; role?: boolean }) {
  return (
    <span
      className={classNames('av', large && 'l', role && 'role')}
      data-initials={initials(name)}
      aria-hidden="true"
    />
  );
}

/** A person's initials and name. The tooltip shows the person's address if it is known. */
export function Who({ name, address }: { name: string; address?: string }) {
  return (
    <span className="who">
      <Avatar name={name} role={address === undefined && !name.includes(' ') && !name.includes('@')} />
      <span className="trunc" title={address ?? name}>
        {name}
      </span>
    </span>
  );
}
