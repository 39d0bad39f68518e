import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { sortTitle, summary, summaryRow } from '../workflows/index.ts';

const foundRow = summaryRow.extend({
  /**
   * 0 if the title or the key contains the whole query, and 1 if only its words were found. Always 0 without a query or
   * with `byTitle`.
   */
  rank: z.number(),
  /** The time of the last change with microseconds, for the cursor. */
  cursor_at: z.string(),
});
export type FoundRow = z.output<typeof foundRow>;

/**
 * A page of workflows. By default, those whose title or key matches come first, and each group is sorted by the latest
 * change. With `byTitle`, all are sorted by title. All titles and keys in the organization are scanned, and words are
 * found with the index that `search_workflows` uses.
 */
export const listFoundWorkflows = statement({
  name: 'list_found_workflows',
  params: ['orgId', 'q', 'status', 'afterRank', 'afterAt', 'afterId', 'limit', 'tag', 'byTitle'],
  row: foundRow,
  text: `with asked as materialized (
           select '%' || replace(replace(replace(search_folded($2), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%' as pattern,
                  search_words($2) as words
         ),
         found as materialized (select f.workflow_id from asked, search_workflows(asked.words) f where $2::text is not null),
         ranked as (
           select w.id, w.updated_at, case when $9::boolean then ${sortTitle('w')} end as title,
                  case when $2::text is null or $9::boolean or w.search_name like (select pattern from asked) then 0 else 1 end as rank
           from workflows w
           where w.org_id = $1 and w.deleted_at is null
             and ($2::text is null or w.search_name like (select pattern from asked) or w.id in (select workflow_id from found))
             and ($8::text is null or $8 = any (w.tags))
             and ($3::text is null or (w.archived_at is null and case $3::text
               when 'live' then w.live_version_id is not null
               else exists (select from workflow_versions v where v.org_id = w.org_id and v.workflow_id = w.id and v.status = $3::text)
             end))
         ),
         page as (
           select r.id, r.updated_at, r.rank, r.title
           from ranked r
           where $4::int is null or r.rank > $4::int
              or (r.rank = $4::int and case when $9::boolean
                then (r.title, r.id) > (select ${sortTitle('c')}, c.id from workflows c where c.org_id = $1 and c.id = $6::uuid)
                else (r.updated_at, r.id) < ($5::timestamptz, $6::uuid) end)
           order by r.rank, r.title, case when $9::boolean then r.id end, r.updated_at desc, r.id desc
           limit $7
         )
         select s.*, page.rank, to_char(page.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor_at
         from page join lateral (${summary} and w.id = page.id) s on true
         order by page.rank, page.title, case when $9::boolean then page.id end, page.updated_at desc, page.id desc`,
});

export type FoundStep = {
  /** Counted from 1. */
  number: number;
  step: { id: string; title: string; description: string | null; assignee: string | null };
};

/**
 * For each workflow, finds the live version or open draft that contains the most search words (if several do, the live
 * version), and in it the `stepsEach` steps that contain the most search words.
 */
export const listFoundSteps = statement({
  name: 'list_found_steps',
  params: ['orgId', 'q', 'workflowIds', 'stepsEach'],
  row: z.object({
    workflow_id: z.uuid(),
    version: z.number().nullable(),
    description: z.string(),
    in_description: z.boolean(),
    steps: z.custom<FoundStep[]>(),
  }),
  text: `with asked as materialized (select search_words($2) as words)
         select best.workflow_id, best.version, best.description, best.in_description, best.steps
         from asked, unnest($3::uuid[]) wanted
         cross join lateral (
           select v.workflow_id, v.version, coalesce(v.metadata ->> 'description', '') as description,
                  coalesce(2002 = any (places.all), false) as in_description,
                  coalesce((
                    select json_agg(json_build_object('number', hit.place, 'step', json_build_object(
                      'id', step ->> 'id', 'title', step ->> 'title', 'description', step ->> 'description', 'assignee', step ->> 'assignee'
                    )) order by hit.place)
                    from (
                      select place from unnest(places.all) place where place <= 1000
                      group by place order by count(*) desc, place limit $4
                    ) hit
                    cross join lateral (select v.steps -> (hit.place - 1) as step) s
                  ), '[]'::json) as steps,
                  places.words
           from workflow_versions v
           cross join lateral (
             select array_agg(at.place order by at.place) as all, count(distinct at.word) as words
             from (
               select distinct word, position::int as place
               from unnest(v.search) l, unnest(asked.words) word, unnest(l.positions) position
               where starts_with(l.lexeme, word)
             ) at
           ) places
           where v.org_id = $1 and v.workflow_id = wanted and v.status in ('draft', 'in_review', 'live')
           order by places.words desc, v.status = 'live' desc, v.updated_at desc, v.id desc
           limit 1
         ) best`,
});
