import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findProcesses } from '@millrace/isolation/testing/find-processes';
import { redisOptions } from '../../support/own-system.js';
import { queryDatabase } from '../../support/query-database.js';
import type { Matrix } from '../matrix/start-matrix.js';
import type { Invariant } from './invariant.js';

export const findLeftovers: Invariant['find'] = async (matrix, runs) => [
  ...runs.flatMap(({ id, workflow }) =>
    findProcesses(workflow.mark).map((pid) => `process ${pid} of run ${id} is still running`),
  ),
  ...findOrphanGroups(matrix),
  ...findUsedSlots(join(matrix.system.folder, 'work')),
  ...(await findLeases(matrix)),
  ...(await findQueuedJobs(matrix)),
];

/** The name of the control group of a slot contains the process id of its worker. */
const GROUP = /^millrace-(\d+)-\d+-/;

/** Control groups, and processes in them, whose worker has ended. */
function findOrphanGroups(matrix: Matrix): string[] {
  const former = matrix.formerPids();
  const isOrphan = (name: string) => {
    const worker = Number(GROUP.exec(name)?.[1]);
    return former.has(worker) && !existsSync(`/proc/${worker}`);
  };
  const groups = listGroupFolders().flatMap((folder) =>
    listNames(folder)
      .filter(isOrphan)
      .map((name) => join(folder, name)),
  );
  return groups.map((group) => {
    const pids = readText(join(group, 'cgroup.procs')).split('\n').filter(Boolean);
    return `the control group ${group} of a worker that has ended has ${pids.length} processes`;
  });
}

/** The folders in which this process, and therefore a worker, may make control groups (cgroups(7)). */
function listGroupFolders(): string[] {
  const lines = readText('/proc/self/cgroup').trim().split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', path = '/'] = line.split(':');
    return [join('/sys/fs/cgroup', controllers, path), join('/sys/fs/cgroup', controllers)];
  });
}

/** Folders of commands contain nothing but their own subfolders while no step runs. */
function findUsedSlots(work: string): string[] {
  const slots = listNames(work)
    .filter((name) => /^worker-\d+$/.test(name))
    .flatMap((worker) =>
      listNames(join(work, worker))
        .filter((name) => name.startsWith('slot-'))
        .map((slot) => join(work, worker, slot)),
    );
  const used = slots.flatMap((slot) => {
    const files = [
      ...['in', 'tmp', 'step', 'work/in', 'work/out'].flatMap((folder) =>
        listNames(join(slot, folder)).map((name) => join(folder, name)),
      ),
      ...listNames(join(slot, 'work')).filter((name) => !['in', 'out'].includes(name)),
    ];
    return files.length > 0 ? [`${slot} still contains ${files.slice(0, 3).join(', ')}`] : [];
  });
  const leftover = listNames(work).filter((name) => name.startsWith('leftover-') && name !== 'leftovers.lock');
  return [...used, ...leftover.map((name) => `${join(work, name)} could not be emptied`)];
}

/** What a process has claimed, and nothing will release. */
async function findLeases({ system }: Matrix): Promise<string[]> {
  const rows = await queryDatabase<{ lease: string }>(
    system.database,
    `SELECT 'dispatch ' || d.id || ' of run ' || d.run_id AS lease FROM runs.dispatch d
       JOIN runs.run r ON r.id = d.run_id WHERE r.finished_at IS NOT NULL
     UNION ALL SELECT 'the request ' || operation || ' of ' || owner FROM messaging.idempotent_request
       WHERE response IS NULL AND locked_until > now()
     UNION ALL SELECT 'the deletion of object ' || sha256 FROM contents.unused WHERE lease IS NOT NULL AND leased_until > now()`,
  );
  return rows.map(({ lease }) => `${lease} is still claimed`);
}

/** Jobs of BullMQ that wait or run, and dispatches of which only the data is left. */
async function findQueuedJobs({ system }: Matrix): Promise<string[]> {
  const redis = new Redis({ ...redisOptions(system.folder), maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  try {
    const keys = await redis.keys('bull:*');
    const lists = keys.filter((key) => /:(active|wait|paused)$/.test(key));
    const lengths = await Promise.all(lists.map((key) => redis.llen(key)));
    const jobs = keys.filter((key) => /^bull:subjobs-[^:]+:dispatch-\d+(:lock)?$/.test(key));
    return [
      ...lists.flatMap((key, index) =>
        lengths[index] === 0 ? [] : [`${key} of Redis still has ${lengths[index]} jobs`],
      ),
      ...jobs.map((key) => `${key} of Redis is left over`),
    ];
  } finally {
    redis.disconnect();
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
