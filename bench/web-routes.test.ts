import { expect, test } from 'vitest';
import { SAMPLES, routePatterns } from './web-routes.ts';

test('the web benchmark has an address for each screen of the app', async () => {
  expect(Object.keys(SAMPLES).sort()).toEqual((await routePatterns()).sort());
});
