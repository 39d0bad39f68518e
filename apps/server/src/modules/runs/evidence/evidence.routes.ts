import type { Handlers } from '../../../http/handler.ts';
import { downloadFile } from './download.ts';
import { beginUpload, completeUpload, deleteUpload, putChunk, readUsage } from './upload.ts';

export const evidenceHandlers = {
  'POST /api/files': beginUpload,
  'POST /api/files/{id}/chunks/{n}': putChunk,
  'POST /api/files/{id}/complete': completeUpload,
  'GET /api/files/{id}': downloadFile,
  'DELETE /api/files/{id}': deleteUpload,
  'GET /api/file-usage': readUsage,
} satisfies Partial<Handlers>;
