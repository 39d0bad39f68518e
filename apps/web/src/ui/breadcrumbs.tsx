import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';
import { classNames } from './class-names.ts';
import styles from './breadcrumbs.module.css';

export type Crumb = { label: string; to?: string };

/** If the line is too short, the breadcrumbs with more characters than this shrink or, without any, the last one. */
const SHORT = 14;

/** The path to the current page. The last breadcrumb is the page itself. */
export function Breadcrumbs({ trail, className }: { trail: readonly Crumb[]; className?: string | undefined }) {
  return (
    <nav className={classNames(styles.breadcrumbs, className)} aria-label="Breadcrumb">
      <ol>
        {trail.map(({ label, to }, at) => (
          <li key={to ?? label} className={label.length > SHORT ? styles.long : undefined}>
            {at > 0 && <Icon of={ChevronRight} size="xs" />}
            {to ? (
              <Link to={to} className="trunc" title={label.length > SHORT ? label : undefined}>
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="trunc" title={label}>
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
