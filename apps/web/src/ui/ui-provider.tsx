import { HeadlessMantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { keepFocusInSight } from './focus-in-sight.ts';
import { OPEN_MENU } from './menu.tsx';
import styles from './menu.module.css';

// The library only provides behavior (focus, position, keys). Our tokens and CSS define the appearance, so the
// library's stylesheet and palette are never loaded.

// Tests have no layout engine, so without this the library would consider every target scrolled out of view, and
// transitions would never end.
const ENVIRONMENT = import.meta.env.MODE === 'test' ? 'test' : 'default';

// The library only respects reduced motion if this is set.
const THEME = { respectReducedMotion: true };

/** The context that dialogs, menus and popovers need. */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(keepFocusInSight, []);
  return (
    <HeadlessMantineProvider env={ENVIRONMENT} theme={THEME}>
      {children}
      {/* Menus are rendered outside their parents. This section keeps them inside a landmark. It isn't rendered while empty. */}
      <section id={OPEN_MENU} className={styles.openMenu} aria-label="Menu" />
    </HeadlessMantineProvider>
  );
}
