import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DevComponentsScreen } from './dev-components-screen.tsx';

cleanUpAfterEach();

// Components that render nothing visible: one sets the window's title, the other wraps the page.
const INVISIBLE = new Set(['PageTitle', 'UiProvider']);
const modules = import.meta.glob<Record<string, unknown>>(['../../ui/*.tsx', '!../../ui/*.test.tsx'], { eager: true });
const components = Object.values(modules)
  .flatMap((exports) => Object.entries(exports))
  .filter(([name, value]) => typeof value === 'function' && /^[A-Z][a-z]/.test(name) && !INVISIBLE.has(name))
  .map(([name]) => name);

test('shows every visible component that is directly in the folder ui, in both themes', () => {
  render(
    <MemoryRouter>
      <DevComponentsScreen />
    </MemoryRouter>,
  );
  for (const theme of ['light', 'dark']) {
    const group = within(screen.getByRole('group', { name: theme }));
    const shown = group.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(shown).toEqual(expect.arrayContaining(components));
  }
});
