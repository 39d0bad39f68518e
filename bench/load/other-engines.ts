import { EventEmitter } from 'node:events';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { type BpmnEngineOptions, Engine } from 'bpmn-engine';
import { STEPS } from './client-process.ts';
import { cpuSeconds } from './cpu.ts';

/** How long a workflow waits for each message, in seconds. */
const MESSAGE_SECONDS = 60;

/** An engine's speed, and the CPU seconds of this process and, if the engine uses it, of PostgreSQL. */
export type Neighbor = { runsPerSecond: number; runs: number; cpuSeconds: number; postgresSeconds: number | null };

/**
 * Returns whole runs per second: `places` loops run in parallel for a number of seconds, and each executes one run
 * after another.
 */
async function measured(
  { places, seconds, postgres }: { places: number; seconds: number; postgres: number | null },
  run: (n: number) => Promise<void>,
): Promise<Neighbor> {
  let runs = 0;
  const runFor = (time: number): Promise<void[]> => {
    const until = performance.now() + time * 1000;
    return Promise.all(
      Array.from({ length: places }, async () => {
        while (performance.now() < until) await run((runs += 1));
      }),
    );
  };
  // The first runs are slower, so this warm-up isn't measured.
  await runFor(seconds / 3);
  runs = 0;
  const before = process.cpuUsage();
  const postgresBefore = postgres === null ? 0 : cpuSeconds(postgres);
  const began = performance.now();
  await runFor(seconds);
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return {
    runs,
    runsPerSecond: (runs * 1000) / took,
    cpuSeconds: (user + system) / 1e6,
    postgresSeconds: postgres === null ? null : cpuSeconds(postgres) - postgresBefore,
  };
}

/**
 * Measures durable workflows in this process, on this PostgreSQL. One has five empty code steps. The other has five
 * human steps; each waits for a message from a person.
 */
export async function dbos(
  { url, pid }: { url: string; pid: number },
  places: number,
  seconds: number,
): Promise<{ codeSteps: Neighbor; humanSteps: Neighbor }> {
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
  const fiveMessages = DBOS.registerWorkflow(
    async (): Promise<void> => {
      for (const name of STEPS)
        if ((await DBOS.recv<string>(name, MESSAGE_SECONDS)) === null) throw new Error(`no message for ${name}`);
    },
    { name: 'five-messages' },
  );
  await DBOS.launch();
  try {
    const load = { places, seconds, postgres: pid };
    return {
      codeSteps: await measured(load, async (n) => void (await fiveSteps(n))),
      humanSteps: await measured(load, async () => {
        const run = await DBOS.startWorkflow(fiveMessages)();
        for (const name of STEPS) await DBOS.send(run.workflowID, 'done', name);
        await run.getResult();
      }),
    };
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

/**
 * Measures five user tasks, each signalled as soon as it waits, in this process's memory. The definition is parsed
 * once.
 */
export async function bpmn(seconds: number): Promise<Neighbor> {
  const [parsed] = await new Engine({ name: 'parser', source: PROCESS }).getDefinitions();
  const sourceContext = parsed?.environment.options.source as BpmnEngineOptions['sourceContext'];
  if (!sourceContext) throw new Error('bpmn-engine doesn’t expose the parsed process');
  return measured({ places: 1, seconds, postgres: null }, async (n) => {
    const listener = new EventEmitter();
    listener.on('activity.wait', (task: { signal: () => void }) => setImmediate(() => task.signal()));
    const engine = new Engine({ name: `run ${n}`, sourceContext });
    const ended = new Promise((resolve, reject) => engine.once('end', resolve).once('error', reject));
    await engine.execute({ listener });
    await ended;
  });
}
