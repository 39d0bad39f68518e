import { initials } from '../lib/format/initials.ts';
import { classNames } from './class-names.ts';
import './avatar.css';

/** Initials in a circle; a square where the name is a role. Decorative: the name stands beside it. */
export function Avatar({ name, large = false, role = false }: { name: string; large?: boolean; role?: boolean }) {
  return (
    <span className={classNames('av', large && 'l', role && 'role')} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** A person: initials and name. */
export function Who({ name }: { name: string }) {
  return (
    <span className="who">
      <Avatar name={name} role={!name.includes(' ') && !name.includes('@')} />
      <span className="trunc" title={name}>
        {name}
      </span>
    </span>
  );
}
