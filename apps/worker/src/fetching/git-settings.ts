import { basic } from '@millrace/egress/requests/next-hop';

/** A repository as a run names it. */
export interface Repository {
  /** Without name, password and revision. */
  url: string;
  authorization: string | null;
  /** Branch, tag or commit; null is what the repository shows first. */
  revision: string | null;
}

export function readRepository(given: string): Repository {
  const url = new URL(given);
  const { username, password, hash } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  const authorization = username !== '' || password !== '' ? basic(username, password) : null;
  return { url: url.href, authorization, revision: hash === '' ? null : hash.slice(1) };
}

/**
 * The environment that git runs with. It reads no settings of the machine or of a user, runs no hooks, asks nobody, and
 * reaches the network through `proxy` alone, by http(s) alone; what was asked for encrypted is not redirected to what is not.
 * The password is in the environment, for arguments are for all to read.
 */
export function buildGitEnvironment(
  { url, authorization }: Repository,
  proxy: string,
  home: string,
): Record<string, string> {
  const settings: [string, string][] = [
    ['http.proxy', proxy],
    ['protocol.allow', 'never'],
    ['protocol.https.allow', 'always'],
    ['protocol.http.allow', url.startsWith('http:') ? 'always' : 'never'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', '30'],
    // A header of our own would go along wherever a redirect leads.
    ['http.followRedirects', authorization === null ? 'initial' : 'false'],
    ...(authorization === null ? [] : [['http.extraHeader', `Authorization: ${authorization}`] as [string, string]]),
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['core.askPass', ''],
    ['submodule.recurse', 'false'],
    ['fetch.recurseSubmodules', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['pack.threads', '1'],
    // Packs go to the disk as they come in, and few of them are in its bounded address space at once: by itself, git maps
    // windows of 1 GiB without end, and unpacks few objects in memory.
    ['fetch.unpackLimit', '1'],
    ['core.packedGitWindowSize', '32m'],
    ['core.packedGitLimit', '256m'],
    ['core.bigFileThreshold', '64m'],
    ['advice.detachedHead', 'false'],
  ];
  return {
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
