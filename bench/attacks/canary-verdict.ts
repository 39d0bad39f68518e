import { REFUSED } from './canary-corners.ts';
import { TEXT_FIELDS } from './canary-fields.ts';
import type { CanaryWorld } from './canary-world.ts';
import type { Outcome } from './outcome.ts';
import type { Sightings } from './sightings.ts';

/** Fields whose text nobody is ever shown, and why; one that comes up all the same is no longer to be listed here. */
const SHOWN_NOWHERE: readonly [RegExp, string][] = [
  [/password$/i, 'a secret'],
  [/auth\/reset \.token$/, 'a secret'],
  [/auth\/(?:login|reset-request) \.email$/, 'looked up, never kept'],
  [/script-trial /, 'answered to the caller alone, kept nowhere'],
  [/workflow-files\/read$/, 'answered to the caller alone, kept nowhere'],
  [/slack\/notify \.assignee$/, 'looked up in Slack, told to nobody'],
  [/slack\/interactivity$/, 'signed by Slack; anything else is refused'],
];

/** Whether every text that the contract knows was planted and came up somewhere. */
export function judgeFields({ planted, findings }: CanaryWorld, sightings: Sightings): Outcome {
  const found = [...findings];
  for (const name of Object.keys(REFUSED))
    if (!TEXT_FIELDS.has(name)) found.push(`${name} is no text field of the contract any more`);
  const count = { shown: 0, hidden: 0, refused: 0, closed: 0 };
  for (const { name, write } of TEXT_FIELDS.values()) {
    const places = sightings.placesOf(name);
    const isHidden = SHOWN_NOWHERE.some(([pattern]) => pattern.test(name));
    if (process.env['ATTACK_SIGHTINGS']) console.log(`${name}: ${places.join(', ') || '–'}`);
    if (!write) count.closed += 1;
    else if (name in REFUSED) count.refused += 1;
    else if (isHidden) count.hidden += 1;
    else if (!planted.has(name)) found.push(`${name}: no canary was planted there`);
    else if (places.length === 0) found.push(`${name}: its canary came up nowhere`);
    else count.shown += 1;
    if (places.length > 0 && (isHidden || name in REFUSED || !write))
      found.push(`${name}: came up at ${places.join(', ')}, where it should not`);
  }
  return {
    attack: 'Every text field of the contract',
    tried: `${TEXT_FIELDS.size} text fields, each with a canary of its own`,
    met: `${count.shown} planted and seen on a screen, in a file, a mail or Slack; ${count.hidden} are shown nowhere, ${count.refused} keep no text that names nothing, ${count.closed} take no markup by their pattern`,
    findings: found,
  };
}
