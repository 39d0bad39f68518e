import { canonicalEmail } from '@stet/domain/access';
import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { addressesNamedIn } from '@stet/domain/drafts';
import { enqueueJobs } from '../../db/outbox.ts';
import { findOrganizationsOf, lockAddresses } from '../../modules/accounts/accounts.sql.ts';
import { appendInEach } from '../../modules/audit/index.ts';
import { counted, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { disconnectAddress, findVersionsContaining, openTasksNaming, releaseAddress } from './accounts.sql.ts';
import { type Administration, administer } from './administration.ts';

const HELP = `Usage: stet admin release-address ADDRESS [--force]

Lets someone else use a former address of an account, for example a new employee. Do this only if the mailbox now belongs to
another person: someone with two accounts counts as two people.

After admin change-email, ADDRESS still means the account: workflows that name it assign steps to this person, and nobody else
can sign up with it. After the release, workflows that name it mean whoever gets it. So the command refuses if a live version,
an escalation, or a version with open runs names ADDRESS, and lists them. Publish versions that name the current address and
let the runs end, or use --force.

Everything that was done under ADDRESS stays with the account, because it is recorded by the account's id. An identity of the
provider with this address is disconnected from the account. The audit trails of the account's organizations record the
release, their owners and admins are notified, and the account's current address gets an email.

Options:
  --force     release the address although workflows name it; tasks that nobody can complete any more become available as
              if the person had left
  -h, --help  show this help

Example: stet admin release-address ada@example.com
`;

export const adminReleaseAddress: Command = {
  name: 'admin release-address',
  summary: 'Let someone else use a former address of an account',
  help: HELP,
  options: { force: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [typed = ''], options }, terminal) => {
    const address = canonicalEmail(typed);
    if (address === null) throw new CommandProblem(`admin release-address: "${typed}" is not an email address.`, USAGE);
    const account = await administer(terminal.env, (admin) => release(admin, address, options['force'] === true));
    terminal.say(`${address} no longer means ${account}, and someone else can use it.`);
    return 0;
  },
};

/**
 * Releases a former address. Refuses if it isn't one or, unless `isForced`, if workflows name it. Returns the current
 * address of the account that had it.
 */
async function release(
  { ownerDb, query }: Pick<Administration, 'ownerDb' | 'query'>,
  address: string,
  isForced: boolean,
): Promise<string> {
  return ownerDb.transaction(null, async (tx) => {
    await tx.maybeOne(lockAddresses, {});
    const account = await tx.maybeOne(releaseAddress, { email: address });
    if (!account) throw new CommandProblem(await whyNot(query, address));
    const found = await tx.many(findVersionsContaining, { text: address });
    const naming = found.filter(
      ({ in_escalation, steps }) => in_escalation || addressesNamedIn(steps).includes(address),
    );
    if (naming.length > 0 && !isForced)
      throw new CommandProblem(
        shown(
          [
            `These workflows name ${address}, and would mean whoever gets it:`,
            ...naming.map(({ organization, key, version, is_live, open_runs }) => {
              const facts = [...(is_live ? ['live'] : []), ...(open_runs > 0 ? [counted(open_runs, 'open run')] : [])];
              return `  ${organization}: ${key}, version ${version} (${facts.join(', ')})`;
            }),
            `Publish versions that name ${account.email}, and let the runs end. Or use --force. Nothing was changed.`,
          ].join('\n'),
        ),
      );
    const organizations = await tx.many(findOrganizationsOf, { userId: account.id });
    const identities = await tx.many(disconnectAddress, { userId: account.id, email: address });
    tx.write(openTasksNaming, { email: address });
    const { name, email } = account;
    enqueueJobs(tx, [{ task: 'send_address_released', payload: { name, email, former: address } }]);
    const event = {
      actor: SYSTEM_ACTOR,
      action: 'account.address_released' as const,
      subject: { type: 'user' as const, id: account.id },
      data: {
        email: address,
        by: 'administrator',
        ...(identities.length > 0 && { disconnected: identities.map(({ issuer }) => issuer) }),
      },
      context: { name },
    };
    appendInEach(tx, new Map(organizations.map(({ id }) => [id, [event]])));
    return email;
  });
}

async function whyNot(query: Administration['query'], address: string): Promise<string> {
  const [account] = await query('select from users where email = $1', [address]);
  return account
    ? `${address} is the current address of an account. To change it: stet admin change-email ${address} NEW`
    : `${address} is not a former address of an account.`;
}
