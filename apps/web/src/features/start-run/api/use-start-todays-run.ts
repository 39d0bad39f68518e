import { RUN_DEFAULTS } from '@stet/domain/defaults';
import { displayTitle } from '@stet/domain/workflows';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../../lib/api/api.ts';
import { nameSuggestions } from '../model/run-form.ts';
import type { RunForm } from '../model/run-form.ts';
import { useStartRun } from './use-start-run.ts';

function todaysRun(title: string): RunForm {
  const [name = title] = nameSuggestions(title, { now: new Date(), counter: 1 });
  return { name, description: '', priority: RUN_DEFAULTS.priority };
}

/**
 * Starts one run as soon as the workflow is loaded. The run has the workflow's title and the local date as its name,
 * and medium priority (specification, section 4, run start). `retry` repeats the failed request.
 */
export function useStartTodaysRun(workflowKey: string) {
  const workflow = useQuery({
    queryKey: ['workflow-to-run', workflowKey],
    queryFn: ({ signal }) => api('GET /api/workflows/{key}', { params: { key: workflowKey }, signal }),
    // A cached title may be outdated, so it isn't used.
    gcTime: 0,
  });
  const run = useStartRun(workflowKey);
  const { mutate } = run;
  const hasBegun = useRef(false);
  const title = workflow.data && displayTitle(workflowKey, workflow.data.metadata.title);

  useEffect(() => {
    // Start only one run per visit, even if effects run repeatedly.
    if (title === undefined || hasBegun.current) return;
    hasBegun.current = true;
    mutate(todaysRun(title));
  }, [title, mutate]);

  return { workflow, run, retry: () => (title === undefined ? void workflow.refetch() : mutate(todaysRun(title))) };
}
