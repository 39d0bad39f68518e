import type { LiveEvents } from '@stet/contract';

export type LiveEvent = { [E in keyof LiveEvents]: { event: E; data: LiveEvents[E] } }[keyof LiveEvents];

const EVENTS: Readonly<Record<keyof LiveEvents, true>> = {
  hello: true,
  changed: true,
  missed: true,
  presence: true,
  ended: true,
};
const isEvent = (name: string): name is keyof LiveEvents => Object.hasOwn(EVENTS, name);

/** Creates a parser that accepts chunks of an event stream and returns the events that each chunk completes. */
export function openEventReader(): (piece: string) => LiveEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap(eventOf);
  };
}

function eventOf(block: string): LiveEvent[] {
  const lines = block.split('\n');
  const after = (name: string): string =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n');
  const event = after('event');
  if (!isEvent(event)) return [];
  try {
    return [{ event, data: JSON.parse(after('data')) as unknown } as LiveEvent];
  } catch {
    return [];
  }
}
