import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditLog, retention, roles } from '@millrace/contracts/resources';
import { invite } from './support/invite.js';
import { makeSpace } from './support/one-of-each.js';
import { runCli } from './support/run-cli.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const cli = (...args: string[]) =>
  runCli(['retention', ...args], { env: { MILLRACE_URL: account.url, MILLRACE_TOKEN: account.access } });

const expectPrinted = async (args: string[], text: string) =>
  expect(await cli(...args)).toMatchObject({ code: 0, stdout: `${text}\n`, stderr: '' });

describe('millrace retention', () => {
  it('shows and sets the limits of the vault and of a space, and where they come from', async () => {
    const space = await makeSpace(account);
    await expectPrinted([], 'Runs are kept for ever (default).');
    await expectPrinted(['--days', '30'], 'Runs are deleted 30 days after their end (set for the vault).');
    const both = 'Runs are deleted 30 days after their end, and only the newest 5 runs of each workflow are kept';
    await expectPrinted(['--runs', '5'], `${both} (set for the vault).`);
    await expectPrinted(['--space', space], `${both} (set for the vault).`);
    await expectPrinted(
      ['--space', space, '--days', '7', '--no-runs'],
      'Runs are deleted 7 days after their end (set for the space).',
    );
    await expectPrinted(['--space', space, '--no-days'], 'Runs are kept for ever (set for the space).');
    await expectPrinted(['--space', space, '--inherit'], `${both} (set for the vault).`);
    const { results } = await account.client.call(auditLog.listAuditLog, { query: { action: 'retention.changed' } });
    expect(results.map(({ target_type: type }) => type)).toEqual(['space', 'space', 'space', 'vault', 'vault']);
  });

  it.each([
    [['--days', '3', '--no-days'], 'Use either --days or --no-days'],
    [['--no-runs', '--runs', '3'], 'Use either --runs or --no-runs'],
    [['--inherit'], 'Use --inherit with --space'],
    [['--days', '0'], 'whole number from 1 to 3650'],
    [['--runs', '100001'], 'whole number from 1 to 100000'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('does not find a space that does not exist', async () => {
    const { code, stderr } = await cli('--space', 'none', '--days', '3');
    expect([code, stderr]).toEqual([4, expect.stringContaining('Space none')]);
  });
});

describe('the limits', () => {
  it("of a space are changed by its owners, those of the vault only by the vault's", async () => {
    const guest = await invite(account);
    const params = { spaceId: account.space, id: guest.user };
    await account.client.call(roles.setUserSpaceRole, { params, body: { role: 'owner' } });
    const body = { days: 3, runs: null };
    const policy = await guest.client.call(retention.setSpaceRetention, { params: { id: account.space }, body });
    expect(policy).toEqual({ ...body, source: 'space' });
    await expect(guest.client.call(retention.setVaultRetention, { body })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(guest.client.call(retention.getVaultRetention)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
