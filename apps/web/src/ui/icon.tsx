import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import styles from './icon.module.css';

const SIZES = { xs: styles.tiny, s: styles.small, m: undefined, l: styles.large };

export type IconSize = 'xs' | 's' | 'm' | 'l';

/**
 * A Lucide icon with the design's stroke width. It is decorative, because the text beside it or the button's label
 * names it.
 */
export function Icon({ of: Glyph, size = 'm' }: { of: LucideIcon; size?: IconSize }) {
  return <Glyph className={classNames(styles.icon, SIZES[size])} aria-hidden="true" />;
}
