-- My tasks asks the domain instead (decision 398).
drop function is_tied_by_vouchers(run_tasks, uuid[], uuid[]);
