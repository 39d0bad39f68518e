import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { listed, listedRow } from './runs.sql.ts';

const TYPES = {
  orgId: 'uuid',
  limit: 'int',
  from: 'timestamptz',
  to: 'timestamptz',
  status: 'text',
  workflow: 'text',
  version: 'int',
  env: 'text',
  priority: 'smallint',
  sla: 'text',
  without: 'text',
  keyDue: 'timestamptz',
  keyAt: 'timestamptz',
  keyId: 'uuid',
  keyName: 'text',
  keyRank: 'smallint',
  who: 'text',
  pattern: 'text',
  workflows: 'text[]',
  figure: 'text',
  step: 'text',
} as const;
type Param = keyof typeof TYPES;
type Write = (param: (name: Param) => string) => string;

/** Declares the statement of a list. `write` returns its text and refers to parameters by name. */
function list<R extends z.ZodObject>(name: string, row: R, write: Write) {
  const params: Param[] = [];
  const param = (wanted: Param): string => {
    if (!params.includes(wanted)) params.push(wanted);
    return `$${params.indexOf(wanted) + 1}::${TYPES[wanted]}`;
  };
  const text = write(param);
  return statement({ name, params, row, text });
}

type Order = { after: Write; by: string };

// The key always has a value (on the first page, one that precedes all others), so that a generic plan can start in the
// middle of an index.
const ORDERS = {
  newest: { after: (p) => `(r.created_at, r.id) < (${p('keyAt')}, ${p('keyId')})`, by: 'r.created_at desc, r.id desc' },
  oldest: { after: (p) => `(r.created_at, r.id) > (${p('keyAt')}, ${p('keyId')})`, by: 'r.created_at, r.id' },
  name: { after: (p) => `(r.sort_name, r.id) > (${p('keyName')}, ${p('keyId')})`, by: 'r.sort_name, r.id' },
  priority: {
    after: (p) => `(r.priority_rank, r.created_at, r.id) < (${p('keyRank')}, ${p('keyAt')}, ${p('keyId')})`,
    by: 'r.priority_rank desc, r.created_at desc, r.id desc',
  },
} as const satisfies Record<string, Order>;
export type RunOrder = keyof typeof ORDERS;

/** The filter for which a list uses an index. The other filters are checked row by row. */
const LEADS = {
  all: () => 'true',
  status: (p) => `r.status = ${p('status')}`,
  workflow: (p) => `r.workflow_key = ${p('workflow')}`,
  version: (p) => `r.workflow_key = ${p('workflow')} and r.version = ${p('version')}`,
  env: (p) => `r.env = ${p('env')}`,
  priority: (p) => `r.priority_rank = ${p('priority')}`,
  workflow_and_status: (p) => `r.workflow_key = ${p('workflow')} and r.status = ${p('status')}`,
} as const satisfies Record<string, Write>;
const SLA_LEADS = {
  sla: () => 'true',
  workflow_and_sla: LEADS.workflow,
  status_and_sla: LEADS.status,
} as const satisfies Record<string, Write>;
/**
 * The filters of lists by tag. Such a list reads at most one page of runs of each tagged workflow, in the order of an
 * index, and merges them.
 */
const TAG_LEADS = {
  tag: () => 'true',
  tag_and_status: LEADS.status,
  tag_and_sla: () => 'true',
} as const satisfies Record<string, Write>;
export type RunLead = keyof typeof LEADS | keyof typeof SLA_LEADS | keyof typeof TAG_LEADS;

const inTrouble = (of: string): string =>
  `(${of}.status = 'failed' or (${of}.status = 'running' and ${of}.sla_state in ('at_risk', 'breached')))`;

// Excludes the group of runs that this order lists first.
const others: Write = (p) => `
  and case ${p('without')} when 'open' then r.status in ('completed', 'cancelled')
        when 'in_trouble' then not ${inTrouble('r')} else true end`;
const filters: Write = (p) => `
  r.org_id = ${p('orgId')} and r.created_at >= ${p('from')} and r.created_at <= ${p('to')}
  and (${p('status')} is null or r.status = ${p('status')})
  and (${p('workflow')} is null or r.workflow_key = ${p('workflow')})
  and (${p('version')} is null or r.version = ${p('version')})
  and (${p('env')} is null or r.env = ${p('env')})
  and (${p('priority')} is null or r.priority_rank = ${p('priority')})`;
