import { TOAST_MS } from '@stet/domain/defaults';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FormEvent } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { TextField } from './field.tsx';
import { sparkPoints } from './spark-points.ts';
import { toast } from './toast.ts';
import { TermHelp } from './term-help.tsx';
import { Toaster } from './toaster.tsx';
import { UiProvider } from './ui-provider.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  act(() => toast.clear());
});

test('a busy button says so, keeps focus and does nothing', async () => {
  const save = vi.fn<() => void>();
  const { rerender } = render(<Button onClick={save}>Save</Button>);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  rerender(
    <Button busy="Saving…" onClick={save}>
      Save
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Saving…' });
  expect(document.activeElement).toBe(button);
  await userEvent.click(button);
  expect(save).toHaveBeenCalledOnce();
});

test('a busy submit button does not send its form again', async () => {
  const send = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
  render(
    <form onSubmit={send}>
      <Button type="submit" busy="Sending…">
        Send
      </Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Sending…' }));
  expect(send).not.toHaveBeenCalled();
});

test('a field’s error takes the place of its hint and describes the input', () => {
  render(
    <TextField label="Email" value="" hint="Your work address" error="Email is required" onChange={() => undefined} />,
  );
  const input = screen.getByLabelText('Email');
  expect(screen.queryByText('Your work address')).toBeNull();
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Email is required');
});

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

describe('toasts', () => {
  test('leave after 3500 ms, errors only when closed', () => {
    vi.useFakeTimers();
    render(<Toaster />);
    act(() => {
      toast.ok('Workflow Saved', 'as a draft');
      toast.bad('Export Failed', 'Failed to export workflow');
    });
    pass(TOAST_MS - 1);
    const area = screen.getByRole('region', { name: 'Notifications' });
    expect(area.getAttribute('aria-live')).toBe('polite');
    expect(area.textContent).toContain('Workflow Saved');
    pass(1);
    expect(area.textContent).not.toContain('Workflow Saved');
    pass(60_000);
    expect(screen.getByRole('alert').textContent).toContain('Failed to export workflow');
    act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('stay while they are pointed at', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<Toaster />);
    act(() => void toast.ok('Approved'));
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).hover(screen.getByText('Approved'));
    pass(TOAST_MS * 2);
    expect(screen.getByText('Approved')).toBeDefined();
  });
});

test('a confirmation starts on the safe button and closes with Escape', async () => {
  const onCancel = vi.fn<() => void>();
  render(
    <UiProvider>
      <ConfirmDialog open title="Delete Purchase order change?" danger onConfirm={() => undefined} onCancel={onCancel}>
        This action cannot be undone.
      </ConfirmDialog>
    </UiProvider>,
  );
  expect(screen.getByRole('dialog', { name: 'Delete Purchase order change?' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Confirm' })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })));
  await userEvent.keyboard('{Escape}');
  expect(onCancel).toHaveBeenCalledOnce();
});

test('a part that breaks leaves a word and a way on', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error('broken');
  };
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  );
  quiet.mockRestore();
  expect(screen.getByText('Something went wrong')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload page' })).toBeDefined();
});

test('a word that is new explains itself, and Escape leads back', async () => {
  const user = userEvent.setup();
  render(
    <UiProvider>
      <TermHelp term="contributor" />
    </UiProvider>,
  );
  const button = screen.getByRole('button', { name: 'Who is a contributor?' });
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(button);
  const help = await screen.findByRole('dialog', { name: 'Who is a contributor?' });
  expect(help.textContent).toContain('can’t approve it');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(button);
});

test('a sparkline meets the target line at a whole SLA and stays in its box beyond', () => {
  expect(sparkPoints([0, 1, 5])).toEqual([
    { x: 2, y: 22 },
    { x: 43, y: 8.2 },
    { x: 84, y: 2 },
  ]);
  expect(sparkPoints([0.5])).toEqual([{ x: 84, y: 15.1 }]);
});
