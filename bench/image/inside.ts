import { ACCOUNT, type Image } from './base.ts';
import type { Container } from './compose.ts';

/** The command that runs these words in the image, as the image's account and with the container's rights. */
export function wordsInside(
  { root, workdir, env, user }: Image,
  words: readonly string[],
  container: Pick<Container, 'environment' | 'dropsAllCapabilities' | 'gainsNoPrivileges'> | null = null,
  more: Record<string, string> = {},
): string[] {
  const isRoot = user === 'root';
  const as = isRoot
    ? []
    : [
        'setpriv',
        `--reuid=${ACCOUNT.id}`,
        `--regid=${ACCOUNT.id}`,
        '--clear-groups',
        ...(container?.dropsAllCapabilities ? ['--bounding-set=-all'] : []),
        ...(container?.gainsNoPrivileges ? ['--no-new-privs'] : []),
      ];
  const settings = {
    PATH: process.env['PATH'] ?? '',
    HOME: isRoot ? '/root' : ACCOUNT.home,
    ...env,
    ...container?.environment,
    ...more,
  };
  return [
    'env',
    '-i',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    'chroot',
    root,
    ...as,
    'env',
    `--chdir=${workdir}`,
    ...words,
  ];
}
