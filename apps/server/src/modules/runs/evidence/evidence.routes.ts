import type { Handlers } from '../../../http/handler.ts';
import { downloadFile, downloadPreview } from './download.ts';
import { beginUpload, completeUpload, deleteUpload, putChunk, readUsage } from './upload.ts';

export const evidenceHandlers = {
  'POST /api/files': beginUpload,
  'POST /api/files/{id}/chunks/{n}': putChunk,
  'POST /api/files/{id}/complete': completeUpload,
  'GET /api/files/{id}': downloadFile,
  'GET /api/files/{id}/preview': downloadPreview,
  'DELETE /api/files/{id}': deleteUpload,
  'GET /api/file-usage': readUsage,
} satisfies Partial<Handlers>;
