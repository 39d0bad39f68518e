import { isolated } from '@stet/domain/workflows';

/** The name of an actor, with the delegator: 'Ben for Mara'. */
export const actorName = ({ name, onBehalfOf }: { name: string; onBehalfOf?: { name: string } | undefined }): string =>
  onBehalfOf ? `${isolated(name)} for ${isolated(onBehalfOf.name)}` : isolated(name);
