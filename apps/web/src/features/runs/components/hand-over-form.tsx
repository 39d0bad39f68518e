import type { RunStep } from '@stet/contract';
import { groupAssignee } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { useGroups } from '../../../lib/session/use-groups.ts';
import { useMembers } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { TextareaField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { PersonField } from '../../../ui/person-field.tsx';
import { handOverSchema } from '../api/use-change-run.ts';
import type { RunActions } from './use-run-actions.ts';

type HandOverFormProps = { step: RunStep; actions: RunActions; onClose: () => void };

/** Hands a step over, with a reason: a manual step to a person or group, an approval to a person. */
export function HandOverForm({ step, actions, onClose }: HandOverFormProps) {
  const { id: userId } = useUser();
  const members = useMembers({ staleTime: 60_000 });
  const groups = useGroups();
  const isApproval = step.type === 'approval';
  const people = (members.data ?? []).filter(({ id }) => id !== userId);
  const teams = isApproval
    ? []
    : (groups.data ?? [])
        .filter(({ members: ids }) => ids.length > 0)
        .map(({ slug, name }) => ({ id: groupAssignee(slug), name, email: groupAssignee(slug) }));
  const form = useContractForm({
    schema: handOverSchema,
    initial: { to: '', reason: '' },
    body: ({ to, reason }) => ({ to, reason: reason.trim() }),
    places: { handed_to_oneself: 'to', already_theirs: 'to', approval_to_group: 'to', hand_over_barred: 'to' },
    failed: 'The step was not handed over',
    send: async ({ to, reason }) => actions.changeStep(step, { do: 'hand_over', stepId: step.id, to, reason }),
  });
  return (
    <Modal
      open
      title={`Hand ${isolated(step.title)} over`}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Handing over…'}>
            Hand over
          </Button>
        </>
      }
    >
      <p className="md two">
        {isApproval
          ? 'The new person approves in your place, and their vote also uses up yours. The due time stays.'
          : 'Only the new person or group will have this step. The due time stays.'}
      </p>
      <PersonField
        {...form.field('to')}
        label={isApproval ? 'Person' : 'Person or group'}
        hint={isApproval ? 'Someone who did the previous work can’t approve it.' : undefined}
        people={[...teams, ...people]}
        withGroups={!isApproval}
        data-autofocus
      />
      <TextareaField
        {...form.field('reason')}
        label="Reason"
        hint="They see it, and it is part of the run’s history."
        rows={3}
        maxLength={2000}
        dir="auto"
      />
      {(members.isError || groups.isError) && (
        <Note tone="bad">The people and groups couldn’t be loaded. Close this and try again.</Note>
      )}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
