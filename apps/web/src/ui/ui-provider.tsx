import { HeadlessMantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';

// Headless: the library gives behaviour (focus, position, keys), the tokens and the CSS beside each part give the look.
// Its own stylesheet and palette never load.

/** What dialogs, menus, popovers and tooltips need above them. `test` shows and hides them without transitions. */
export function UiProvider({ children, env = 'default' }: { children: ReactNode; env?: 'default' | 'test' }) {
  return <HeadlessMantineProvider env={env}>{children}</HeadlessMantineProvider>;
}
