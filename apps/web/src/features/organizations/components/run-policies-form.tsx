import type { BodyInput, OrganizationSettings } from '@stet/contract';
import { Link } from 'react-router';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { CheckRow } from '../../../ui/check-row.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveOrganizationSettings } from '../api/use-organization-settings.ts';

type RunPoliciesFormProps = { settings: OrganizationSettings; canManage: boolean };

/** Policies for runs and for live workflows. Each change is sent immediately. */
export function RunPoliciesForm({ settings, canManage }: RunPoliciesFormProps) {
  const save = useSaveOrganizationSettings(settings.id);
  const change = (body: BodyInput<'PATCH /api/organizations/{id}'>) => {
    if (save.isPending) return;
    save.mutate(body, {
      onSuccess: (saved) => {
        const holds = Object.entries(body).every(([name, value]) => saved[name as keyof typeof saved] === value);
        if (holds) toast.ok('Organization saved', saved.name);
        else toast.ok('Proposed', 'Another owner or admin must confirm this change.');
      },
    });
  };
  const { editorsMayHelp, simulatedSteps, simulatedWorkflows } = settings;
  return (
    <section className="sheet settings-form" aria-labelledby="run-policies">
      <h2 className="title-sm" id="run-policies">
        Runs
      </h2>
      <fieldset disabled={!canManage}>
        <legend className="vh">What people may do in runs</legend>
        <CheckRow
          checked={editorsMayHelp}
          onChange={(checked) => change({ editorsMayHelp: checked })}
          about="Editors can complete and skip manual steps that are assigned to other people. The history shows that they helped."
        >
          Editors can help with other people’s steps
        </CheckRow>
        <CheckRow
          checked={simulatedSteps === 'refused'}
          onChange={(checked) => change({ simulatedSteps: checked ? 'refused' : 'allowed' })}
          about="A draft with an automated step that has no script can’t be merged. Runs of live workflows continue."
        >
          No simulated steps in live workflows
        </CheckRow>
      </fieldset>
      {simulatedWorkflows.length > 0 && (
        <Note tone="warn">
          {simulatedWorkflows.length === 1
            ? '1 live workflow has simulated steps:'
            : `${simulatedWorkflows.length} live workflows have simulated steps:`}
          <ul>
            {simulatedWorkflows.map(({ key, title }) => (
              <li key={key}>
                <Link to={paths.editor({ key, mode: 'edit' })}>{title}</Link>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {save.isError && <Note tone="bad">{errorSentence(save.error, 'Failed to save the organization')}</Note>}
    </section>
  );
}
