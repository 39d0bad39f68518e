import { HeadlessMantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { keepFocusInSight } from './focus-in-sight.ts';
import { OPEN_MENU } from './menu.tsx';

// Headless: the library gives behaviour (focus, position, keys), the tokens and the CSS beside each part give the look.
// Its own stylesheet and palette never load.

// Without a layout engine the library thinks every target scrolled out of sight, and transitions never end.
const ENVIRONMENT = import.meta.env.MODE === 'test' ? 'test' : 'default';

// Who wants less motion gets none from the library either; by itself it would not ask.
const THEME = { respectReducedMotion: true };

/** What dialogs, menus and popovers need above them. */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(keepFocusInSight, []);
  return (
    <HeadlessMantineProvider env={ENVIRONMENT} theme={THEME}>
      {children}
      {/* A menu stands outside of what it belongs to: here it is still inside a landmark. Empty it isn't there. */}
      <section id={OPEN_MENU} className="open-menu" aria-label="Menu" />
    </HeadlessMantineProvider>
  );
}
