import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSet } from '@millrace/contracts/runs/files';
import { EgressError } from '@millrace/egress/requests/egress-error';
import { type EgressProxy, startEgressProxy } from '@millrace/egress/requests/egress-proxy';
import { writeFileSet } from '../inputs/file-sets.js';
import { collectOutputs } from '../outputs/collect-outputs.js';
import { OUTPUT_LIMITS } from '../outputs/scan-outputs.js';
import { StepFailedError } from '../steps/step-failed-error.js';
import { explainGitFailure } from './explain-git-failure.js';
import type { FetchTools } from './fetch-file.js';
import { type Repository, buildGitEnvironment, readRepository } from './git-settings.js';
import { type GitCall, GitError, runGit } from './run-git.js';
import { watchDownloadSize } from './watch-download-size.js';

/**
 * Fetches the files of a repository at one revision into the store, without its history and submodules. Links that lead out
 * of the repository are left out; others are replaced by their targets. @throws EgressError
 */
export async function fetchRepository(url: string, tools: FetchTools): Promise<FileSet> {
  const repository = readRepository(url);
  const home = await mkdtemp(join(tools.scratch, 'git-'));
  const proxy = await startEgressProxy(tools.allowed);
  const bounds = new AbortController();
  const timeout = setTimeout(() => bounds.abort(new EgressError('it took too long')), tools.timeoutMs);
  const watched = { folder: home, received: () => proxy.received };
  const endWatch = watchDownloadSize(watched, tools.maxBytes, (error) => bounds.abort(error));
  const folder = join(home, 'repository');
  const signal = AbortSignal.any([tools.signal, bounds.signal]);
  const call = { folder, env: buildGitEnvironment(repository, proxy.url, home), signal };
  try {
    await runGit(['init', '--quiet', '--template=', folder], { ...call, folder: home });
    await checkOut(repository, call, tools.maxBytes);
    await rm(join(folder, '.git'), { recursive: true });
    const { files } = await collectOutputs(folder, folder, { ...tools, signal });
    return await writeFileSet(files, tools.store);
  } catch (error) {
    throw explain(error, proxy, bounds.signal);
  } finally {
    clearTimeout(timeout);
    await endWatch();
    await proxy.close();
    await rm(home, { recursive: true, force: true });
  }
}

function explain(error: unknown, proxy: EgressProxy, bounds: AbortSignal): unknown {
  if (bounds.aborted) return bounds.reason;
  if (proxy.failure && error instanceof GitError) return proxy.failure;
  if (error instanceof StepFailedError) return new EgressError(error.message.replaceAll('out/', 'the repository'));
  return error instanceof GitError ? explainGitFailure(error.stderr) : error;
}

async function checkOut(repository: Repository, call: GitCall, maxBytes: number): Promise<void> {
  const commit = await fetchRevision(repository, call);
  await boundTree(commit, call, maxBytes);
  await runGit(['checkout', '--quiet', '--detach', '--force', commit], call);
}

/** @returns the name of the revision in the local repository */
async function fetchRevision({ url, revision }: Repository, call: GitCall): Promise<string> {
  const fetch = (...more: string[]) =>
    runGit(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...more], call);
  const requestedRevision = revision ?? 'HEAD';
  try {
    await fetch('--depth=1', url, requestedRevision);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // A repository served as plain files has no shallow history, and many servers do not serve a commit by its hash.
    if (
      /^[0-9a-f]{40}$/.test(requestedRevision) &&
      /not our ref|unadvertised|shallow|couldn't find remote ref/.test(error.stderr)
    ) {
      await fetch(url, '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/remotes/tags/*');
      return requestedRevision;
    }
    if (!error.stderr.includes('dumb http transport does not support shallow')) throw error;
    await fetch(url, requestedRevision);
  }
  return 'FETCH_HEAD';
}

/** Refuses a tree that is too large, before it is checked out: a few kilobytes of history can name terabytes of files. */
async function boundTree(commit: string, call: GitCall, maxBytes: number): Promise<void> {
  const exceeded = new AbortController();
  let files = 0;
  let bytes = 0;
  let rest = '';
  const count = (chunk: string) => {
    const entries = `${rest}${chunk}`.split('\0');
    rest = entries.pop() ?? '';
    files += entries.length;
    // `<mode> <type> <object> <size>\t<path>`
    for (const entry of entries) bytes += Number(/^\d+ \w+ \w+ +(\d+)\t/.exec(entry)?.[1] ?? 0);
    if (files > OUTPUT_LIMITS.files)
      exceeded.abort(new EgressError(`it contains more than ${OUTPUT_LIMITS.files} files`));
    else if (bytes > maxBytes) exceeded.abort(new EgressError(`it is larger than ${maxBytes} bytes`));
  };
  const signal = AbortSignal.any([call.signal, exceeded.signal]);
  await runGit(['ls-tree', '-r', '-l', '-z', commit], { ...call, signal, onOutput: count });
}
