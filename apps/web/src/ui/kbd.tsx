import { classNames } from './class-names.ts';
import styles from './kbd.module.css';

/** A key cap. Screen readers ignore it. */
export function Kbd({ className, children }: { className?: string | undefined; children: string }) {
  return (
    <span className={classNames(styles.kbd, className)} aria-hidden="true">
      {children}
    </span>
  );
}
