import { EventEmitter } from 'node:events';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { Engine } from 'bpmn-engine';
import { STEPS } from './client-process.ts';

export type Neighbour = { perSecond: number; count: number; cpuSeconds: number };

/** Steps a second of so many runs at a time, one after the other in each place, for so long. */
async function measured(places: number, seconds: number, run: (n: number) => Promise<void>): Promise<Neighbour> {
  await Promise.all(Array.from({ length: places }, (_, place) => run(place)));
  const before = process.cpuUsage();
  const began = performance.now();
  const until = began + seconds * 1000;
  let runs = 0;
  const place = async (): Promise<void> => {
    while (performance.now() < until) await run((runs += 1));
  };
  await Promise.all(Array.from({ length: places }, place));
  const { user, system } = process.cpuUsage(before);
  const count = runs * STEPS.length;
  return { count, perSecond: (count * 1000) / (performance.now() - began), cpuSeconds: (user + system) / 1e6 };
}

/** Durable workflows of five steps that do nothing, in this process, on this PostgreSQL. */
export async function dbos(url: string, places: number, seconds: number): Promise<Neighbour> {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    systemDatabasePoolSize: 16,
    logLevel: 'error',
    runAdminServer: false,
  });
  const fiveSteps = DBOS.registerWorkflow(
    async (n: number): Promise<number> => {
      let sum = n;
      for (const name of STEPS) sum += await DBOS.runStep(async () => 1, { name });
      return sum;
    },
    { name: 'five-steps' },
  );
  await DBOS.launch();
  try {
    return await measured(places, seconds, async (n) => void (await fiveSteps(n)));
  } finally {
    await DBOS.shutdown();
  }
}

const PROCESS = `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="definitions" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="http://bpmn.io/schema/bpmn">
  <process id="steps" isExecutable="true">
    <startEvent id="begin" /><endEvent id="end" />
    ${STEPS.map((step) => `<userTask id="${step}" />`).join('')}
    ${['begin', ...STEPS]
      .map((from, at) => `<sequenceFlow id="flow${at}" sourceRef="${from}" targetRef="${STEPS[at] ?? 'end'}" />`)
      .join('')}
  </process>
</definitions>`;

/** Five user tasks, each signalled as soon as it waits, in the memory of this process. */
export async function bpmn(seconds: number): Promise<Neighbour> {
  return measured(1, seconds, async (n) => {
    const listener = new EventEmitter();
    listener.on('activity.wait', (task: { signal: () => void }) => setImmediate(() => task.signal()));
    const engine = new Engine({ name: `run ${n}`, source: PROCESS });
    const ended = new Promise((resolve, reject) => engine.once('end', resolve).once('error', reject));
    await engine.execute({ listener });
    await ended;
  });
}
