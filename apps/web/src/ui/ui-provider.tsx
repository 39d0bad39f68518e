import { HeadlessMantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { keepFocusInSight } from './focus-in-sight.ts';
import { OPEN_MENU } from './menu.tsx';

// The library provides only behaviour (focus, position, keys); the tokens and each part's CSS provide the look. Its own
// stylesheet and palette are never loaded.

// Without a layout engine, the library considers every target scrolled out of view, and transitions never end.
const ENVIRONMENT = import.meta.env.MODE === 'test' ? 'test' : 'default';

// Disables the library's motion for people who prefer reduced motion, which it doesn't do by default.
const THEME = { respectReducedMotion: true };

/** The context for dialogs, menus and popovers. */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(keepFocusInSight, []);
  return (
    <HeadlessMantineProvider env={ENVIRONMENT} theme={THEME}>
      {children}
      {/* Menus are rendered outside their parents; this keeps them inside a landmark. Not rendered while empty. */}
      <section id={OPEN_MENU} className="open-menu" aria-label="Menu" />
    </HeadlessMantineProvider>
  );
}
