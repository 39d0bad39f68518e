import type { Handlers } from '../../http/handler.ts';
import { exportCertificate } from './export-certificate.ts';
import { exportDocument } from './export-document.ts';
import { readDocument } from './read-document.ts';
import { searchWorkflows } from './search-workflows.ts';

export const documentationHandlers = {
  'GET /api/workflow-search': searchWorkflows,
  'GET /api/workflows/{key}/document': readDocument,
  'GET /api/workflows/{key}/versions/{version}/document': exportDocument,
  'GET /api/workflows/{key}/versions/{version}/certificate': exportCertificate,
} satisfies Partial<Handlers>;
