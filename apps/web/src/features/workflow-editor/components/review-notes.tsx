import { isolated } from '@stet/domain/workflows';
import type { VersionRecord } from '@stet/contract';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import type { OpenDocument } from './open-document.ts';

const MAX_LENGTH = 280;
const MAX_DRAFTS = 3;

/** Notes about the open document: the state of its review, and other open drafts of the workflow. */
export function ReviewNotes({ document }: { document: OpenDocument }) {
  const { editor, review, readOnly } = document;
  const { key, record } = editor;
  const at = record.kind === 'draft' ? { key, id: record.draftId } : null;
  const general = review.comments.get('')?.length ?? 0;
  return (
    <>
      {at && review.overtakenBy !== null && (
        <Note tone="warn">
          v{review.overtakenBy} is live now, but this draft isn’t based on it.{' '}
          {readOnly ? (
            'Someone who can edit the draft has to bring it up to date before it can go live.'
          ) : (
            <>
              <Link to={paths.rebase(at)}>Bring the draft up to date</Link> so that it can go live.
            </>
          )}
        </Note>
      )}
      {record.kind === 'live' && review.overtakenBy !== null && (
        <Note tone="warn">
          v{review.overtakenBy} went live after you opened this workflow.{' '}
          <LinkButton onClick={() => editor.catchUp()}>
            {editor.dirty ? 'Compare it with your changes' : `Show v${review.overtakenBy}`}
          </LinkButton>
        </Note>
      )}
      {at &&
        review.objections.map(({ reviewer, delegate, comment, at: when }) => (
          <Note key={`${reviewer.id} ${when}`} tone="warn">
            <b>
              {delegate ? `${isolated(delegate.name)} for ` : ''}
              {isolated(reviewer.name)} requested changes:
            </b>{' '}
            <bdi>{shortened(comment)}</bdi> <Link to={paths.review(at)}>Open review</Link>
          </Note>
        ))}
      {at && general > 0 && (
        <Note>
          {general === 1 ? '1 open comment' : `${general} open comments`} on the whole draft.{' '}
          <Link to={paths.review(at)}>Open review</Link>
        </Note>
      )}
      {review.otherDrafts.length > 0 && <OtherDrafts workflowKey={key} drafts={review.otherDrafts} />}
    </>
  );
}

/** Several drafts of a workflow can be open at once, but only one at a time can go live without a rebase. */
function OtherDrafts({ workflowKey, drafts }: { workflowKey: string; drafts: readonly VersionRecord[] }) {
  const { id: userId } = useUser();
  const shown = drafts.slice(0, MAX_DRAFTS);
  return (
    <Note>
      {shown.map(({ id, createdBy }) => (
        <div key={id}>
          {createdBy.id === userId ? 'You have' : `${isolated(createdBy.name)} has`} another open draft of this
          workflow. <Link to={paths.editor({ key: workflowKey, mode: 'edit', draftId: id })}>Open&nbsp;it</Link>
        </div>
      ))}
      {drafts.length > shown.length && <div>There are {drafts.length - shown.length} more.</div>}
    </Note>
  );
}

const shortened = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).trimEnd()}…` : text;
