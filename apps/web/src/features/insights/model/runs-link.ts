/** The address of the list of counted runs, with the screen's filters and these, which take precedence. */
export type RunsLink = (more?: {
  status?: string;
  sla?: string;
  version?: number;
  figure?: string;
  from?: string;
  to?: string;
}) => string;
