import { randomUUID } from 'node:crypto';
import { databaseUrl } from './own-system.js';
import { queryDatabase } from './query-database.js';

interface DeadJob {
  service: string;
  /** Name of the job. */
  name: string;
  queue: string;
  payload: Record<string, unknown>;
  /** The last failure. */
  error: string;
}

/** A job of an export that does not exist. */
const FAILED_EXPORT: DeadJob = {
  ...{ service: 'datasets', name: 'datasets.exports.write', queue: 'datasets-exports' },
  payload: { export: '999999999' },
  error: 'connect ECONNREFUSED s3.example.org:443',
};

/** Inserts a job that failed for good, as its service stores it. @returns its id */
export async function insertDeadLetter(job: DeadJob = FAILED_EXPORT): Promise<string> {
  const id = randomUUID();
  await queryDatabase(
    databaseUrl(process.env.TEST_DATA_DIR ?? ''),
    `INSERT INTO messaging.dead_letter (id, service, kind, name, queue, message, payload, error, attempts)
     VALUES ($1, $2, 'job', $3, $4, $5, $6, $7, 3)`,
    [id, job.service, job.name, job.queue, id, job.payload, job.error],
  );
  return id;
}

/** Inserts a dead job that mails a password reset, which succeeds if it is handled again. @returns its id */
export const insertDeadMail = (email: string): Promise<string> =>
  insertDeadLetter({
    ...{ service: 'auth', name: 'auth.passwords.mailPasswordReset', queue: 'auth-password-resets' },
    payload: { email },
    error: 'The mail server does not respond',
  });
