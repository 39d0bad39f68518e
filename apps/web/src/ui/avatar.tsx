import { initials } from '../lib/format/initials.ts';
import { classNames } from './class-names.ts';
import styles from './avatar.module.css';

/**
 * Initials in a circle, or in a square for a role or a group. It is decorative, because the name is beside it. The
 * style sheet draws the initials, so that they don't become part of a button's visible text.
 */
export function Avatar({ name, large = false, role = false }: { name: string; large?: boolean; role?: boolean }) {
  return (
    <span
      className={classNames(styles.avatar, large && styles.large, role && styles.role)}
      data-initials={initials(name)}
      aria-hidden="true"
    />
  );
}

type WhoProps = {
  name: string;
  address?: string | undefined;
  /**
   * Whether the name is that of a role or a group. By default, a name counts as one of these if the address isn't an
   * email address, or if there is no address and the name is a single word without `@`.
   */
  role?: boolean;
  className?: string | undefined;
};

/** The initials and name of a person, role or group. The tooltip shows the address or, without one, the name. */
export function Who({ name, address, role, className }: WhoProps) {
  const isRole = role ?? (address === undefined ? !/[ @]/.test(name) : !address.includes('@'));
  return (
    <span className={classNames(styles.who, className)}>
      <Avatar name={name} role={isRole} />
      <span className="trunc" title={address ?? name}>
        {name}
      </span>
    </span>
  );
}
