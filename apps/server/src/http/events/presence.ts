import { cutText } from '@stet/domain/workflows';
import type { Present } from './message.ts';

type OnNode = { people: readonly Present[]; at: number };

/** How long a node's report is valid, in milliseconds; a running node renews it before. */
export const PRESENCE_MS = 60_000;
// Up to this many people with names of maximum length fit into one message between nodes.
const MOST_PEOPLE = 30;
const NAME_LENGTH = 60;

/**
 * The viewers on other nodes, from each node's last report. A place is a run within its organization: with a run id
 * alone, people could see each other across organizations. Times are in milliseconds, from any one clock.
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
    /** Everyone viewing the place, each person once for all their tabs; sorted by name. */
    of: (place: string, here: readonly Present[]): Present[] => distinct([...here, ...elsewhere(byPlace.get(place))]),
    /** Drops nodes that stopped reporting; returns the places they had reported. */
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
