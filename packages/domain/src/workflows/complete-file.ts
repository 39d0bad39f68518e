import { UNASSIGNED } from '../access/assignee.ts';
import { UNWRITTEN_SLA } from '../defaults/table.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the value of a JSON file, completed with everything that a file may omit (specification, section 3, editor
 * row). A file needs only `steps`. A step without an id gets one from `newId`. Its other missing values become 'Step
 * {n}', 'Unassigned', '1 day' and 'Task description...'. `name` and `instructions` are aliases of `title` and
 * `description`, both in steps and in the workflow, where they may be at the top level if there is no `metadata`. Null
 * counts as missing; an empty text doesn't, because an empty SLA means no SLA. A value of the wrong shape is returned
 * unchanged.
 * @param newId returns an id that no step has had
 */
export function completeFile(source: unknown, newId: () => string): unknown {
  if (!isFields(source) || !Array.isArray(source['steps'])) return source;
  const { metadata, title, name, description, instructions, ...file } = source;
  const written = metadata ?? { title, name, description, instructions };
  return present({
    ...file,
    metadata: isFields(written) ? completeMetadata(written) : written,
    steps: source['steps'].map((step: unknown, index) => (isFields(step) ? completeStep(step, index, newId) : step)),
  });
}

/** Returns undefined if there is no title; the import then doesn't change the workflow's title and description. */
function completeMetadata({ name, instructions, ...written }: Fields): Fields | undefined {
  const title = written['title'] ?? name;
  if (title === undefined || title === null) return undefined;
  return present({ ...written, title, description: written['description'] ?? instructions });
}

const completeStep = ({ name, instructions, ...step }: Fields, index: number, newId: () => string): Fields =>
  present({
    ...step,
    id: step['id'] ?? newId(),
    title: step['title'] ?? name ?? `Step ${index + 1}`,
    assignee: step['assignee'] ?? UNASSIGNED,
    sla: step['sla'] ?? UNWRITTEN_SLA,
    description: step['description'] ?? instructions ?? 'Task description...',
  });

const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
