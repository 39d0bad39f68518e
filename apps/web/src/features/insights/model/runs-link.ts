/** The address of a list of the runs that are counted, with these filters in addition to those of the screen. */
export type RunsLink = (more?: {
  status?: string;
  sla?: string;
  version?: number;
  figure?: string;
  from?: string;
  to?: string;
}) => string;
