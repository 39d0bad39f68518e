import { cutText } from '@stet/domain/workflows';
import type { Present } from './message.ts';

type OnNode = { people: readonly Present[]; at: number };

/** How long a node's report is valid, in milliseconds. Running nodes renew it in time. */
export const PRESENCE_MS = 60_000;
// A message between nodes has room for this many people, even if their names have the maximum length.
const MAX_PEOPLE = 30;
const NAME_LENGTH = 60;

/**
 * Stores the viewers on other nodes, from each node's last report. A place is a run or draft together with its
 * organization. With the id alone, people could see viewers from other organizations. Times are in milliseconds and can
 * come from any clock, but always from the same one.
 */
export function openPresence() {
  const byPlace = new Map<string, Map<string, OnNode>>();
  return {
    received: (place: string, node: string, people: readonly Present[], at: number): void => {
      const nodes = byPlace.get(place) ?? new Map<string, OnNode>();
      if (people.length > 0) nodes.set(node, { people, at });
      else nodes.delete(node);
      if (nodes.size > 0) byPlace.set(place, nodes);
      else byPlace.delete(place);
    },
    /** Returns at most `MAX_PEOPLE` viewers of the place, sorted by name. A person with several tabs is listed once. */
    of: (place: string, here: readonly Present[]): Present[] => distinct([...here, ...elsewhere(byPlace.get(place))]),
    /** Removes nodes that have stopped reporting. Returns the places that they had reported. */
    forget: (now: number): string[] => {
      const changed: string[] = [];
      for (const [place, nodes] of byPlace) {
        const before = nodes.size;
        for (const [node, { at }] of nodes) if (now - at > PRESENCE_MS) nodes.delete(node);
        if (nodes.size < before) changed.push(place);
        if (nodes.size === 0) byPlace.delete(place);
      }
      return changed;
    },
  };
}

const elsewhere = (nodes: ReadonlyMap<string, OnNode> | undefined): Present[] =>
  [...(nodes?.values() ?? [])].flatMap(({ people }) => people);

export function distinct(people: readonly Present[]): Present[] {
  const byId = new Map(people.map((person) => [person.id, person]));
  return [...byId.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id))
    .slice(0, MAX_PEOPLE)
    .map(({ id, name }) => ({ id, name: cutText(name, NAME_LENGTH) }));
}
