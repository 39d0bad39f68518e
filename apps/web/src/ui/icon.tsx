import type { LucideIcon } from 'lucide-react';
import './icon.css';

export type IconSize = 'xs' | 's' | 'm' | 'l';

/** A Lucide icon in the weight of the look. Decorative always: the words beside it, or the button's label, name it. */
export function Icon({ of: Glyph, size = 'm' }: { of: LucideIcon; size?: IconSize }) {
  return <Glyph className={size === 'm' ? 'i' : `i ${size}`} aria-hidden="true" />;
}
