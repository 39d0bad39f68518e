import { z } from 'zod';
import type { Job } from '../../../db/outbox.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { bytesOf } from './file-bytes.ts';
import { findFile, findPreview, savePreview } from './files.sql.ts';

const payloadOf = z.object({ orgId: z.uuid(), fileId: z.uuid() });

export const previewJob = (orgId: string, fileId: string): Job => ({
  task: 'make_preview',
  payload: { orgId, fileId },
  turnOf: orgId,
});

/**
 * Makes the preview of an image, once. If it can't be decoded, this is stored too, so that a hostile image isn't
 * decoded again. A job that is lost with its server is repeated.
 */
export async function makePreview({ db, previews }: Pick<Deps, 'db' | 'previews'>, payload: unknown): Promise<void> {
  const { orgId, fileId: id } = payloadOf.parse(payload);
  const tenant = { orgId, userId: null };
  const [file, made] = await db.transaction(tenant, (tx) =>
    Promise.all([tx.maybeOne(findFile, { orgId, id }), tx.maybeOne(findPreview, { orgId, id })]),
  );
  // The upload may have been deleted in the meantime.
  if (!file || made) return;
  const bytes = await previews.make(bytesOf(db, tenant, id, { from: 0, length: file.size }));
  await db.transaction(tenant, async (tx) => tx.write(savePreview, { orgId, id, bytes }));
}
