import type { z } from 'zod';
import { accountRoutes } from './accounts.ts';
import { apiTokenRoutes } from './api-tokens.ts';
import { auditRoutes } from './audit.ts';
import { confirmationRoutes } from './confirmations.ts';
import { delegationRoutes } from './delegations.ts';
import { documentationRoutes } from './documentation.ts';
import { compareRoutes } from './compare.ts';
import { draftRoutes } from './drafts.ts';
import { clockRoutes } from './clocks.ts';
import { eventRoutes } from './events.ts';
import { evidenceRoutes } from './evidence.ts';
import { fileRoutes } from './files.ts';
import { groupRoutes } from './groups.ts';
import { reviewRouteRoutes } from './review-routes.ts';
import { insightRoutes } from './insights.ts';
import { installationRoutes } from './installation.ts';
import { integrationRoutes } from './integrations.ts';
import { invitationRoutes } from './invitations.ts';
import { noteRoutes } from './notes.ts';
import { notificationRoutes } from './notifications.ts';
import { organizationRoutes } from './organizations.ts';
import { profileRoutes } from './profile.ts';
import { rebaseRoutes } from './rebase.ts';
import type { RouteSpec } from './route.ts';
import { runRoutes } from './runs.ts';
import { providerRoutes } from './sign-in-provider.ts';
import { scriptRoutes } from './scripts.ts';
import { systemRoutes } from './system.ts';
import { taskRoutes } from './tasks.ts';
import { webhookRoutes } from './webhooks.ts';
import { waitlistRoutes } from './waitlist.ts';
import { workflowPeopleRoutes } from './workflow-people.ts';
import { workflowRoutes } from './workflows.ts';

/** Every operation of the HTTP API by `METHOD /path`. The server binds each one; the web app calls it by this key. */
export const contract = {
  ...waitlistRoutes,
  ...accountRoutes,
  ...providerRoutes,
  ...profileRoutes,
  ...organizationRoutes,
  ...groupRoutes,
  ...delegationRoutes,
  ...invitationRoutes,
  ...confirmationRoutes,
  ...workflowRoutes,
  ...documentationRoutes,
  ...draftRoutes,
  ...rebaseRoutes,
  ...compareRoutes,
  ...fileRoutes,
  ...evidenceRoutes,
  ...scriptRoutes,
  ...runRoutes,
  ...noteRoutes,
  ...insightRoutes,
  ...notificationRoutes,
  ...integrationRoutes,
  ...auditRoutes,
  ...apiTokenRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...taskRoutes,
  ...clockRoutes,
  ...workflowPeopleRoutes,
  ...reviewRouteRoutes,
  ...installationRoutes,
  ...systemRoutes,
};

export type Contract = typeof contract;
export type ContractKey = keyof Contract;

type Part<K extends ContractKey, P extends keyof RouteSpec> = Contract[K] extends Record<P, infer S> ? S : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Path parameters, query and body as the caller sends them. */
export type ParamsInput<K extends ContractKey> = Input<Part<K, 'params'>>;
export type QueryInput<K extends ContractKey> = Input<Part<K, 'query'>>;
export type BodyInput<K extends ContractKey> = Input<Part<K, 'body'>>;
/** Path parameters, query and body as the server receives them after validation. */
export type ParamsOf<K extends ContractKey> = Output<Part<K, 'params'>>;
export type QueryOf<K extends ContractKey> = Output<Part<K, 'query'>>;
export type BodyOf<K extends ContractKey> = Output<Part<K, 'body'>>;
/** The response body; undefined if it isn't JSON. */
export type OkOf<K extends ContractKey> = Output<Part<K, 'ok'>>;

export * from './accounts.ts';
export * from './api-tokens.ts';
export * from './audit.ts';
export * from './delegations.ts';
export * from './documentation.ts';
export * from './compare.ts';
export * from './confirmations.ts';
export * from './draft-diff.ts';
export * from './drafts.ts';
export * from './clocks.ts';
export * from './workflow-people.ts';
export * from './events.ts';
export * from './tasks.ts';
export * from './evidence.ts';
export * from './files.ts';
export * from './groups.ts';
export * from './review-routes.ts';
export * from './insights.ts';
export * from './integrations.ts';
export * from './invitations.ts';
export * from './notes.ts';
export * from './notifications.ts';
export * from './organizations.ts';
export * from './profile.ts';
export * from './rebase.ts';
export type { InstalledOrganization, InstalledPerson, QueuedDelivery, QueuedJob } from './installation.ts';
export type { RateLimit, RouteAccess, RouteSpec, Routes } from './route.ts';
export * from './run-shapes.ts';
export * from './runs.ts';
export * from './scripts.ts';
export * from './shared.ts';
export * from './sign-in-provider.ts';
export { STEP_SCHEMAS, stepInput } from './steps/index.ts';
export * from './system.ts';
export * from './waitlist.ts';
export * from './webhooks.ts';
export * from './workflow-content.ts';
export * from './workflows.ts';
export { problemWords, type BodySchema, type FieldProblem } from './problem-words.ts';
