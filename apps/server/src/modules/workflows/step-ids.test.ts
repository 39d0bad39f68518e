import { afterAll, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());

it('the version numbers of a workflow include versions above the live one, but not drafts', async () => {
  const person = await server.signUp();
  const numbers = async (): Promise<number[]> =>
    (await person.get<{ numbers: number[] }>('/api/workflows/numbered/version-numbers')).numbers;
  await publish(person, person, 'numbered', stepsNamed('First'));
  await publish(person, person, 'numbered', stepsNamed('Second'));
  await person.post('/api/workflows/numbered/versions/1/rollback');
  await person.post('/api/workflows/numbered/drafts', { metadata: { title: 'C' }, steps: stepsNamed('Third') });
  expect((await person.get<{ version: { number: number } }>('/api/workflows/numbered')).version.number).toBe(1);
  expect(await numbers()).toEqual([2, 1]);
  expect((await person.call('GET', '/api/workflows/unknown/version-numbers')).status).toBe(404);
});

it('the step ids of a workflow include those of former versions and open drafts', async () => {
  const person = await server.signUp();
  const withId = (id: string) => stepsNamed('Check').map((step) => ({ ...step, id }));
  const stepIds = async (): Promise<string[]> =>
    (await person.get<{ stepIds: string[] }>('/api/workflows/checked/step-ids')).stepIds.toSorted();
  await publish(person, person, 'checked', withId('step-1'));
  await publish(person, person, 'checked', withId('step-2'));
  expect(await stepIds()).toEqual(['step-1', 'step-2']);
  await person.post('/api/workflows/checked/drafts', { metadata: { title: 'C' }, steps: withId('step-3') });
  expect(await stepIds()).toEqual(['step-1', 'step-2', 'step-3']);
  const { status } = await person.call('GET', '/api/workflows/unknown/step-ids');
  expect(status).toBe(404);
});
