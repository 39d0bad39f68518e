import type { Confirmation, Member } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Users } from 'lucide-react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge, Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { AfterPatience } from '../../../ui/skeleton.tsx';
import { Table, TableHead, TableSkeleton } from '../../../ui/table.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { proofWords } from '../../../lib/format/proof-words.ts';
import { memberAbilities } from '../model/member-abilities.ts';
import { RoleMenu } from './role-menu.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './members-table.module.css';

// A list of this length is read faster than it is searched.
const FEW = 8;

const READ = [
  { name: 'Member', className: styles.nm },
  { name: 'Role', className: styles.ro },
];
const MANAGED = [...READ, { name: 'Actions', className: styles.actions }];

type MembersTableProps = {
  members: readonly Member[];
  me: Pick<Member, 'id' | 'role'>;
  /** Only members whose name, email address or role contains this text are shown. */
  text: string;
  onSearch: (text: string) => void;
  /** Without permission, there is no column for actions. */
  canManage: boolean;
  /** The confirmations about members that wait for a second owner or admin, by member id. */
  waiting: ReadonlyMap<string, Confirmation>;
  onConfirm: (confirmation: Confirmation) => void;
  onChangeRole: (member: Member, role: Member['role']) => void;
  onRemove: (member: Member) => void;
};

/** The members of the organization who match the search. Each row has the actions that are available. */
export function MembersTable({
  members,
  me,
  text,
  onSearch,
  canManage,
  waiting,
  onConfirm,
  onChangeRole,
  onRemove,
}: MembersTableProps) {
  const shown = members.filter((member) => matches(member, text));
  return (
    <>
      {members.length > FEW && (
        <SearchBox
          className={styles.search}
          label="Search members by name, email address or role"
          placeholder="Search members"
          text={text}
          onSearch={onSearch}
        />
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={Users}
          role="status"
          title="No member matches the search"
          action={<Button onClick={() => onSearch('')}>Show all members</Button>}
        />
      ) : (
        <div className="sheet">
          <Table className={styles.people} aria-label="Members">
            <TableHead columns={canManage ? MANAGED : READ} />
            <tbody>
              {shown.map((member) => {
                const { roles, removal } = memberAbilities(me, member, members);
                const isMe = member.id === me.id;
                const isOutOfReach = !removal.may && roles.length < 2;
                return (
                  <tr key={member.id}>
                    <td className={styles.nm}>
                      <span className={styles.person}>
                        <Avatar name={member.name} large />
                        <span className="grow">
                          <span className="row">
                            <span className="med trunc" title={member.name}>
                              {member.name}
                            </span>
                            {isMe && <Tag>you</Tag>}
                          </span>
                          <span className={classNames('trunc', styles.mail)} title={member.email}>
                            {member.email}
                          </span>
                          <Standing member={member} confirmation={waiting.get(member.id)} onConfirm={onConfirm} />
                        </span>
                      </span>
                    </td>
                    <td className={styles.ro}>
                      <RoleMenu
                        member={member}
                        roles={canManage ? roles : [member.role]}
                        onPick={(role) => onChangeRole(member, role)}
                      />
                      {isMe && !removal.may && <span className={styles.why}>{removal.reason}</span>}
                    </td>
                    {canManage && (
                      <td className={styles.actions}>
                        {!(isOutOfReach && !isMe) && (
                          <Button
                            tone="quiet-danger"
                            size="sm"
                            aria-label={isMe ? 'Leave this organization' : `Remove ${member.name}`}
                            disabledReason={removal.may ? undefined : removal.reason}
                            onClick={() => onRemove(member)}
                          >
                            {isMe ? 'Leave' : 'Remove'}
                          </Button>
                        )}
                      </td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </Table>
        </div>
      )}
    </>
  );
}

const matches = ({ name, email, role }: Member, text: string): boolean =>
  [name, email, roleWord(role)].some((each) => each.toLowerCase().includes(text.toLowerCase()));

type StandingProps = {
  member: Member;
  confirmation: Confirmation | undefined;
  onConfirm: (confirmation: Confirmation) => void;
};

/** How the member's address was proved, who added and confirmed them, and whether a confirmation is pending. */
function Standing({ member: { provedBy, addedBy, confirmedBy }, confirmation, onConfirm }: StandingProps) {
  const { id: userId } = useUser();
  const facts = [
    provedBy !== null && !(provedBy === 'manager' && confirmedBy !== null) && proofWords(provedBy),
    addedBy !== null && `added by ${isolated(addedBy.name)}`,
    confirmedBy !== null && `confirmed by ${isolated(confirmedBy.name)}`,
  ].filter((words) => words !== false);
  return (
    <span className={styles.standing}>
      {(provedBy === null || provedBy === 'founder') && <Badge tone="warn">{proofWords(null)}</Badge>}
      {facts.length > 0 && <span>{sentenceCase(facts.join(', '))}</span>}
      {confirmation?.abilities.confirm ? (
        <Button size="sm" onClick={() => onConfirm(confirmation)}>
          Confirm this person
        </Button>
      ) : (
        confirmation && (
          <span>
            Waiting for a second owner or admin
            {confirmation.proposedBy.id === userId ? '.' : `. ${confirmation.because ?? ''}`}
          </span>
        )
      )}
    </span>
  );
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function MembersTableSkeleton({ canManage }: Pick<MembersTableProps, 'canManage'>) {
  const columns = canManage ? MANAGED : READ;
  return (
    <AfterPatience label="Loading members">
      <div className="sheet">
        <Table className={styles.people}>
          <TableHead columns={columns} />
          <TableSkeleton columns={columns} rows={4} />
        </Table>
      </div>
    </AfterPatience>
  );
}
