import { afterAll, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());

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
