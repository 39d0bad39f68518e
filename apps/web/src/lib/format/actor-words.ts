import { isolated } from '@stet/domain/workflows';

/** The name of an actor or, if they acted on someone's behalf, both names: 'Ben for Mara'. */
export const actorName = ({ name, onBehalfOf }: { name: string; onBehalfOf?: { name: string } | undefined }): string =>
  onBehalfOf ? `${isolated(name)} for ${isolated(onBehalfOf.name)}` : isolated(name);
