import { beforeAll, describe, expect, it } from '@jest/globals';
import { callApi } from '../support/call-api.js';
import { invite } from '../support/invite.js';
import type { Account } from '../support/sign-up.js';
import { checkResponse, checkFailure } from './check-response.js';
import { EXAMPLES } from './examples/all.js';
import { invalidVariants, type InvalidVariant } from './invalid-variants.js';
import type { Row } from './row.js';
import { sendDocumented, type ReceivedResponse } from './send-documented.js';
import { INTERFACE, type DocumentedOperation } from './table/all.js';
import { makeWorld, type DocumentedRequest, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

const OPERATIONS = Object.entries(INTERFACE) as [DocumentedOperation, Row][];

const REGENERATE_TOKEN = 'POST /users/me/token/regenerate';

/** Both forms of the Authorization header. They are equivalent. */
const HEADERS: [string, (account: Account) => Promise<string>][] = [
  ['a session', async ({ access }) => `Bearer ${access}`],
  ['an API token', async (account) => `Token ${String((await callApi(account, REGENERATE_TOKEN))['token'])}`],
];

describe.each(HEADERS)('an operation responds as the interface document specifies, with %s:', (_, authorizationOf) => {
  it.each(OPERATIONS)('%s', async (operation, row) => {
    const request = await EXAMPLES[operation](world);
    const header = row.isPublic ? null : await authorizationOf(request.as ?? world.owner);
    const response = await sendDocumented(operation, request, header);
    expect(checkResponse(row, response, request.without)).toEqual([]);
    if (request.expected) expect(JSON.parse(response.text)).toMatchObject(request.expected);
  });
});

const send = (operation: DocumentedOperation, request: DocumentedRequest): Promise<ReceivedResponse> => {
  const as = request.as ?? world.owner;
  return sendDocumented(operation, request, INTERFACE[operation].isPublic ? null : `Bearer ${as.access}`);
};

async function checkRejection(
  operation: DocumentedOperation,
  { change, request, status, field }: InvalidVariant,
): Promise<string[]> {
  const response = await send(operation, request);
  const problems = checkFailure(status, response);
  if (problems.length === 0 && field !== undefined && !response.text.includes(`"${field}`))
    problems.push(response.text);
  return problems.map((problem) => `${change}: ${problem}`);
}

const hasInvalidVariants = (row: Row): boolean => invalidVariants(row, {}).length > 0;

describe('an operation rejects each part of a request that violates the interface document:', () => {
  it.each(OPERATIONS.filter(([, row]) => hasInvalidVariants(row)))('%s', async (operation, row) => {
    const problems: string[] = [];
    for (const variant of invalidVariants(row, await EXAMPLES[operation](world))) {
      problems.push(...(await checkRejection(operation, variant)));
    }
    expect(problems).toEqual([]);
  });
});

/** Ids of no record: the service checks the caller before it looks for the record. */
const IDS = { id: '1', spaceId: '1', subjobId: '1', solutionId: '1', viewId: '1', folderId: '1' };

describe('an operation requires credentials in one of two forms:', () => {
  it.each(OPERATIONS.filter(([, row]) => !row.isPublic))('%s', async (operation) => {
    const { owner } = world;
    for (const header of [null, `Token ${owner.access}`, `Bearer ${'x'.repeat(40)}`, `Basic ${owner.access}`]) {
      const response = await sendDocumented(operation, { path: IDS }, header);
      expect([header, checkFailure(401, response)]).toEqual([header, []]);
    }
  });
});

describe('an operation requires the role that the interface document names:', () => {
  it.each(OPERATIONS.filter(([, { minVaultRole }]) => minVaultRole !== undefined))('%s', async (operation, row) => {
    const request = await EXAMPLES[operation](world);
    const as = await invite(world.owner, 'space_admin');
    expect(checkResponse(row, await send(operation, { ...request, as }), request.without)).toEqual([]);
    expect(checkFailure(403, await send(operation, { ...request, as: world.guest }))).toEqual([]);
  });
});

it('a module cannot be replaced with PUT', async () => {
  const path = `/library/module/${world.module}`;
  const { status } = await sendDocumented(`PUT ${path}`, { body: { name: 'x' } }, `Bearer ${world.owner.access}`);
  expect([404, 405]).toContain(status);
});
