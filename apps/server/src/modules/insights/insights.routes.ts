import type { Handlers } from '../../http/handler.ts';
import { exportConformance, exportInsights, exportOverview, exportReviews } from './csv.ts';
import { conformance, overview, workflowInsights } from './read-insights.ts';
import { workflowReviews } from './read-reviews.ts';

export const insightHandlers = {
  'GET /api/workflows/{key}/insights': workflowInsights,
  'GET /api/workflows/{key}/insights.csv': exportInsights,
  'GET /api/workflows/{key}/insights/reviews': workflowReviews,
  'GET /api/workflows/{key}/insights/reviews.csv': exportReviews,
  'GET /api/workflows/{key}/conformance': conformance,
  'GET /api/workflows/{key}/conformance.csv': exportConformance,
  'GET /api/insights/overview': overview,
  'GET /api/insights/overview.csv': exportOverview,
} satisfies Partial<Handlers>;
