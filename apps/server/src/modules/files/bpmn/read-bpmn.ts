import { metadata as metadataSchema, steps as stepsSchema } from '@stet/contract';
import { fromBpmn, type LeftOut } from '@stet/domain/bpmn';
import { LIMITS, METADATA, cutText, metadataOf, metadataValue } from '@stet/domain/workflows';
import type { ModdleElement } from 'bpmn-moddle';
import { FILE_LIMIT, type FileProblem, type WorkflowFile } from '../read-workflow-file.ts';
import { newModdle } from './moddle.ts';
import { processOf } from './process-of.ts';

type ReadBpmnFile = { ok: true; file: WorkflowFile; leftOut: LeftOut[] } | { ok: false; problems: FileProblem[] };

/**
 * Maximum number of elements in a process. A process has gateways and events in addition to at most a thousand steps.
 */
const ELEMENTS = 5 * LIMITS.steps;
const NAMESPACES = 200;
/** Maximum number of lines in the list of omitted elements. */
const LINES = 200;

/**
 * Reads BPMN 2.0 XML. A DOCTYPE is refused, because it could define entities that expand to huge texts. Elements that a
 * workflow can't have are omitted and listed.
 */
export async function readBpmnFile(text: string): Promise<ReadBpmnFile> {
  if (Buffer.byteLength(text) > FILE_LIMIT) return refused('The file is larger than 1 MiB');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return refused('A BPMN file can’t contain a DOCTYPE');
  // The parsing time grows with the square of the number of namespaces. Files from modelers have about ten.
  if ((text.match(/\bxmlns\s*[:=]/g)?.length ?? 0) > NAMESPACES) return refused('The file has too many namespaces');
  let root: ModdleElement;
  let warnings: { message: string }[];
  try {
    ({ rootElement: root, warnings } = await newModdle().fromXML(text));
  } catch (error) {
    return broken(error instanceof Error ? error.message : '');
  }
  const unparsable = warnings.find(({ message }) => message.startsWith('unparsable'));
  if (unparsable) return broken(unparsable.message);

  const process = processOf(root);
  if (!process) return refused('There is no process in this file');
  if (process.elements.length > ELEMENTS) return refused(`A process can have at most ${ELEMENTS} elements`);
  const tasks = process.elements.filter(({ kind }) => kind.endsWith('ask')).length;
  if (tasks > LIMITS.steps) return refused(`A workflow can have at most ${LIMITS.steps} steps`);
  const read = fromBpmn(process);
  const steps = stepsSchema.safeParse(read.steps);
  if (!steps.success) {
    const problems = steps.error.issues.slice(0, 20).map(({ path, message }) => problemOf(message, path.join('.')));
    return { ok: false, problems };
  }
  const metadata = metadataSchema.safeParse(
    metadataOf((field) => cutText(metadataValue(read.metadata, field), METADATA[field].limit)),
  );
  const leftOut = [...warningsOf(warnings), ...read.leftOut];
  return {
    ok: true,
    file: { key: null, metadata: metadata.success ? metadata.data : null, steps: steps.data },
    leftOut: shortened(leftOut),
  };
}

function warningsOf(warnings: readonly { message: string }[]): LeftOut[] {
  return warnings.map(({ message }) => ({ what: 'reference', name: '', reason: message.split('\n', 1)[0] ?? '' }));
}

function shortened(leftOut: readonly LeftOut[]): LeftOut[] {
  if (leftOut.length <= LINES) return [...leftOut];
  const more = leftOut.length - LINES + 1;
  return [...leftOut.slice(0, LINES - 1), { what: 'more', name: '', reason: `${more} more elements were omitted` }];
}

const problemOf = (problem: string, path = '', line: number | null = null, column: number | null = null) => ({
  line,
  column,
  path,
  problem,
});

const refused = (problem: string): ReadBpmnFile => ({ ok: false, problems: [problemOf(problem)] });

/** Converts a message from the parser into a problem. The parser counts lines and columns from 0. */
function broken(message: string): ReadBpmnFile {
  const place = /line: (\d+)\s+column: (\d+)/.exec(message);
  const [line, column] = place ? [Number(place[1]) + 1, Number(place[2]) + 1] : [null, null];
  return { ok: false, problems: [problemOf('This is not BPMN 2.0 XML', '', line, column)] };
}
