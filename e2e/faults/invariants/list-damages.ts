import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisOptions } from '../../support/own-system.js';
import { queryDatabase } from '../../support/query-database.js';
import type { Matrix } from '../matrix/start-matrix.js';
import type { ExpectedRun } from './invariant.js';

type Repair = () => unknown;

/** Something that no fault may cause. */
interface Damage {
  what: string;
  /** The violation that must be reported. */
  reported: RegExp;
  /** Causes it. @returns what repairs it */
  cause(matrix: Matrix, run: ExpectedRun): Promise<Repair>;
}

/** A damage to rows, and its repair. `$1` is the run. */
const damageRows =
  (damage: string, repair: string): Damage['cause'] =>
  async ({ system }, { id }) => {
    const execute = async (statements: string) => {
      for (const statement of statements.split(';\n')) {
        await queryDatabase(system.database, statement, statement.includes('$1') ? [id] : []);
      }
    };
    await execute(damage);
    return () => execute(repair);
  };

/** Copies rows of a table before they are deleted. Its triggers would refuse that, or count what is inserted again. */
const deleteRows = (table: string, condition: string): Damage['cause'] =>
  damageRows(
    `ALTER TABLE ${table} DISABLE TRIGGER USER;
CREATE TABLE gates.deleted AS SELECT * FROM ${table} WHERE ${condition};
DELETE FROM ${table} WHERE ${condition}`,
    `INSERT INTO ${table} SELECT * FROM gates.deleted;
DROP TABLE gates.deleted;
ALTER TABLE ${table} ENABLE TRIGGER USER`,
  );

const objectPath = ({ system }: Matrix, { workflow }: ExpectedRun) => {
  const hash = createHash('sha256').update(workflow.gathered).digest('hex');
  return join(system.folder, 'objects', hash.slice(0, 2), hash.slice(2));
};

