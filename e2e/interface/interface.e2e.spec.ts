import { beforeAll, describe, expect, it } from '@jest/globals';
import { invite } from '../support/invite.js';
import { setUp } from '../support/set-up.js';
import type { Account } from '../support/sign-up.js';
import { checkAnswer, checkFailure } from './check-answer.js';
import { EXAMPLES } from './examples/all.js';
import type { Row } from './row.js';
import { sendDocumented, type Answer } from './send-documented.js';
import { spoil, type Spoiled } from './spoil.js';
import { INTERFACE, type Documented } from './table/all.js';
import { makeWorld, type DocumentedRequest, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

const OPERATIONS = Object.entries(INTERFACE) as [Documented, Row][];

const REGENERATE = 'POST /users/me/token/regenerate';

/** Both forms of the Authorization header, each as good as the other. */
const HEADERS: [string, (account: Account) => Promise<string>][] = [
  ['a session', async ({ access }) => `Bearer ${access}`],
  ['an API token', async (account) => `Token ${String((await setUp(account, REGENERATE))['token'])}`],
];

describe.each(HEADERS)('an operation responds as the interface document specifies, with %s:', (_, headerOf) => {
  it.each(OPERATIONS)('%s', async (operation, row) => {
    const request = await EXAMPLES[operation](world);
    const header = row.isPublic ? null : await headerOf(request.as ?? world.owner);
    const answer = await sendDocumented(operation, request, header);
    expect(checkAnswer(row, answer, request.without)).toEqual([]);
    if (request.says) expect(JSON.parse(answer.text)).toMatchObject(request.says);
  });
});

const send = (operation: Documented, request: DocumentedRequest): Promise<Answer> => {
  const as = request.as ?? world.owner;
  return sendDocumented(operation, request, INTERFACE[operation].isPublic ? null : `Bearer ${as.access}`);
};

async function checkRefusal(operation: Documented, { what, request, status, field }: Spoiled): Promise<string[]> {
  const answer = await send(operation, request);
  const problems = checkFailure(status, answer);
  if (problems.length === 0 && field !== undefined && !answer.text.includes(`"${field}`)) problems.push(answer.text);
  return problems.map((problem) => `${what}: ${problem}`);
}

const canBeSpoiled = (row: Row): boolean => spoil(row, {}).length > 0;

describe('an operation rejects each part of a request that violates the interface document:', () => {
  it.each(OPERATIONS.filter(([, row]) => canBeSpoiled(row)))('%s', async (operation, row) => {
    const problems: string[] = [];
    for (const spoiled of spoil(row, await EXAMPLES[operation](world))) {
      problems.push(...(await checkRefusal(operation, spoiled)));
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
      const answer = await sendDocumented(operation, { path: IDS }, header);
      expect([header, checkFailure(401, answer)]).toEqual([header, []]);
    }
  });
});

describe('an operation requires the role that the interface document names:', () => {
  it.each(OPERATIONS.filter(([, { minVaultRole }]) => minVaultRole !== undefined))('%s', async (operation, row) => {
    const request = await EXAMPLES[operation](world);
    const as = await invite(world.owner, 'space_admin');
    expect(checkAnswer(row, await send(operation, { ...request, as }), request.without)).toEqual([]);
    expect(checkFailure(403, await send(operation, { ...request, as: world.guest }))).toEqual([]);
  });
});

it('a module cannot be replaced with PUT', async () => {
  const path = `/library/module/${world.module}`;
  const { status } = await sendDocumented(`PUT ${path}`, { body: { name: 'x' } }, `Bearer ${world.owner.access}`);
  expect([404, 405]).toContain(status);
});
