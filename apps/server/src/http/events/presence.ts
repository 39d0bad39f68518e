import { cutText } from '@stet/domain/workflows';
import type { Present } from './message.ts';

type OnNode = { people: readonly Present[]; at: number };

/** How long the word of a node counts; one that lives says it again before. */
export const PRESENCE_MS = 60_000;
// So many with names of such a length fit into one message between nodes.
const MOST_PEOPLE = 30;
const NAME_LENGTH = 60;

/**
 * Who looks at what on the other nodes, by what they said last. A place is a run within its organization: an id alone would
 * let people see each other across organizations. Moments are milliseconds of any one clock.
 */
export function openPresence() {
  const byPlace = new Map<string, Map<string, OnNode>>();
  return {
    heard: (place: string, node: string, people: readonly Present[], at: number): void => {
      const nodes = byPlace.get(place) ?? new Map<string, OnNode>();
      if (people.length > 0) nodes.set(node, { people, at });
      else nodes.delete(node);
      if (nodes.size > 0) byPlace.set(place, nodes);
      else byPlace.delete(place);
    },
    /** Everyone who looks there, each once, however many tabs they have; by name. */
    of: (place: string, here: readonly Present[]): Present[] => distinct([...here, ...elsewhere(byPlace.get(place))]),
    /** Forgets nodes that have gone silent; answers the places that they spoke of. */
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
    .slice(0, MOST_PEOPLE)
    .map(({ id, name }) => ({ id, name: cutText(name, NAME_LENGTH) }));
}