const stateNow = `run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)`;
const slaIs: Write = (p) => `and (${p('sla')} is null or ${p('sla')} = ${stateNow})`;

const listLedBy = (name: string, { after, by }: Order, lead: Write) =>
  list(
    name,
    listedRow,
    (p) => `select ${listed} from runs r
            where ${filters(p)} and ${lead(p)} and ${after(p)} ${slaIs(p)} ${others(p)} order by ${by} limit ${p('limit')}`,
  );

/**
 * Selects the sort keys of a page of runs. If `isTagged`, reads the runs of each of the `workflows` in order and merges
 * them.
 */
function sortKeysOf(p: Parameters<Write>[0], by: string, where: string, isTagged: boolean): string {
  const select = (ofWorkflow: string) => `
      select r.id, r.created_at, r.sort_name, r.priority_rank from runs r
      where ${where} ${ofWorkflow} order by ${by} limit ${p('limit')}`;
  return isTagged
    ? `select r.* from unnest(${p('workflows')}) tagged (key)
       cross join lateral (${select('and r.workflow_key = tagged.key')}) r order by ${by} limit ${p('limit')}`
    : select('');
}

const listLedByTag = (name: string, { after, by }: Order, lead: Write) =>
  list(
    name,
    listedRow,
    (p) => `
    with page as (${sortKeysOf(p, by, `${filters(p)} and ${lead(p)} and ${after(p)} ${slaIs(p)} ${others(p)}`, true)})
    select ${listed} from page join runs r on r.org_id = ${p('orgId')} and r.id = page.id order by ${by}`,
  );

// The stored SLA state is valid until the run's next crossing. The few runs with a crossing since the last check are
// evaluated individually. `offset 0` makes the plan start with these crossings. Without it, a generic plan read all
// runs, newest first, and looked for each one among the crossings.
const listLedBySla = (name: string, { after, by }: Order, lead: Write, isTagged: boolean) =>
  list(
    name,
    listedRow,
    (p) => `
    with saved as (${sortKeysOf(
      p,
      by,
      `${filters(p)} and ${lead(p)} and ${after(p)} and r.sla_state = ${p('sla')}
         and (r.next_crossing_at is null or r.next_crossing_at > statement_timestamp()) ${others(p)}`,
      isTagged,
    )}), crossing as (
      select r.id, r.created_at, r.sort_name, r.priority_rank from run_crossings c
      cross join lateral (select o.* from runs o where o.org_id = ${p('orgId')} and o.id = c.run_id offset 0) r
      where ${filters(p)} and ${lead(p)} and ${after(p)} and c.org_id = ${p('orgId')} and c.at <= statement_timestamp()
        and ${p('sla')} = ${stateNow} ${others(p)}
        ${isTagged ? `and r.workflow_key = any (${p('workflows')})` : ''}
      order by ${by} limit ${p('limit')}
    ), page as (
      select id from (select * from saved union all select * from crossing) r order by ${by} limit ${p('limit')}
    )
    select ${listed} from page join runs r on r.org_id = ${p('orgId')} and r.id = page.id order by ${by}`,
  );

type Lists = { [L in RunLead]?: ReturnType<typeof listLedBy> };

/** The lists in one order, by their leading filter. There is an index for each combination of order and filter. */
function listsOf(order: RunOrder, leads: readonly RunLead[]): Lists {
  const { [order]: of } = ORDERS;
  const prefix = order === 'newest' ? 'list_runs' : `list_runs_in_order_of_${order}`;
  const named = (lead: RunLead) => (lead === 'all' ? prefix : `${prefix}_by_${lead}`);
  const listFor = (lead: RunLead) => {
    if (lead === 'tag_and_sla') return listLedBySla(named(lead), of, TAG_LEADS[lead], true);
    if (lead in TAG_LEADS) return listLedByTag(named(lead), of, TAG_LEADS[lead as keyof typeof TAG_LEADS]);
    return lead in SLA_LEADS
      ? listLedBySla(named(lead), of, SLA_LEADS[lead as keyof typeof SLA_LEADS], false)
      : listLedBy(named(lead), of, LEADS[lead as keyof typeof LEADS]);
  };
  return Object.fromEntries(leads.map((lead) => [lead, listFor(lead)]));
}

