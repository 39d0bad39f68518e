import { REFUSED } from './canary-corners.ts';
import { TEXT_FIELDS } from './canary-fields.ts';
import type { CanaryWorld } from './canary-world.ts';
import type { Outcome } from './outcome.ts';
import type { Sightings } from './sightings.ts';

/** Fields whose text is never shown, with the reason. If the text is shown after all, the attack fails. */
const SHOWN_NOWHERE: readonly [RegExp, string][] = [
  [/password$/i, 'a secret'],
  [/auth\/reset \.token$/, 'a secret'],
  [/auth\/prove-address \.code$/, 'a secret'],
  [/files\/\{id\}\/chunks\/\{n\}$/, 'the bytes of a file; the attack with hostile files checks them'],
  [/auth\/(?:login|reset-request) \.email$/, 'looked up, never stored'],
  [/script-trial /, 'returned only to the caller, stored nowhere'],
  [/workflow-files\/read$/, 'returned only to the caller, stored nowhere'],
  [/slack\/notify \.assignee$/, 'looked up in Slack, shown to nobody'],
  [/slack\/interactivity$/, 'signed by Slack; anything else is refused'],
];

/**
 * Checks that a canary was planted in every text field of the contract and shown somewhere, except in the fields of
 * `SHOWN_NOWHERE` and `REFUSED` and those whose pattern allows no canary.
 */
export function judgeFields({ planted, findings }: CanaryWorld, sightings: Sightings): Outcome {
  const found = [...findings];
  for (const name of Object.keys(REFUSED))
    if (!TEXT_FIELDS.has(name)) found.push(`${name} is no longer a text field of the contract`);
  const count = { shown: 0, hidden: 0, refused: 0, closed: 0 };
  for (const { name, write } of TEXT_FIELDS.values()) {
    const places = sightings.placesOf(name);
    const isHidden = SHOWN_NOWHERE.some(([pattern]) => pattern.test(name));
    if (process.env['ATTACK_SIGHTINGS']) console.log(`${name}: ${places.join(', ') || '–'}`);
    if (!write) count.closed += 1;
    else if (name in REFUSED) count.refused += 1;
    else if (isHidden) count.hidden += 1;
    else if (!planted.has(name)) found.push(`${name}: no canary was planted there`);
    else if (places.length === 0) found.push(`${name}: its canary appeared nowhere`);
    else count.shown += 1;
    if (places.length > 0 && (isHidden || name in REFUSED || !write))
      found.push(`${name}: appeared at ${places.join(', ')}, where it must not`);
  }
  return {
    attack: 'Every text field of the contract',
    tried: `${TEXT_FIELDS.size} text fields, each with its own canary`,
    result: `${count.shown} canaries appeared on a screen, in a file, a mail or Slack; ${count.hidden} fields are never shown, ${count.refused} accept only references to existing records, and the pattern of ${count.closed} doesn’t allow markup`,
    findings: found,
  };
}
