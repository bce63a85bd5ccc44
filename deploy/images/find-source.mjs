/**
 * The address of the source for the label of an image. A remote may contain a password, which must not get into an image.
 * @param {NodeJS.ProcessEnv} env
 * @param {(...args: string[]) => string} git runs a command of git
 */
export function findSource(env, git) {
  if (env['SOURCE']) return env['SOURCE'];
  const remote = git('config', '--get', 'remote.origin.url');
  if (!/^https?:/.test(remote)) return 'unknown';
  const url = new URL(remote);
  url.username = '';
  url.password = '';
  return url.href.replace(/\.git$/, '');
}
