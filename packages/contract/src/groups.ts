import { GROUP_LIMITS, isGroupSlug } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment, oneLine, person } from './shared.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name for the group')
  .max(GROUP_LIMITS.name, `Use at most ${GROUP_LIMITS.name} characters`)
  .regex(oneLine, 'A name must be a single line');
const slug = z
  .string()
  .trim()
  .toLowerCase()
  .refine(isGroupSlug, {
    error: `Use 1 to ${GROUP_LIMITS.slug} letters from a to z and digits, with single hyphens between them`,
  });
const people = z.array(id).max(GROUP_LIMITS.members, `A group can have at most ${GROUP_LIMITS.members} members`);
const members = people.describe('Ids of members of the organization; replaces all members of the group');

/** A team of people. Workflows name it by its slug: `group:finance`. */
export const group = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  members: z.array(id).describe('Ids of its members, longest in the group first'),
  pendingRemovals: z
    .array(z.object({ members: z.array(id), proposedBy: person, proposedAt: moment }))
    .describe(
      'Members whose removal waits for confirmation by a second owner or admin; they still belong to the group',
    ),
});
export type Group = z.infer<typeof group>;

const params = z.strictObject({ id });

export const groupRoutes = {
  'GET /api/groups': {
    access: 'workflow.read',
    summary: `The organization’s groups by name, at most ${GROUP_LIMITS.groups}`,
    ok: z.array(group),
  },
  'POST /api/groups': {
    access: 'org.manage',
    summary: 'Create a group; workflows name it by its slug, which never changes',
    body: z.strictObject({ name, slug, members: members.default([]) }),
    ok: group,
    status: 201,
  },
  'PATCH /api/groups/{id}': {
    access: 'org.manage',
    summary:
      'Rename a group or change its members; removing members of a group that a workflow, rule or open run names needs confirmation by another owner or admin',
    params,
    body: z
      .strictObject({
        name: name.optional(),
        slug: slug.optional().describe('Refused if it differs from the current slug'),
        members: members.optional(),
        addMembers: people.optional().describe('Ids of members of the organization; the other members stay'),
        removeMembers: people.optional().describe('Ids of people who leave the group; others are ignored'),
      })
      .refine(({ members: all, addMembers, removeMembers }) => !all || (!addMembers && !removeMembers), {
        path: ['members'],
        error: 'Give either all members, or those to add and to remove',
      }),
    ok: group,
  },
  'DELETE /api/groups/{id}': {
    access: 'org.manage',
    summary: 'Delete a group that no live version, open draft, route or open run names',
    params,
    ok: message,
  },
} satisfies Routes;