export const DAMAGES: readonly Damage[] = [
  {
    what: 'a run that does not end',
    reported: /^Every run has ended.*run \d+ is RUNNING instead of COMPLETED/,
    cause: damageRows(
      `UPDATE runs.run SET status = 'RUNNING' WHERE id = $1`,
      `UPDATE runs.run SET status = 'COMPLETED' WHERE id = $1`,
    ),
  },
  {
    what: 'a run that counts a subjob twice',
    reported: /^Every run has ended.*run \d+ violates "A run that has ended counts its subjobs/,
    cause: damageRows(
      'UPDATE runs.run SET succeeded = succeeded + 1 WHERE id = $1',
      'UPDATE runs.run SET succeeded = succeeded - 1 WHERE id = $1',
    ),
  },
  {
    what: 'an item without a result',
    reported: /^Each item has one.*run \d+ has results of 3 children/,
    cause: damageRows(
      `UPDATE runs.output SET replaced = true WHERE run_id = $1 AND node = 'each-1' AND task = 2`,
      `UPDATE runs.output SET replaced = false WHERE run_id = $1 AND node = 'each-1' AND task = 2`,
    ),
  },
  {
    what: 'an item with two results',
    reported: /^Each item has one.*run \d+ has 2 results output\.txt of each-1, child 2/,
    cause: damageRows(
      `INSERT INTO runs.output SELECT (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
       FROM runs.output o WHERE run_id = $1 AND node = 'each-1' AND task = 2`,
      `DELETE FROM runs.output WHERE ctid IN (SELECT max(ctid) FROM runs.output
       WHERE run_id = $1 AND node = 'each-1' AND task = 2)`,
    ),
  },
  {
    what: 'a process of a run that goes on',
    reported: /^No process.*process \d+ of run \d+ is still running/,
    cause: (_, { workflow }) => {
      const child = spawn('sh', ['-c', `: ${workflow.mark}; sleep 60; true`]);
      return Promise.resolve(() => child.kill('SIGKILL'));
    },
  },
  {
    what: 'a file in a slot',
    reported: /^No process.*slot-\d+ still contains work\/out\/left/,
    cause: ({ system }) => {
      const file = join(system.folder, 'work', 'worker-1', 'slot-1', 'work', 'out', 'left');
      writeFileSync(file, '');
      return Promise.resolve(() => rmSync(file, { force: true }));
    },
  },
  {
    what: 'a folder that could not be emptied',
    reported: /^No process.*leftover-0 could not be emptied/,
    cause: ({ system }) => {
      const folder = join(system.folder, 'work', 'leftover-0');
      mkdirSync(folder);
      return Promise.resolve(() => rmSync(folder, { recursive: true }));
    },
  },
  {
    what: 'a dispatch of a run that has ended',
    reported: /^No process.*dispatch \d+ of run \d+ is still claimed/,
    cause: damageRows(
      'INSERT INTO runs.dispatch (run_id, segment) VALUES ($1, 0)',
      'DELETE FROM runs.dispatch WHERE run_id = $1',
    ),
  },
  {
    what: 'a job that is still queued',
    reported: /^No process.*bull:subjobs-nobody:wait of Redis still has 1 jobs/,
    cause: async ({ system }) => {
      const redis = new Redis(redisOptions(system.folder));
      await redis.lpush('bull:subjobs-nobody:wait', '1');
      return async () => {
        await redis.del('bull:subjobs-nobody:wait');
        redis.disconnect();
      };
    },
  },
  {
    what: 'an event that was not handled',
    reported: /^Each event has.*has not handled event/,
    cause: deleteRows(
      'messaging.inbox',
      `event = (SELECT id FROM messaging.outbox WHERE name = 'runs.run.finished' ORDER BY created_at LIMIT 1)`,
    ),
  },
  {
    what: 'a notification that was sent twice',
    reported: /^Each event has.*run \d+ has 2 notifications instead of 1/,
    cause: damageRows(
      `INSERT INTO notifications.notification SELECT (jsonb_populate_record(n,
         jsonb_build_object('id', gen_random_uuid(), 'seq', seq + 1000000))).*
       FROM notifications.notification n WHERE metadata->>'run' = $1`,
      `DELETE FROM notifications.notification WHERE metadata->>'run' = $1 AND seq > 1000000`,
    ),
  },
  {
    what: 'an attempt that is not charged',
    reported: /^The ledger.*subjob \d+ of run \d+ has 1 attempts that used processor time, and 0 entries/,
    cause: deleteRows(
      'billing.usage_entry',
      'subjob = (SELECT max(subjob) FROM billing.usage_entry e JOIN runs.run r ON r.id = e.run WHERE r.deleted_at IS NULL)',
    ),
  },
  {
    what: 'a lost object',
    reported: /^No object is lost.*an output of run \d+ \(\w+\) is missing/,
    cause: (matrix, run) => {
      const path = objectPath(matrix, run);
      renameSync(path, `${path}.away`);
      return Promise.resolve(() => renameSync(`${path}.away`, path));
    },
  },
  {
    what: 'an object that nothing refers to',
    reported: /^No object is lost.*object \w+ is stored, and nothing refers to it/,
    cause: ({ system }) => {
      const folder = join(
        system.folder,
        'objects',
        readdirSync(join(system.folder, 'objects')).find((name) => name.length === 2) ?? '',
      );
      const file = join(folder, 'f'.repeat(62));
      writeFileSync(file, 'leaked');
      utimesSync(file, new Date(0), new Date(0));
      return Promise.resolve(() => rmSync(file));
    },
  },
  {
    what: 'an end before the start',
    reported: /^Times are in order.*last-1 of run \d+/,
    cause: damageRows(
      `UPDATE runs.subjob SET started_at = finished_at + interval '1 hour' WHERE run_id = $1 AND node = 'last-1'`,
      `UPDATE runs.subjob SET started_at = finished_at WHERE run_id = $1 AND node = 'last-1'`,
    ),
  },
];
