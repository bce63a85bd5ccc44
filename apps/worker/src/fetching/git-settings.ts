import { basic } from '@millrace/egress/requests/next-hop';

/** A repository as a run's URL names it. */
export interface Repository {
  /** Without name, password and revision. */
  url: string;
  authorization: string | null;
  /** Branch, tag or commit; null for the default branch. */
  revision: string | null;
}

export function readRepository(input: string): Repository {
  const url = new URL(input);
  const { username, password, hash } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  const authorization = username !== '' || password !== '' ? basic(username, password) : null;
  return { url: url.href, authorization, revision: hash === '' ? null : hash.slice(1) };
}

/**
 * The environment that git runs with. Git reads no settings of the machine or of a user, runs no hooks, and prompts for
 * nothing. It uses the network only through `proxy`, only with http(s), and follows no redirect from https to http. The
 * password is in the environment, because every user of the machine can read arguments.
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
    // Git would send the extra header to the target of a redirect too.
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
    // Packs are written to the disk as they arrive, and little of them is mapped at a time, because the address space is
    // limited: by default git maps any number of windows of 1 GiB, and unpacks small packs in memory.
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