const SINGLE: readonly RunLead[] = ['all', 'status', 'workflow', 'version', 'env', 'priority', 'sla', 'tag'];
const PAIRS: readonly RunLead[] = [
  'workflow_and_status',
  'workflow_and_sla',
  'status_and_sla',
  'tag_and_status',
  'tag_and_sla',
];

/** A page of runs, by order and leading filter. Filters that are null are ignored. */
export const runLists: Record<RunOrder, Lists> = {
  newest: listsOf('newest', [...SINGLE, ...PAIRS]),
  oldest: listsOf('oldest', [...SINGLE, ...PAIRS]),
  name: listsOf('name', SINGLE),
  priority: listsOf('priority', SINGLE),
};

const OPEN_LEADS = {
  all: () => 'true',
  workflow: (p) => `o.workflow_key = ${p('workflow')}`,
  version: (p) => `o.workflow_key = ${p('workflow')} and o.version = ${p('version')}`,
  env: (p) => `o.env = ${p('env')}`,
  priority: (p) => `o.priority_rank = ${p('priority')}`,
  sla: (p) => `o.sla_state = ${p('sla')}`,
  tag: () => `o.workflow_key = tagged.key`,
} as const satisfies Record<string, Write>;
export type OpenLead = keyof typeof OPEN_LEADS;

const listOpen = (lead: OpenLead, isInTrouble: boolean) =>
  list(`list_open_runs${isInTrouble ? '_in_trouble' : ''}_by_${lead}`, listedRow, (p) => {
    const open = `
      select o.run_id, o.due_at, o.started_at from open_runs o
      where o.org_id = ${p('orgId')} and ${OPEN_LEADS[lead](p)} ${isInTrouble ? `and ${inTrouble('o')}` : ''}
        and (o.due_at, o.started_at, o.run_id) > (${p('keyDue')}, ${p('keyAt')}, ${p('keyId')})
        and o.started_at >= ${p('from')} and o.started_at <= ${p('to')}
        and (${p('status')} is null or o.status = ${p('status')})
        and (${p('workflow')} is null or o.workflow_key = ${p('workflow')})
        and (${p('version')} is null or o.version = ${p('version')})
        and (${p('env')} is null or o.env = ${p('env')})
        and (${p('priority')} is null or o.priority_rank = ${p('priority')})
        and (${p('sla')} is null or o.sla_state = ${p('sla')})
      order by o.due_at, o.started_at, o.run_id limit ${p('limit')}`;
    const page =
      lead === 'tag'
        ? `select o.* from unnest(${p('workflows')}) tagged (key) cross join lateral (${open}) o
           order by o.due_at, o.started_at, o.run_id limit ${p('limit')}`
        : open;
    return `
    with page as (${page})
    select ${listed} from page join runs r on r.org_id = ${p('orgId')} and r.id = page.run_id
    order by page.due_at, page.started_at, page.run_id`;
  });

const openListsOf = (isInTrouble: boolean) => ({
  all: listOpen('all', isInTrouble),
  workflow: listOpen('workflow', isInTrouble),
  version: listOpen('version', isInTrouble),
  env: listOpen('env', isInTrouble),
  priority: listOpen('priority', isInTrouble),
  sla: listOpen('sla', isInTrouble),
  tag: listOpen('tag', isInTrouble),
});

/** A page of runs that are neither completed nor cancelled, soonest due first, by leading filter. */
export const openRunLists = openListsOf(false);

/** Like `openRunLists`, but only runs that failed, or that are running and at risk or breached. */
export const troubleLists = openListsOf(true);

