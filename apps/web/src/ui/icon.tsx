import type { LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { classNames } from './class-names.ts';
import styles from './icon.module.css';

const SIZES = { xs: styles.tiny, s: styles.small, m: undefined, l: styles.large };

export type IconSize = 'xs' | 's' | 'm' | 'l';

type IconProps = { of: LucideIcon; size?: IconSize };

/**
 * A Lucide icon with the design's stroke width. It is decorative, because the text beside it or the button's label
 * names it. It is memoized, because a long table contains hundreds of icons.
 */
export const Icon = memo(function Icon({ of: Glyph, size = 'm' }: IconProps) {
  return <Glyph className={classNames(styles.icon, SIZES[size])} aria-hidden="true" />;
});
