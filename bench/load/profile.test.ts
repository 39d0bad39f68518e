import { expect, test } from 'vitest';
import { type Profile, timeByPart } from './profile.ts';

const node = (id: number, functionName: string, url = '', children: number[] = []): Profile['nodes'][number] => ({
  id,
  callFrame: { functionName, url },
  children,
});
const PROFILE: Profile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 9]),
    node(2, '(idle)'),
    node(3, '(garbage collector)'),
    node(4, 'onRequest', 'file:///stet/node_modules/fastify/lib/route.js', [5, 7]),
    node(5, 'completeStep', 'file:///stet/apps/server/dist/chunk-A.js', [6, 8]),
    node(6, 'stringify'),
    node(7, 'query', 'file:///stet/node_modules/pg/lib/client.js', [10]),
    node(8, 'parse', 'file:///stet/apps/server/node_modules/zod/v4/core.js'),
    node(9, 'processTicksAndRejections', 'node:internal/process/task_queues'),
    node(10, 'writeBuffer', 'node:internal/stream_base_commons'),
  ],
  startTime: 1000,
  samples: [2, 4, 5, 6, 7, 8, 9, 10, 3, 2],
  timeDeltas: [0, 10, 1, 2, 3, 4, 5, 6, 7, 8],
};

test('timeByPart attributes time to the code that spent it, native time to its callers, and ignores idle time', () => {
  expect(Object.fromEntries(timeByPart(PROFILE))).toEqual({
    'the HTTP framework': 1,
    // Includes the time of the native `stringify`.
    "Stet's own code": 2 + 3,
    'the PostgreSQL client': 4,
    'validation of input and output': 5,
    'Node.js: sockets, streams, HTTP': 6 + 7,
    'garbage collection': 8,
  });
});

test('timeByPart lists the largest part first', () => {
  expect([...timeByPart(PROFILE).keys()][0]).toBe('Node.js: sockets, streams, HTTP');
});

test('timeByPart counts only samples within the span', () => {
  // The samples are at 1010, 1011, 1013, 1016, 1020, …
  expect(Object.fromEntries(timeByPart(PROFILE, { from: 1011, to: 1020 }))).toEqual({
    "Stet's own code": 5,
    'the PostgreSQL client': 4,
  });
});
