import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { EXAMPLES } from '@millrace/contracts/openapi/examples/all-examples';
import type { OperationExamples } from '@millrace/contracts/openapi/examples/operation-example';
import { UNEXECUTABLE } from '@millrace/contracts/openapi/examples/written-examples';
import { restOperations } from '@millrace/contracts/registry';
import { exchange } from './exchange.js';
import { VolatileValues } from './replace-volatile.js';
import { exampleRequestOf, makeExampleWorld, type ExampleWorld } from './requests.js';
import { shapeOf } from './shape-of.js';
import { writeExamples } from './write-examples.js';

/** `npm run docs:examples` stores what this run records. */
const isRecording = process.env.RECORD_API_EXAMPLES === 'true';

/** Operations that only read come first, so that the others do not change what they show. */
const executable = restOperations
  .filter(({ name }) => !(name in UNEXECUTABLE))
  .toSorted((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'));

const volatileValues = new VolatileValues();
const recorded: OperationExamples = {};
let world: ExampleWorld;
beforeAll(async () => {
  world = await makeExampleWorld();
});
afterAll(() => {
  if (isRecording && Object.keys(recorded).length === executable.length) writeExamples(recorded);
});

/** Whether the body of a response is the record of the contract; others have a format of their own. */
const hasRecord = ({ transfer }: AnyOperation): boolean =>
  !['download', 'archive', 'text', 'events'].includes(transfer);

describe('the example of an operation is what a running system sends and accepts:', () => {
  it.each(executable.map((operation) => [operation.name, operation] as const))('%s', async (name, operation) => {
    const sample = await exampleRequestOf(operation)(world);
    const { access } = sample.as ?? world.owner;
    const authorization = operation.access.kind === 'public' ? null : `Bearer ${access}`;
    const { status, ...sent } = await exchange(operation, sample, authorization);
    expect({ status, response: sent.response }).toMatchObject({ status: operation.status });
    if (hasRecord(operation) && operation.status !== 204) {
      expect(operation.response.parse(sent.response?.value)).toEqual(sent.response?.value);
    }
    const example = volatileValues.replaceIn(sent);
    recorded[name] = example;
    if (!isRecording) expect(shapeOf(example)).toEqual(shapeOf(EXAMPLES[name]));
  });
});
