import { parse } from 'yaml';

/** What compose.yaml lets a container of a service do, as far as ours goes. */
export type Container = {
  environment: Record<string, string>;
  isReadOnly: boolean;
  /** Places of memory that can be written, with the options of their mounts. */
  tmpfs: { at: string; options: string }[];
  volumes: string[];
  dropsAllCapabilities: boolean;
  gainsNoPrivileges: boolean;
};

type Service = Partial<{
  environment: Record<string, string>;
  read_only: boolean;
  tmpfs: string[];
  volumes: string[];
  cap_drop: string[];
  security_opt: string[];
}>;

// What Docker mounts memory with where nothing else is said.
const TMPFS = 'noexec,nosuid,nodev';

/** Of compose.yaml's text. */
export function containerOf(compose: string, service: string): Container {
  const { services } = parse(compose) as { services: Record<string, Service> };
  const said = services[service];
  if (!said) throw new Error(`compose.yaml has no service ${service}`);
  return {
    environment: said.environment ?? {},
    isReadOnly: said.read_only ?? false,
    tmpfs: (said.tmpfs ?? []).map((line) => {
      const [at = '', options] = line.split(':');
      return { at, options: options === undefined ? TMPFS : `${TMPFS},${options}` };
    }),
    volumes: (said.volumes ?? []).map((line) => line.split(':')[1] ?? ''),
    dropsAllCapabilities: said.cap_drop?.includes('ALL') ?? false,
    gainsNoPrivileges: said.security_opt?.includes('no-new-privileges:true') ?? false,
  };
}
