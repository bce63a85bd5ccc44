import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp } from './support/sign-up.js';

type LogLine = Record<string, unknown>;

const LOGS = join(process.env.TEST_DATA_DIR ?? '', 'logs');

/** The log lines of all services that contain a field with this value. */
function findLines(field: string, value: string): LogLine[] {
  const files = readdirSync(LOGS).filter((name) => name.endsWith('.log'));
  const lines = files.flatMap((name) => readFileSync(join(LOGS, name), 'utf8').split('\n'));
  const hits = lines.filter((line) => line.startsWith('{') && line.includes(value));
  return hits.map((line) => JSON.parse(line) as LogLine).filter((line) => line[field] === value);
}

const requestId = `follow-${randomUUID()}`;
let run: string;
beforeAll(async () => {
  const account = await signUp();
  const workflow = await makeWorkflow(account, { nodes: { 'hello-1': script('echo hello') } });
  const response = await rawRequest(account, 'POST', `/api/workflows/${workflow}/runs`, {
    body: '{}',
    headers: { 'x-request-id': requestId },
  });
  expect(response).toMatchObject({ status: 201, headers: expect.anything() });
  run = String(response.body['id']);
  expect((await waitForEnd(account.client, run)).status).toBe('COMPLETED');
});

describe('the logs of all services', () => {
  it('have a line at level info for the start and for the end of a run, with its request and vault', async () => {
    await eventually(() => {
      const lines = findLines('runId', run).filter(({ level, service }) => level === 'info' && service === 'runs');
      const fields = { runId: run, requestId, vault: expect.any(String), workflow: expect.any(String) };
      expect(lines).toEqual([
        expect.objectContaining({ ...fields, message: 'Run started' }),
        expect.objectContaining({
          ...fields,
          message: 'Run finished',
          status: 'COMPLETED',
          durationMs: expect.any(Number),
        }),
      ]);
    });
  });

  it('follow a request by its id through all services, with its events and jobs', async () => {
    await eventually(() => {
      const lines = findLines('requestId', requestId);
      expect(lines).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ service: 'gateway', message: 'Request handled', method: 'POST', status: 201 }),
          expect.objectContaining({
            service: 'runs',
            message: 'Operation handled',
            operation: 'runs.runs.create',
            outcome: 'succeeded',
            durationMs: expect.any(Number),
          }),
          expect.objectContaining({ service: 'runs', message: 'Run created', runId: run }),
          expect.objectContaining({
            service: 'workflows',
            message: 'Operation handled',
            operation: 'workflows.versions.loadForRun',
          }),
          expect.objectContaining({ service: 'workflows', message: 'Event handled', event: 'runs.run.started' }),
          expect.objectContaining({ service: 'worker', message: 'Job processed', job: 'runs.dispatch' }),
        ]),
      );
    });
  });

  it('follow a run by its id from its creation to its end', async () => {
    await eventually(() => {
      const messages = findLines('runId', run).map(({ service, message }) => `${String(service)}: ${String(message)}`);
      expect(messages).toEqual(
        expect.arrayContaining([
          'runs: Run created',
          'runs: Tasks dispatched',
          'runs: Run started',
          'worker: Dispatch started',
          'worker: Step finished',
          'worker: Dispatch finished',
          'runs: Run finished',
        ]),
      );
    });
  });
});
