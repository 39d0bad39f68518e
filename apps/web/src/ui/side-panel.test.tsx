import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { SidePanel } from './side-panel.tsx';
import { UiProvider } from './ui-provider.tsx';

afterEach(cleanup);

function List() {
  const [isOpen, setOpen] = useState(false);
  return (
    <UiProvider>
      <button type="button" onClick={() => setOpen(true)}>
        Row
      </button>
      {isOpen && (
        <SidePanel label="Vendor onboarding" sheet="full" head="Live" onClose={() => setOpen(false)}>
          <a href="/docs">Read</a>
        </SidePanel>
      )}
    </UiProvider>
  );
}

test('keeps the focus in the list, so that its keys still work', async () => {
  render(<List />);
  const row = screen.getByRole('button', { name: 'Row' });
  await userEvent.click(row);
  expect(screen.getByRole('complementary', { name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(row);
});

test('returns the focus when it is closed with its button', async () => {
  render(<List />);
  const row = screen.getByRole('button', { name: 'Row' });
  await userEvent.click(row);
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection (Esc)' }));
  expect(screen.queryByRole('complementary')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(row));
});