const TASK_ORDERS = {
  newest: {
    after: (p) => `(t.started_at, t.run_id) < (${p('keyAt')}, ${p('keyId')})`,
    by: 't.started_at desc, t.run_id desc',
  },
  oldest: { after: (p) => `(t.started_at, t.run_id) > (${p('keyAt')}, ${p('keyId')})`, by: 't.started_at, t.run_id' },
  name: { after: (p) => `(t.sort_name, t.run_id) > (${p('keyName')}, ${p('keyId')})`, by: 't.sort_name, t.run_id' },
  priority: {
    after: (p) => `(t.priority_rank, t.started_at, t.run_id) < (${p('keyRank')}, ${p('keyAt')}, ${p('keyId')})`,
    by: 't.priority_rank desc, t.started_at desc, t.run_id desc',
  },
  due: { after: (p) => `(t.due_at, t.run_id) > (${p('keyDue')}, ${p('keyId')})`, by: 't.due_at, t.run_id' },
} as const satisfies Record<string, Order>;

/**
 * The name (`user:` and the id) by which tasks can refer to the member with the address `who`. Null if there is none.
 */
const ownId: Write = (p) => `(
  select 'user:' || u.id from memberships m join users u on u.id = m.user_id
  where m.org_id = ${p('orgId')} and u.email = ${p('who')}
)`;

/** The former addresses of the member with the address `who`. */
const formerAddresses: Write = (p) =>
  `array(select f.email from former_addresses f join users u on u.id = f.user_id where u.email = ${p('who')})`;

// The other tasks of a run are found by the run's id. The expressions on `who` and `due_at` prevent PostgreSQL from
// using the index on due times instead, which would read all earlier tasks of the person for each run. `offset 0`
// preserves the order of the tasks.
/**
 * Lists the runs that wait for one person, role or group. A run that waits for them at several steps is listed once, at
 * the step that is due first. Tasks refer to a person by address or, after a claim or a hand-over, by id. Each branch
 * reads its index in order.
 */
const listOfOne = (order: keyof typeof TASK_ORDERS) =>
  list(
    `list_runs_of_one_by_${order}`,
    listedRow.extend({ task_due_at: z.date().nullable() }),
    (p) => `
    select ${listed}, nullif(t.due_at, 'infinity') as task_due_at
    from (
      select * from run_tasks where org_id = ${p('orgId')} and who = ${p('who')}
      union all
      select * from run_tasks where org_id = ${p('orgId')} and who = ${ownId(p)}
      union all
      select * from run_tasks where org_id = ${p('orgId')} and who = any(${formerAddresses(p)})
    ) t cross join lateral (select o.* from runs o where o.org_id = t.org_id and o.id = t.run_id offset 0) r
    where t.sort_name is not null and ${TASK_ORDERS[order].after(p)}
      and ${filters(p)} ${slaIs(p)}
      and (${p('workflows')} is null or r.workflow_key = any (${p('workflows')}))
      and (${p('pattern')} is null or (r.name || ' ' || r.workflow_title) ilike ${p('pattern')})
      and coalesce((
        select false from run_tasks n where n.org_id = t.org_id and n.run_id = t.run_id and (n.who || '' in (${p('who')}, ${ownId(p)}) or n.who || '' = any(${formerAddresses(p)}))
          and (n.due_at + interval '0', n.step_id) < (t.due_at, t.step_id) limit 1
      ), true)
    order by ${TASK_ORDERS[order].by} limit ${p('limit')}`,
  );

/** A page of runs that wait for one person, role or group, by order. */
export const runsOfOne = {
  newest: listOfOne('newest'),
  oldest: listOfOne('oldest'),
  name: listOfOne('name'),
  priority: listOfOne('priority'),
  due: listOfOne('due'),
};

/** The runs of one version behind a figure, sorted by their start. */
const runsOfFigure = (p: Parameters<Write>[0], order: 'desc' | 'asc') => `
  select r.id, r.created_at from insight_runs i
  cross join lateral (select o.* from runs o where o.org_id = ${p('orgId')} and o.id = i.run_id offset 0) r
  where i.org_id = ${p('orgId')} and i.workflow_key = ${p('workflow')} and i.figure = ${p('figure')} and i.version = v.version
    and (i.started_at, i.run_id) ${order === 'desc' ? '<' : '>'} (${p('keyAt')}, ${p('keyId')})
    and i.started_at >= ${p('from')} and i.started_at <= ${p('to')} and ${filters(p)} ${slaIs(p)}
  order by i.started_at ${order}, i.run_id ${order} limit ${p('limit')}`;

/**
 * Reads the runs of each version from their index and merges them, so the cost of a page grows with the number of
 * versions.
 */
