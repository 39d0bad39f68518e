import type { ReviewRoutes } from '@stet/contract';
import { ROUTE_TRIGGERS, type RouteTrigger } from '@stet/domain/drafts';
import { TAG_LIMITS } from '@stet/domain/workflows';
import { TRIGGER_WORDS, routeSentence } from '@stet/presentation/route-words';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useGroups } from '../../../lib/session/use-groups.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveReviewRoutes } from '../api/use-review-routes.ts';
import styles from './review-routes-form.module.css';

type Route = ReviewRoutes['routes'][number];
type ReviewRoutesFormProps = { organizationId: string; saved: ReviewRoutes; canManage: boolean };

/** The routes as sentences. Each change is sent immediately. */
export function ReviewRoutesForm({ organizationId, saved, canManage }: ReviewRoutesFormProps) {
  const groups = useGroups();
  const save = useSaveReviewRoutes(organizationId);
  const nameOf = (slug: string): string => groups.data?.find((group) => group.slug === slug)?.name ?? slug;
  const isEmpty = (slug: string): boolean =>
    groups.data?.some((group) => group.slug === slug && group.members.length === 0) ?? false;
  const change = (routes: Route[]) => {
    if (save.isPending) return;
    save.mutate(
      { routes },
      {
        onSuccess: ({ pending }) => {
          if (pending) toast.ok('Proposed', 'Another owner or admin must confirm the weaker rules.');
          else toast.ok('Rules saved');
        },
      },
    );
  };
  return (
    <section className="sheet settings-form" aria-labelledby="review-routes">
      <h2 className="title-sm" id="review-routes">
        Who has to approve which changes
      </h2>
      <p className="xs muted">
        In addition to the required approvals. Controls are, for example, approvals, SLAs and required fields. Weaker
        rules wait for another owner or admin.
      </p>
      {saved.routes.length === 0 ? (
        <p className="muted">No rules: anyone who can review can approve every change.</p>
      ) : (
        <ul className={styles.routes} aria-label="Rules">
          {saved.routes.map((route) => {
            const sentence = routeSentence(route, nameOf(route.group));
            return (
              <li key={`${route.if} ${route.tag} ${route.group}`}>
                <span>
                  {sentence}
                  {isEmpty(route.group) && (
                    <span className={styles.empty}>Nobody is in {nameOf(route.group)}, so nobody can approve.</span>
                  )}
                </span>
                {canManage && (
                  <IconButton
                    size="sm"
                    icon={Trash2}
                    label={`Remove: ${sentence}`}
                    onClick={() => change(saved.routes.filter((each) => each !== route))}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {saved.pending && <Note>Weaker rules are waiting for another owner or admin.</Note>}
      {canManage &&
        (groups.data && groups.data.length > 0 ? (
          <NewRoute
            groups={groups.data}
            isSaving={save.isPending}
            onAdd={(route) => change([...saved.routes, route])}
          />
        ) : (
          groups.data && <p className="muted">Create a group first, for example Compliance.</p>
        ))}
      {save.isError && <Note tone="bad">{errorSentence(save.error, 'Failed to save the rules')}</Note>}
    </section>
  );
}

type NewRouteProps = {
  groups: readonly { slug: string; name: string }[];
  isSaving: boolean;
  onAdd: (route: Route) => void;
};

function NewRoute({ groups, isSaving, onAdd }: NewRouteProps) {
  const [trigger, setTrigger] = useState<RouteTrigger>('loss');
  const [tag, setTag] = useState('');
  const [group, setGroup] = useState(groups[0]?.slug ?? '');
  return (
    <fieldset className={styles.added}>
      <legend className="label">Add a rule</legend>
      <Field label="If a draft">
        {(control) => (
          <Select
            {...control}
            value={trigger}
            onChange={({ target }) => setTrigger(ROUTE_TRIGGERS.find((each) => each === target.value) ?? 'loss')}
          >
            {ROUTE_TRIGGERS.map((each) => (
              <option key={each} value={each}>
                {TRIGGER_WORDS[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label="Only workflows tagged"
        hint="Empty: all workflows"
        maxLength={TAG_LIMITS.length}
        value={tag}
        onChange={setTag}
      />
      <Field label="One approval from">
        {(control) => (
          <Select {...control} value={group} onChange={({ target }) => setGroup(target.value)}>
            {groups.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button
        busy={isSaving && 'Saving…'}
        onClick={() => onAdd({ if: trigger, tag: tag.trim() === '' ? null : tag.trim(), group })}
      >
        Add rule
      </Button>
    </fieldset>
  );
}
