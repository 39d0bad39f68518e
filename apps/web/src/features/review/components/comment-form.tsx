import { CommentForm as Form } from '../../../ui/comments/comment-form.tsx';
import { commentSchema } from '../api/use-change-review.ts';
import type { Commenting } from './commenting.ts';

type CommentFormProps = { label: string; stepId: string | null; commenting: Commenting; stays?: boolean };

/** The form for a comment on a draft. `stays`: the form is always open and can't be closed. */
export function CommentForm({ label, stepId, commenting, stays = false }: CommentFormProps) {
  return (
    <Form
      label={label}
      submitLabel="Comment"
      schema={commentSchema}
      body={(body) => ({ body, ...(stepId !== null && { stepId }) })}
      failed="The comment was not sent"
      onSend={({ body }) => commenting.onSend(body, stepId)}
      onClose={stays ? null : () => commenting.onWrite(undefined)}
    />
  );
}
