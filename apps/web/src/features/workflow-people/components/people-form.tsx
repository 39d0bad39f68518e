import type { Member, WorkflowPeople } from '@stet/contract';
import { roleHas } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { MemberPicker } from '../../../ui/member-picker.tsx';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveWorkflowPeople, workflowPeopleSchema } from '../api/use-workflow-people.ts';
import styles from './people-form.module.css';

type PeopleFormProps = { workflowKey: string; saved: WorkflowPeople; members: readonly Member[]; isTeam: boolean };

/** The owners and reviewers of a workflow. Read-only without permission. */
export function PeopleForm({ workflowKey, saved, members, isTeam }: PeopleFormProps) {
  const save = useSaveWorkflowPeople(workflowKey);
  const form = useContractForm({
    schema: workflowPeopleSchema,
    initial: { owners: idsOf(saved.owners), reviewers: idsOf(saved.reviewers) },
    body: ({ owners, reviewers }) => ({
      ...(!isSame(owners, idsOf(saved.owners)) && { owners }),
      // An empty list is sent even if nobody is named any more, because it ends the requirement.
      ...((!isSame(reviewers, idsOf(saved.reviewers)) || (saved.needsReviewer && reviewers.length === 0)) && {
        reviewers,
      }),
    }),
    failed: 'Failed to save the people',
    send: async (body) => {
      const answered = await save.mutateAsync(body);
      form.reset();
      if (body.reviewers && answered.pending && isSame(idsOf(answered.pending.reviewers), body.reviewers))
        toast.ok('Proposed', 'Another owner or admin must confirm that reviewers are removed.');
      else toast.ok('People saved');
    },
  });
  if (!saved.abilities.change) return <NamedPeople saved={saved} />;
  const reviewing = members.filter(
    ({ id, role }) => roleHas(role, 'draft.review') || idsOf(saved.reviewers).includes(id),
  );
  const { owners, reviewers } = form.values;
  const isUnchanged = isSame(owners, idsOf(saved.owners)) && isSame(reviewers, idsOf(saved.reviewers));
  const hasLost = saved.needsReviewer && saved.reviewers.length === 0;
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      <div className={styles.part}>
        <MemberPicker {...form.field('owners')} label="Owners" people={members} />
        <p className="xs muted">
          Responsible for this workflow. They are notified when a version goes live or is rolled back, and get no
          additional rights.
        </p>
      </div>
      {isTeam && (
        <div className={styles.part}>
          <MemberPicker {...form.field('reviewers')} label="Reviewers" people={reviewing} />
          <p className="xs muted">
            If you choose reviewers, one of them has to approve each draft. For a draft that was started before you
            chose them, their approval doesn’t count as a reviewer’s. To remove one, another owner or admin has to
            confirm.
          </p>
        </div>
      )}
      {hasLost && (
        <Note tone="bad">
          The reviewers have left the organization, so no draft can be merged. Choose others, or save an empty list to
          end the requirement.
        </Note>
      )}
      <PendingNote saved={saved} />
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      <SaveButton label="Save people" isPending={form.isSending} isUnchanged={isUnchanged && !hasLost} />
    </form>
  );
}

/** The people, for those who can't change them. */
function NamedPeople({ saved }: { saved: WorkflowPeople }) {
  const { owners, reviewers, needsReviewer } = saved;
  return (
    <div className="sheet settings-form">
      <dl className={styles.named}>
        <dt className="label">Owners</dt>
        <dd>{namesOf(owners) || 'Nobody is named'}</dd>
        <dt className="label">Reviewers</dt>
        <dd>
          {!needsReviewer
            ? 'Everyone who can review'
            : reviewers.length === 0
              ? 'All reviewers have left the organization, so no draft can be merged.'
              : `${namesOf(reviewers)}: one of them has to approve each draft`}
        </dd>
      </dl>
      <PendingNote saved={saved} />
      <p className="xs muted">Owners and admins can change this.</p>
    </div>
  );
}

function PendingNote({ saved: { pending } }: { saved: WorkflowPeople }) {
  if (!pending) return null;
  const wanted =
    pending.reviewers.length === 0 ? 'no reviewers' : `these reviewers instead: ${namesOf(pending.reviewers)}`;
  return (
    <Note>
      {isolated(pending.proposedBy.name)} proposed {wanted}. Another owner or admin has to confirm.
    </Note>
  );
}

type Named = WorkflowPeople['owners'][number];
const namesOf = (people: readonly Named[]): string => people.map(({ name }) => isolated(name)).join(', ');
const idsOf = (people: readonly Named[]): string[] => people.map(({ id }) => id);
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));