const listOfFigure = (order: 'newest' | 'oldest', direction: 'desc' | 'asc') =>
  list(
    `list_runs_of_figure_in_order_of_${order}`,
    listedRow,
    (p) => `
    with page as (
      select behind.* from (
        select distinct version from workflow_versions
        where org_id = ${p('orgId')} and version is not null and (${p('version')} is null or version = ${p('version')})
          and workflow_id in (select id from workflows where org_id = ${p('orgId')} and key = ${p('workflow')})
      ) v cross join lateral (${runsOfFigure(p, direction)}) behind
      order by created_at ${direction}, id ${direction} limit ${p('limit')}
    )
    select ${listed} from page join runs r on r.org_id = ${p('orgId')} and r.id = page.id
    order by page.created_at ${direction}, page.id ${direction}`,
  );

/** The running runs in which a given step is late now. Few steps are late at the same time. */
const listLateNow = (order: 'newest' | 'oldest') =>
  list(
    `list_runs_late_now_in_order_of_${order}`,
    listedRow,
    (p) => `
    select ${listed} from run_steps s
    join open_runs o on o.org_id = ${p('orgId')} and o.run_id = s.run_id and o.sla_state = 'breached' and o.status = 'running'
    join runs r on r.org_id = ${p('orgId')} and r.id = s.run_id
    where s.org_id = ${p('orgId')} and s.state = 'active' and s.due_at < clock_timestamp() and s.step_id = ${p('step')}
      and ${filters(p)} and ${ORDERS[order].after(p)} ${slaIs(p)}
    order by ${ORDERS[order].by} limit ${p('limit')}`,
  );

/** A page of the runs behind a figure of insights, by order. */
export const runsOfFigures = {
  newest: listOfFigure('newest', 'desc'),
  oldest: listOfFigure('oldest', 'asc'),
};

/** A page of the running runs in which a given step is late now, by order. */
export const runsLateNow = { newest: listLateNow('newest'), oldest: listLateNow('oldest') };

/**
 * Runs with a text in their name or in their workflow's title, or runs of a period in an order other than by start. The
 * text is a LIKE pattern.
 */
export const searchRuns = statement({
  name: 'list_runs_by_words',
  params: [
    'orgId',
    'pattern',
    'order',
    'without',
    'isInTrouble',
    'limit',
    'keyDue',
    'keyAt',
    'keyId',
    'keyName',
    'keyRank',
    'from',
    'to',
    'status',
    'workflow',
    'version',
    'env',
    'priority',
    'sla',
    'workflows',
  ],
  row: listedRow,
  text: `select ${listed}
         from search_runs($2, $3, $4, $5, $6::int, $7::timestamptz, $8::timestamptz, $9::uuid, $10, $11::smallint,
                          $12::timestamptz, $13::timestamptz, $14, $15, $16::int, $17, $18::smallint, $19, $20::text[])
              with ordinality as found (id, place)
         join runs r on r.org_id = $1 and r.id = found.id
         order by found.place`,
});

/** The keys of the workflows with a tag, without deleted ones. */
export const listTaggedKeys = statement({
  name: 'list_tagged_keys',
  params: ['orgId', 'tag'],
  row: z.object({ key: z.string() }),
  text: `select w.key from workflows w where w.org_id = $1 and w.tags <> '{}' and w.deleted_at is null and $2 = any (w.tags)`,
});

/** The organization's runs with these ids, newest first. */
export const listRunsByIds = statement({
  name: 'list_runs_by_ids',
  params: ['orgId', 'runIds'],
  row: listedRow,
  text: `select ${listed} from runs r where r.org_id = $1 and r.id = any ($2::uuid[]) order by r.created_at desc, r.id desc`,
});

export const countRuns = statement({
  name: 'count_runs',
  params: ['orgId'],
  row: z.object({
    running: z.number(),
    paused: z.number(),
    completed: z.number(),
    failed: z.number(),
    cancelled: z.number(),
    on_track: z.number(),
    at_risk: z.number(),
    breached: z.number(),
  }),
  text: `select running, paused, completed, failed, cancelled, on_track, at_risk, breached from run_counts where org_id = $1`,
});
