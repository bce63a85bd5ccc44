import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { queryDatabase } from '../../support/query-database.js';
import { isServer, STOP_SECONDS, type Moment, type ProcessName } from '../cases/fault-case.js';
import type { ReachedEdge } from '../edges/reach-edge.js';
import { listTree } from './list-tree.js';

interface ProcessFault {
  process: ProcessName;
  moment: Moment;
}

/** Kills a process. Whatever waits at the edge in its name never commits, unless the kill comes after the commit. */
export async function killProcess({ process: name, moment }: ProcessFault, edge: ReachedEdge): Promise<void> {
  const pid = edge.targetOf(name);
  if (moment === 'after') {
    process.kill(pid, 'SIGSTOP');
    await edge.pass();
    await edge.committed();
    process.kill(pid, 'SIGKILL');
  } else {
    process.kill(pid, 'SIGKILL');
    // The transaction would commit if the process had sent its COMMIT already.
    if (pid === edge.actor) await terminateBackend(edge);
    await edge.pass();
  }
  await waitForSuccessor(name, pid, edge);
}

/** Stops all threads of a process, and of its child processes, for longer than any lease; then lets it continue. */
export async function stopProcess({ process: name, moment }: ProcessFault, edge: ReachedEdge): Promise<void> {
  const pid = edge.targetOf(name);
  // The runners of a worker are processes of their own, which go on. The processes of Postgres are one server.
  const pids = name === 'postgres' ? listTree(pid) : [pid];
  for (const one of pids) process.kill(one, 'SIGSTOP');
  // Nothing passes a gate while Postgres is stopped.
  if (name !== 'postgres') await edge.pass();
  if (moment === 'after') await edge.committed();
  await sleep(STOP_SECONDS * 1_000);
  for (const one of pids) process.kill(one, 'SIGCONT');
  if (name === 'postgres') await edge.pass();
}

/** Ends a process as an orchestrator does; another one is started. */
export async function restartProcess({ process: name }: ProcessFault, edge: ReachedEdge): Promise<void> {
  const pid = edge.targetOf(name);
  // Postgres' "fast shutdown", as the supervisor stops it.
  process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  await edge.pass();
  await waitForSuccessor(name, pid, edge);
}

async function terminateBackend({ matrix, backend }: ReachedEdge): Promise<void> {
  if (backend !== undefined) await queryDatabase(matrix.system.database, 'SELECT pg_terminate_backend($1)', [backend]);
}

/** Waits until the supervisor has started another process, or a second copy has ended, which is started again after the case. */
async function waitForSuccessor(name: ProcessName, pid: number, { matrix }: ReachedEdge): Promise<void> {
  const isSupervised = isServer(name) || matrix.pidsOf(name)[0] === pid;
  await eventually(
    () => expect(isSupervised ? matrix.system.pidOf(name) === pid : existsSync(`/proc/${pid}`)).toBe(false),
    {
      withinMs: 60_000,
    },
  );
}
