import type { Step } from '@stet/domain/steps';
import { act, cleanup, createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UiProvider } from '../../../ui/ui-provider.tsx';
import { svgText } from './model/svg-text.ts';
import { FlowPicture } from './components/flow-picture.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const step = (id: string, title: string, next: string[], more: Partial<Step> = {}): Step => ({
  id,
  type: 'manual',
  title,
  description: '',
  assignee: '',
  sla: '',
  config: {},
  next,
  ...more,
});

const STEPS = [
  step('a', 'Register', ['b']),
  step('b', 'High risk?', ['c', 'd'], { type: 'condition', config: { trueNext: 'c', falseNext: 'd' } }),
  step('c', 'Compliance review', ['d'], { type: 'approval', config: { onReject: 'a' } }),
  step('d', 'Tell the requester', [], { type: 'notification' }),
];

const show = (props: Partial<Parameters<typeof FlowPicture>[0]> = {}) =>
  render(<FlowPicture steps={STEPS} {...props} />, { wrapper: UiProvider });

describe('the diagram of the flow', () => {
  it('is a list of the steps with their next steps for screen readers', async () => {
    show();
    const list = await screen.findByRole('list', { name: 'Steps and what follows them' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.getAttribute('aria-label')),
    ).toEqual([
      '1 Register, manual. Then 2 High risk?',
      '2 High risk?, condition. Then Yes: 3 Compliance review; No: 4 Tell the requester',
      '3 Compliance review, approval. Then 4 Tell the requester; Rejected: 1 Register',
      '4 Tell the requester, notification. The end of a path',
    ]);
    expect(within(list).queryByRole('button')).toBeNull();
  });

  it('has one Tab stop, moves with arrow keys, and selects a step with Enter or a click', async () => {
    const onSelect = vi.fn<(stepId: string) => void>();
    show({ onSelect, selectedId: 'b' });
    const user = userEvent.setup();
    const selected = await screen.findByRole('button', { name: /^2 High risk/, pressed: true });
    expect(screen.getAllByRole('button', { name: /^\d / }).filter(({ tabIndex }) => tabIndex === 0)).toEqual([
      selected,
    ]);
    selected.focus();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onSelect).toHaveBeenLastCalledWith('c');
    await user.keyboard('{End} ');
    expect(onSelect).toHaveBeenLastCalledWith('d');
    await user.click(screen.getByRole('button', { name: /^1 Register/ }));
    expect(onSelect).toHaveBeenLastCalledWith('a');
  });

  it('shows a new title immediately, and a new step once it has a position', async () => {
    const { rerender } = show();
    await screen.findByRole('list', { name: 'Steps and what follows them' });
    rerender(<FlowPicture steps={[step('a', 'Renamed', ['z']), ...STEPS.slice(1), step('z', 'Added', [])]} />);
    expect(screen.getByText('Renamed')).toBeTruthy();
    expect(await screen.findByText('Added')).toBeTruthy();
  });

  it('zooms with buttons and keys', async () => {
    show();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    expect(screen.getByText('125 %')).toBeTruthy();
    screen.getByRole('region', { name: 'Diagram: steps' }).focus();
    await user.keyboard('--');
    expect(screen.getByText('80 %')).toBeTruthy();
  });

  it('zooms by pinching, starting from the scale that is shown', async () => {
    const onResize: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(resized: () => void) {
          onResize.push(resized);
        }
        observe() {}
        disconnect() {}
      },
    );
    show();
    await screen.findByRole('list', { name: 'Steps and what follows them' });
    const frame = screen.getByRole('region', { name: 'Diagram: steps' });
    vi.spyOn(frame, 'clientWidth', 'get').mockReturnValue(100);
    vi.spyOn(frame, 'clientHeight', 'get').mockReturnValue(400);
    act(() => onResize.forEach((resized) => resized()));
    expect(screen.getByText('50 %')).toBeTruthy();
    fireEvent.wheel(frame, { deltaY: -20 });
    expect(screen.getByText('50 %')).toBeTruthy();
    const pinch = () => {
      const event = createEvent.wheel(frame, { deltaY: -20 });
      // The wheel events of happy-dom have no modifier keys.
      Object.defineProperty(event, 'ctrlKey', { value: true });
      fireEvent(frame, event);
    };
    pinch();
    expect(screen.getByText('55 %')).toBeTruthy();
    pinch();
    expect(screen.getByText('61 %')).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Zoom in' }));
    expect(screen.getByText('76 %')).toBeTruthy();
  });

  it('is exported as a self-contained file', async () => {
    const { container } = show();
    await screen.findByRole('list', { name: 'Steps and what follows them' });
    const drawing = container.querySelector<SVGSVGElement>('svg[role="list"]');
    if (!drawing) throw new Error('nothing is drawn');
    const file = new DOMParser().parseFromString(svgText(drawing), 'image/svg+xml').documentElement;
    expect(file.getAttribute('xmlns')).toBe('http://www.w3.org/2000/svg');
    expect(file.textContent).toContain('Compliance review');
    expect(file.querySelectorAll('[class], [role], [tabindex], [aria-label]')).toHaveLength(0);
    expect(document.querySelectorAll('svg[role="list"][viewBox]')).toHaveLength(1);
  });

  it('shows a message if there are no steps', () => {
    show({ steps: [] });
    expect(screen.getByText('No steps to draw yet.')).toBeTruthy();
  });
});
