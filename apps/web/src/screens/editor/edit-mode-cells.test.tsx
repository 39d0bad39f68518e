import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDraft, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { SAVE, cell, isUnsaved, open, press, startEditServer, titles } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

describe('cells', () => {
  test('a click edits a cell and Enter commits it; the row then shows the previous value', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    const text = screen.getByRole('textbox', { name: 'Step 1, task' });
    await user.clear(text);
    await user.type(text, 'Record it{Shift>}{Enter}{/Shift}and sign{Enter}');
    const edited = screen.getByRole('gridcell', { name: /Record it/ });
    expect(edited.textContent).toBe('Record it\nand sign');
    expect(document.activeElement, 'the cell below').toBe(cell('Approve, or return it.'));
    const prev = screen.getByRole('row', { name: 'Before the change, step 1' });
    expect(prev.textContent).toContain('Record the name.');
    expect(isUnsaved()).toBe(true);
    await user.click(within(prev).getByRole('button', { name: 'Clear diff' }));
    expect(screen.queryByRole('row', { name: /Before the change/ })).toBeNull();
    expect(isUnsaved()).toBe(true);
  });

  test('Escape leaves the cell unchanged', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('gone{Escape}');
    expect(document.activeElement).toBe(cell('Record the name.'));
    expect(isUnsaved()).toBe(false);
  });

  test('arrow keys move between cells, F2 edits, and Tab commits and moves to the next cell', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{ArrowDown}{F2}');
    await user.keyboard('Second look{Tab}');
    expect(titles()).toEqual(['Register the request', 'Second look', 'Tell finance']);
    // The comparison row has an assignee, too.
    expect(document.activeElement).toBe(screen.getAllByRole('gridcell', { name: 'reviewer' })[0]);
    await user.keyboard('{Shift>}{Tab}{/Shift}{ArrowUp}');
    expect(document.activeElement).toBe(cell('manual: Register the request'));
  });

  test('typing a letter in a cell replaces its text', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('New{Enter}');
    expect(titles()[0]).toBe('New');
  });

  test('suggests assignees by part of their name or address, and tags each as role or email', async () => {
    const { user } = await open();
    await waitFor(() => expect(server.calls('GET /api/organizations/*/users')).toHaveLength(1));
    await user.click(cell('auto'));
    await user.clear(screen.getByRole('combobox'));
    await user.type(screen.getByRole('combobox'), 'RE');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['reviewerrole', 'Greta greta@halden.exampleemail']);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(within(cell('Greta')).getByTitle('greta@halden.example')).toBeDefined();
  });

  test('adds a group to the assignees of a step after a comma', async () => {
    server.on('GET /api/groups', {
      json: [{ id: 'g', slug: 'finance', name: 'Money', members: [], pendingRemovals: [] }],
    });
    const { user } = await open();
    await waitFor(() => expect(server.calls('GET /api/groups').length).toBeGreaterThan(0));
    await user.click(cell('auto'));
    await user.clear(screen.getByRole('combobox'));
    await user.type(screen.getByRole('combobox'), 'reviewer, mon');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Money group:financegroup']);
    await user.keyboard('{Enter}');
    expect(within(cell('reviewer, Money')).getByTitle('reviewer, group:finance')).toBeDefined();
  });

  test('warns about an unknown assignee, but allows saving', async () => {
    const { user } = await open();
    await user.click(cell('auto'));
    await user.clear(screen.getByRole('combobox'));
    await user.type(screen.getByRole('combobox'), 'sam okafor{Enter}');
    const flagged = screen.getByRole('gridcell', { name: /sam okafor/ });
    expect(flagged.getAttribute('aria-invalid')).toBe('true');
    expect(flagged.textContent).toContain(
      'Please enter a valid email address or system role (system, auto, unassigned)',
    );
    expect(flagged.textContent).toContain('Roles work too: owner, admin, editor, reviewer, viewer');
    await user.click(press('Save'));
    await waitFor(() => expect(server.calls(SAVE)).toHaveLength(1));
  });

  test('shows a number without a unit as hours and no avatar for an empty assignee', async () => {
    const steps = STEPS.map((step, index) => (index === 0 ? { ...step, sla: '2', assignee: '' } : step));
    server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ steps }) });
    await open();
    expect(cell('2 hours')).toBeDefined();
    const [row] = screen.getAllByRole('row').filter(({ dataset }) => dataset['step'] === steps[0]?.id);
    const assignee = row?.querySelector('[aria-colindex="4"]');
    expect(assignee?.textContent).toBe('');
    expect(assignee?.querySelector('[data-initials]')).toBeNull();
  });

  test('sets an SLA with days, hours and minutes', async () => {
    const { user } = await open();
    await user.click(cell('2 days'));
    const dialog = within(screen.getByRole('dialog', { name: 'Set SLA Duration' }));
    expect(dialog.getByLabelText<HTMLSelectElement>('Days').value).toBe('2');
    expect(dialog.getByLabelText<HTMLSelectElement>('Days').options).toHaveLength(31);
    expect(dialog.getByLabelText<HTMLSelectElement>('Hours').options).toHaveLength(24);
    expect(dialog.getByLabelText<HTMLSelectElement>('Minutes').options).toHaveLength(12);
    await user.selectOptions(dialog.getByLabelText('Hours'), '4');
    expect(dialog.getByText('2 days 4 hours')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Set SLA' }));
    expect(cell('2 days 4 hours')).toBeDefined();
  });

  test.each([
    ['4h', '4 hours'],
    ['2d 4h', '2 days 4 hours'],
    ['soon', 'soonNot a duration, so this step has no SLA'],
  ])('accepts %s typed into an SLA cell and shows %s', async (typed, shown) => {
    const { user } = await open();
    cell('2 days').focus();
    await user.keyboard(`${typed}{Enter}`);
    expect(screen.queryByRole('dialog')).toBeNull();
    const rows = screen.getAllByRole('row').filter((row) => row.dataset['step']);
    expect(rows[1]?.querySelector('[aria-colindex="5"]')?.textContent).toBe(shown);
    await user.click(press('Save'));
    await waitFor(() => expect(server.calls(SAVE)).toHaveLength(1));
    const [call] = server.calls(SAVE);
    expect(call?.body).toMatchObject({ steps: [{}, { sla: typed === 'soon' ? 'soon' : shown }, {}] });
  });

  test.each([
    ['banana', 'banana'],
    ['45 days', '45 days'],
    ['1m', '1 min'],
  ])('shows the SLA %s as %s and doesn’t change it if its dialog is confirmed unchanged', async (sla, shown) => {
    const steps = STEPS.map((step, index) => (index === 0 ? { ...step, sla } : step));
    server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ steps }) });
    const { user } = await open();
    const own = screen.getByRole('gridcell', { name: new RegExp(`^${shown}`) });
    expect(own.getAttribute('aria-invalid')).toBe(sla === 'banana' ? 'true' : null);
    await user.click(own);
    const dialog = within(screen.getByRole('dialog', { name: 'Set SLA Duration' }));
    expect(dialog.getByText(new RegExp(`“${sla}” is not`))).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Set SLA' }));
    expect(isUnsaved()).toBe(false);
  });

  test('undo in the SLA editor doesn’t affect the document', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('x{Enter}');
    await user.click(cell('2 days'));
    await user.keyboard('{Control>}z{/Control}');
    expect(isUnsaved()).toBe(true);
  });

  test('keeps text over the limit, reports it and doesn’t save it', async () => {
    const { user } = await open();
    await user.click(cell('manual: Register the request'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Step 1, name' }), { target: { value: 'x'.repeat(301) } });
    await user.keyboard('{Enter}');
    expect(titles()[0]).toHaveLength(301);
    await user.click(press('Save'));
    const refusals = await screen.findAllByText(/Step 1, step name: at most 300 characters; this text has 301/);
    expect(refusals.length).toBeGreaterThan(0);
    expect(server.calls(SAVE)).toHaveLength(0);
  });

  test('leaving a cell with the mouse moves nothing under the pointer until the button is released', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('changed');
    await user.pointer({ keys: '[MouseLeft>]', target: cell('Approve, or return it.') });
    expect(screen.queryByRole('row', { name: 'Before the change, step 1' })).toBeNull();
    await user.pointer({ keys: '[/MouseLeft]', target: cell('Approve, or return it.') });
    expect(screen.getByRole('row', { name: 'Before the change, step 1' })).toBeDefined();
    expect(screen.getByRole('textbox', { name: 'Step 2, task' })).toBeDefined();
  });

  test('a click on Save includes the cell that is being edited', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('changed');
    await user.click(press('Save'));
    await waitFor(() =>
      expect(server.calls(SAVE)[0]?.body).toMatchObject({ steps: [{ description: 'changed' }, {}, {}] }),
    );
  });
});
