/** The address of the list of counted runs, with these filters in addition to the screen's. */
export type RunsLink = (more?: {
  status?: string;
  sla?: string;
  version?: number;
  figure?: string;
  from?: string;
  to?: string;
}) => string;
