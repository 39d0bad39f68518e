import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { cell, isUnsaved, open, press, startEditServer, titles, undo } from './edit-mode.fixture.ts';

cleanUpAfterEach();

beforeEach(() => {
  startEditServer();
});

describe('rows', () => {
  test('Alt with an arrow key moves a row and announces its position', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(titles()).toEqual(['Compliance review', 'Register the request', 'Tell finance']);
    expect(screen.getByText('Register the request moved to position 2 of 3.')).toBeDefined();
    expect(document.activeElement?.textContent).toContain('Register the request');
  });

  test('rows can be duplicated, deleted, and restored with undo', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Actions for step 2' }));
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate step' }));
    expect(titles()).toEqual(['Register the request', 'Compliance review', 'Compliance review', 'Tell finance']);
    await user.click(screen.getByRole('button', { name: 'Actions for step 1' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete step' }));
    expect(titles()).toHaveLength(3);
    await user.keyboard('{Control>}zz{/Control}');
    expect(titles()).toEqual(STEPS.map(({ title }) => title));
    expect(isUnsaved()).toBe(false);
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    expect(titles()).toHaveLength(4);
  });

  test('Add Step adds a default step and marks the workflow as changed', async () => {
    const { user } = await open();
    await user.click(press('Add Step'));
    const title = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Step 4, name' });
    expect(document.activeElement).toBe(title);
    expect(title.value).toBe('New Step');
    expect(cell('Describe what needs to be done in this step...')).toBeDefined();
    expect(screen.getByText('4 steps')).toBeDefined();
    expect(isUnsaved()).toBe(true);
  });

  test.each(['{Tab}', '{Enter}'])('%s while editing the last cell adds a step', async (key) => {
    const { user } = await open();
    screen.getByRole('gridcell', { name: 'Send the number.' }).focus();
    await user.keyboard(`{F2}Send it.${key}`);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Step 4, name' }));
    await user.keyboard('Archive{Enter}');
    expect(titles()).toEqual([...STEPS.map(({ title }) => title), 'Archive']);
  });

  test('the grid counts its rows for screen readers', async () => {
    const { user } = await open();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4');
    await user.click(cell('Record the name.'));
    await user.keyboard('x{Enter}');
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('5');
  });
});

describe('pasting from a spreadsheet', () => {
  const paste = (text: string) =>
    fireEvent.paste(document.activeElement ?? document.body, { clipboardData: { getData: () => text } });

  test('fills rows from the selected cell, adds steps, announces the result and is one undo step', async () => {
    const { user } = await open();
    screen.getByRole('gridcell', { name: 'notification: Tell finance' }).focus();
    paste('Pay\tsystem\t1h\t"Two\nlines"\r\nArchive\tauto\r\n');
    expect(titles()).toEqual(['Register the request', 'Compliance review', 'Pay', 'Archive']);
    expect(screen.getByRole('gridcell', { name: /Two/ }).textContent).toBe('Two\nlines');
    expect(screen.getByText('Pasted: 1 row filled, 1 step added. You can undo it.')).toBeDefined();
    await user.click(undo());
    expect(titles()).toEqual(STEPS.map(({ title }) => title));
    expect(isUnsaved()).toBe(false);
  });

  test('adds no steps while a cell is being edited', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('gridcell', { name: 'Record the name.' }));
    paste('a\tb\nc\td');
    expect(titles()).toHaveLength(3);
  });
});
