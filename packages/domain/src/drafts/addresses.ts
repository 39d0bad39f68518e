import { assigneeNames, isEmail } from '../access/assignee.ts';
import { spellingsOf } from '../access/email-address.ts';
import { performersOf } from '../access/performers.ts';
import { hasMixedScripts } from '../workflows/hidden-characters.ts';
import type { Step } from '../steps/index.ts';
import { nameSteps } from './name-steps.ts';

export const ADDRESS_WARNINGS = ['mixed_scripts', 'not_a_member'] as const;
/** An address in a step that reviewers should check. */
export type AddressWarning = {
  kind: (typeof ADDRESS_WARNINGS)[number];
  stepId: string;
  title: string;
  field: 'assignee' | 'recipients';
  address: string;
};

type Addressed = { step: Step; field: AddressWarning['field']; address: string };

/** Returns the email addresses that steps are assigned to, in the spellings of `performersOf`. */
export const assigneeEmails = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap((step) => performersOf(step, null).emails)),
];

/**
 * Returns all email addresses that steps name, also as recipients of messages, in the spellings of `performersOf`.
 * Other names of assignees, such as roles, are included too.
 */
export const addressesNamedIn = (steps: readonly Step[]): string[] => [
  ...new Set([
    ...assigneeEmails(steps),
    ...steps.flatMap(addressesOf).flatMap(({ address }) => spellingsOf(address.toLowerCase())),
  ]),
];

/**
 * Returns the addresses that may be deceptive: letters of several scripts, or an assignee who isn't a member.
 * @param memberEmails the members' addresses, in lower case
 */
export function addressWarnings(steps: readonly Step[], memberEmails: readonly string[]): AddressWarning[] {
  const members = new Set(memberEmails);
  const nameOf = nameSteps(steps);
  return steps.flatMap(addressesOf).flatMap(({ step, field, address }): AddressWarning[] => {
    const at = { stepId: step.id, title: nameOf(step.id), field, address };
    const isStranger =
      field === 'assignee' && isEmail(address) && !spellingsOf(address.toLowerCase()).some((each) => members.has(each));
    return [
      ...(hasMixedScripts(address) ? [{ kind: 'mixed_scripts' as const, ...at }] : []),
      ...(isStranger ? [{ kind: 'not_a_member' as const, ...at }] : []),
    ];
  });
}

function addressesOf(step: Step): Addressed[] {
  const recipients = step.type === 'notification' ? (step.config.recipients ?? []) : [];
  return [
    ...assigneeNames(step.assignee).map((address) => ({ step, field: 'assignee' as const, address })),
    ...recipients.map((address) => ({ step, field: 'recipients' as const, address: address.trim() })),
  ].filter(({ address }) => address !== '');
}
