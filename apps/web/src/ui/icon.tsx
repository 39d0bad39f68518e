import type { LucideIcon } from 'lucide-react';
import './icon.css';

export type IconSize = 'xs' | 's' | 'm' | 'l';

/**
 * A Lucide icon with the design's stroke width. It is decorative, because the text beside it or the button's label
 * names it.
 */
export function Icon({ of: Glyph, size = 'm' }: { of: LucideIcon; size?: IconSize }) {
  return <Glyph className={size === 'm' ? 'i' : `i ${size}`} aria-hidden="true" />;
}
