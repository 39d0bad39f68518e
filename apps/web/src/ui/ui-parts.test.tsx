import { TOAST_MS } from '@stet/presentation/constants';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { TextField } from './field.tsx';
import { FailureNote } from './note.tsx';
import { Priority } from './priority.tsx';
import { SlaBadge, SlaSummary } from './sla-badge.tsx';
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

test('a busy button shows its busy label, keeps the focus and ignores clicks', async () => {
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

test('a busy submit button doesn’t submit its form again', async () => {
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

test('a field’s error replaces its hint and describes the input', () => {
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
  const area = () => screen.getByRole('region', { name: 'Notifications' });

  test.each(['ok', 'warn', 'bad'] as const)('with the tone %s disappear after 3500 ms', (tone) => {
    vi.useFakeTimers();
    render(<Toaster screen="/a" />);
    act(() => void toast[tone]('Export Failed', 'Failed to export workflow'));
    expect(area().getAttribute('aria-live')).toBe('polite');
    expect(screen.queryAllByRole('alert')).toHaveLength(tone === 'bad' ? 1 : 0);
    pass(TOAST_MS - 1);
    expect(area().textContent).toBe('Export FailedFailed to export workflow');
    pass(1);
    expect(area().textContent).toBe('');
  });

  test('replace each other and stay for 3500 ms each', () => {
    vi.useFakeTimers();
    render(<Toaster screen="/a" />);
    act(() => void toast.bad('Save Error'));
    pass(TOAST_MS - 1);
    act(() => void toast.ok('Workflow Saved'));
    expect(area().textContent).toBe('Workflow Saved');
    pass(TOAST_MS - 1);
    expect(area().textContent).toBe('Workflow Saved');
    act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
    expect(area().textContent).toBe('');
  });

  test('are removed with their screen, unless they are for the next one', () => {
    const { rerender } = render(<Toaster screen="/a" />);
    act(() => void toast.bad('Failed to load workflows'));
    rerender(<Toaster screen="/b" />);
    expect(area().textContent).toBe('');
    act(() => void toast.ok('Run Started', undefined, { forNextScreen: true }));
    rerender(<Toaster screen="/c" />);
    expect(area().textContent).toBe('Run Started');
    act(() => void toast.ok('Workflow Loaded', undefined, { onArrival: true }));
    expect(area().textContent, 'a toast about the arrival doesn’t replace the previous screen’s toast').toBe(
      'Run Started',
    );
    rerender(<Toaster screen="/d" />);
    expect(area().textContent).toBe('');
  });

  test('stay until the next screen has loaded if they are for that screen', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Toaster screen="/login" />);
    act(() => void toast.ok('Connected', undefined, { forNextScreen: true }));
    act(() => void vi.advanceTimersByTime(TOAST_MS * 3));
    rerender(<Toaster screen="/app/editor" />);
    expect(screen.getByText('Connected')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(TOAST_MS + 10));
    expect(screen.queryByText('Connected')).toBeNull();
  });

  test('disappear with the error on the page that they report', async () => {
    const user = userEvent.setup();
    const Page = () => {
      const [cause, setCause] = useState<object | null>({});
      return (
        <>
          {cause && (
            <FailureNote cause={cause} title="Export Failed" message="Try again." onDismiss={() => setCause(null)} />
          )}
          <Toaster screen="/a" />
        </>
      );
    };
    render(<Page />);
    expect(screen.getAllByRole('alert')).toHaveLength(2);
    const note = screen.getAllByRole('alert').find((alert) => !area().contains(alert));
    await user.click(within(note as HTMLElement).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryAllByRole('alert')).toEqual([]);
  });

  test('appear below the bars at the top', () => {
    render(
      <>
        <header
          data-edge="head"
          ref={(bar) => void (bar && (bar.getBoundingClientRect = () => new DOMRect(0, 0, 1440, 52)))}
        />
        <Toaster screen="/a" />
      </>,
    );
    act(() => void toast.ok('Approved'));
    expect((area().firstElementChild as HTMLElement).style.marginTop).toBe('52px');
  });

  test('don’t disappear while the pointer is over them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<Toaster screen="/a" />);
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

test('a term’s explanation opens, closes with Escape and returns the focus', async () => {
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

test('a sparkline reaches the target line at exactly 100 % of the SLA and never leaves its box', () => {
  expect(sparkPoints([0, 1, 5])).toEqual([
    { x: 2, y: 22 },
    { x: 43, y: 8.2 },
    { x: 84, y: 2 },
  ]);
  expect(sparkPoints([0.5])).toEqual([{ x: 84, y: 15.1 }]);
});

describe('values from a newer server', () => {
  test.each([
    ['at_risk', 'At risk'],
    ['At Risk', 'At risk'],
    ['on-track', 'On track'],
    ['forecast', 'forecast'],
    ['constructor', 'constructor'],
  ])('an SLA state %s is shown as %s', (state, words) => {
    render(<SlaBadge state={state} />);
    expect(screen.getByText(words)).toBeTruthy();
  });

  test('an unknown SLA state has no summary; an unknown priority is shown unchanged', () => {
    const { container } = render(<SlaSummary state="forecast" />);
    expect(container.textContent).toBe('');
    render(<Priority level="toString" />);
    expect(screen.getByText('toString')).toBeTruthy();
  });
});
