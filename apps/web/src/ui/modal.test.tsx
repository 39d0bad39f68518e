import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { UiProvider } from './ui-provider.tsx';

afterEach(cleanup);

function Page() {
  const [steps, setSteps] = useState(false);
  const [confirming, setConfirming] = useState(false);
  return (
    <UiProvider>
      <Button onClick={() => setSteps(true)}>Edit steps</Button>
      <Modal open={steps} title="Steps" onClose={() => setSteps(false)}>
        <Button onClick={() => setConfirming(true)}>Delete step</Button>
      </Modal>
      <Modal open={confirming} title="Delete the step?" onClose={() => setConfirming(false)}>
        <Button onClick={() => setConfirming(false)}>Keep it</Button>
      </Modal>
    </UiProvider>
  );
}

const openBoth = async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Edit steps' }));
  await user.click(await screen.findByRole('button', { name: 'Delete step' }));
  await waitFor(() => expect(screen.getByRole('dialog', { name: 'Delete the step?' })).toBeTruthy());
  return user;
};

test('Escape closes only the top dialog', async () => {
  const user = await openBoth();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete the step?' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'Steps' })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete step' })));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit steps' })));
});

test('Tab stays in the top dialog', async () => {
  const user = await openBoth();
  const dialog = screen.getByRole('dialog', { name: 'Delete the step?' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  const visited = new Set<Element | null>();
  for (let press = 0; press < 5; press++) {
    await user.tab();
    visited.add(document.activeElement);
    expect(dialog.contains(document.activeElement)).toBe(true);
  }
  expect(visited.size).toBe(2);
});

test('the page doesn’t scroll while any dialog is open', async () => {
  const user = await openBoth();
  const scrolling = () => document.documentElement.style.overflow;
  expect(scrolling()).toBe('hidden');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
  expect(scrolling()).toBe('hidden');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(scrolling()).toBe('');
});
